internal import ReportKit
internal import UAVLink

/// What a plan makes of a turn, and how it is described.
extension MeasuringPlan {
    /// Duration of the commands in a turn, which follow the steering.
    private static let commandsFor: Duration = .milliseconds(400)
    static let warmUpCommands = 5

    /// Checks what would measure nothing.
    ///
    /// - Throws: ``LinkError`` with `invalidInput`.
    func validate() throws(LinkError) {
        for rate in [rateHertz, commandHertz] where !Self.rates.contains(rate) {
            throw LinkError(.invalidInput, "the rate is \(rate) Hz; it must be from 1 to 1000 Hz")
        }
        let hasEnd = rounds.map { $0 > 0 } ?? (duration != nil)
        guard !links.isEmpty, !conditions.isEmpty, hasEnd, duration.map({ $0 > .zero }) ?? true else {
            throw LinkError(
                .invalidInput, "nothing to measure: no link, no condition, no rounds or no duration given")
        }
        guard Self.pushCounts.contains(pushes), Self.boxes.contains(boxMetres) else {
            throw LinkError(.invalidInput, "\(pushes) pushes within \(boxMetres) m cannot be measured")
        }
    }

    var commandsInTurn: Int { max(1, Int(saturating: (commandHertz * Self.commandsFor.inSeconds).rounded())) }

    func turn(steeringFor: Duration, commands: Int) -> Turn {
        Turn(
            steeringFor: steeringFor, steeringPeriod: .nanoseconds(Int64(saturating: (1e9 / rateHertz).rounded())),
            commands: commands, commandPeriod: .nanoseconds(Int64(saturating: (1e9 / commandHertz).rounded())))
    }

    /// The settings of a report.
    var settings: [LatencyReport.Fact] {
        let length = duration.map { "at most about \($0.inSeconds.formatted(decimals: 0)) s for all links together" }
        let each = [rounds.map { "\($0) rounds" }, length].compactMap(\.self).joined(separator: ", ")
        var facts: [LatencyReport.Fact] = [
            .init(
                "steering", "\(rateHertz) Hz, neutral, valid for 500 ms, in turns of \(steeringInTurn.inSeconds) s"),
            .init("commands", "\(command.name), \(commandHertz) Hz, \(commandsInTurn) in a turn, on a fixed schedule"),
            .init("each condition", each),
            .init(
                "order",
                "one turn of each link in a round, balanced over which follows which (Williams), at a random phase"),
            .init("first of a turn", "reported as cold, apart from the others, where a turn has several"),
            .init(
                "warm-up", "0.2 s of steering and \(Self.warmUpCommands) commands of each link and condition, discarded"
            ),
            .init(
                "impairment",
                "by relays in front of each link, same in each direction; a blackout in each link's own turn; no relay "
                    + "where a condition impairs nothing"),
            .init("clocks", "four timestamps with the companion, bypassing the relays"),
            .init(
                "telemetry", "from the stamp of the pose message, or its receipt on board, to the value on the ground"),
        ]
        if measuresMotion { facts.append(.init("motion", motionWarning)) }
        return facts
    }
}
