internal import Impairment
internal import LatencyStatistics
internal import ReportKit
internal import Statistics
internal import UAVLink
internal import VehicleAccess

/// What a plan makes of a turn, and how it is described.
extension MeasuringPlan {
    /// Duration of the commands in a turn, which follow the steering; and the longest where rounds are few.
    private static let commandsFor: Duration = .milliseconds(400)
    private static let commandsForAtMost: Duration = .milliseconds(800)
    static let warmUpCommands = 5

    /// Checks what would measure nothing.
    ///
    /// - Throws: ``LinkError`` with `invalidInput`.
    func validate() throws(LinkError) {
        for rate in [rateHertz, commandHertz] + sweptHertz where !Self.rates.contains(rate) {
            throw LinkError(.invalidInput, "the rate is \(rate) Hz; it must be from 1 to 1000 Hz")
        }
        let hasEnd = rounds.map { $0 > 0 } ?? (duration != nil)
        guard !links.isEmpty, !conditions.isEmpty, hasEnd, duration.map({ $0 > .zero }) ?? true else {
            throw LinkError(
                .invalidInput, "nothing to measure: no link, no condition, no rounds or no duration given")
        }
        if links.contains(.rosbridge), rosbridge == nil { throw Self.noROSBridge }
        guard Self.pushCounts.contains(pushes), Self.boxes.contains(boxMetres) else {
            throw LinkError(.invalidInput, "\(pushes) pushes within \(boxMetres) m cannot be measured")
        }
    }

    /// That a rosbridge server is to be measured, and none was named.
    static let noROSBridge = LinkError(
        .invalidInput, "no rosbridge server was named",
        hint: "give it with --peer \(ROSBridgeAddress.prefix)HOST[:PORT]")

    /// A condition at one rate of setpoints, and how reports call it.
    struct Part {
        var condition: Impairment
        var rateHertz: Double
        var text: String
    }

    /// What is measured one after the other.
    var parts: [Part] {
        conditions.flatMap { condition in
            guard !sweptHertz.isEmpty else {
                return [Part(condition: condition, rateHertz: rateHertz, text: condition.text)]
            }
            return sweptHertz.map { rate in
                let hertz = rate.formatted(decimals: rate == rate.rounded() ? 0 : 1)
                return Part(condition: condition, rateHertz: rate, text: "\(condition.text) at \(hertz) Hz")
            }
        }
    }

    /// How long a condition will take, seconds, without opening the links: what was asked for, or so long as the rounds took on
    /// the demonstration's stack.
    package var estimatedSeconds: Double {
        let limit = duration?.inSeconds ?? .infinity
        guard let rounds else { return limit.isFinite ? limit : 0 }
        let direct = steeringInTurn.inSeconds + Double(commandsInTurn) / max(commandHertz, 1)
        let each = links.reduce(0.0) { sum, link in
            switch link {
            // One command in a turn, and what it begins with; those of the first rounds steer too.
            case .ssh, .sshShell: sum + 1.8
            case .ros, .sshPersistent, .rosbridge: sum + direct + 0.9
            case .sshTunnel, .tcp, .udp: sum + direct + 0.3
            // It is not steered.
            case .direct: sum + Double(commandsInTurn) / max(commandHertz, 1) + 0.2
            }
        }
        return min(limit, Double(rounds) * each)
    }

    /// How many commands a turn has over links that allow the rate: more than usual where the rounds are just enough for
    /// intervals, so that the commands of all of them are enough for p99, the first of each turn aside.
    var commandsInTurn: Int {
        func count(in duration: Duration) -> Int {
            max(1, Int(saturating: (commandHertz * duration.inSeconds).rounded()))
        }
        let usual = count(in: Self.commandsFor)
        guard let rounds, rounds >= ClusterBootstrap.minimumRounds else { return usual }
        let needed = (Percentile.p99.minimumCount + rounds - 1) / rounds + 1
        return max(usual, min(needed, count(in: Self.commandsForAtMost)))
    }

    func turn(steeringFor: Duration, commands: Int) -> Turn {
        Turn(
            steeringFor: steeringFor, steeringPeriod: .nanoseconds(Int64(saturating: (1e9 / rateHertz).rounded())),
            commands: commands, commandPeriod: .nanoseconds(Int64(saturating: (1e9 / commandHertz).rounded())))
    }

    /// The settings of a report.
    var settings: [LatencyReport.Fact] {
        let length = duration.map { "at most about \($0.inSeconds.formatted(decimals: 0)) s for all links together" }
        let swept = sweptHertz.map { $0.formatted(decimals: 1) }.joined(separator: ", ")
        let rates = sweptHertz.isEmpty ? "\(rateHertz) Hz" : "\(swept) Hz, one after the other"
        let each = [rounds.map { "\($0) rounds" }, length].compactMap(\.self).joined(separator: ", ")
        var facts: [LatencyReport.Fact] = [
            .init(
                "steering", "\(rates), neutral, valid for 500 ms, in turns of \(steeringInTurn.inSeconds) s"),
            .init("commands", "\(command.name), \(commandHertz) Hz, \(commandsInTurn) in a turn, on a fixed schedule"),
            .init("each condition", each),
            .init(
                "order",
                "one turn of each link in a round, balanced over which follows which (Williams), at a random phase"),
            .init("first of a turn", "reported as cold, apart from the others, where a turn has several"),
            .init(
                "warm-up",
                "0.2 s of steering and \(Self.warmUpCommands) commands of each link and condition, over a shell one "
                    + "command, discarded"
            ),
            .init(
                "impairment",
                "for each link by itself, both ways alike without up: and down:; a blackout in each link's own turn; "
                    + "with each condition stands how it was made"),
            .init(
                "clocks",
                "four timestamps with the companion ten times a second, past all impairment; offset and bound of each sample"
            ),
            .init(
                "telemetry", "from the stamp of the pose message, or its receipt on board, to the value on the ground"),
        ]
        if conditions.contains(where: \.hasLoad) {
            facts.append(
                .init(
                    "load",
                    "connections of TCP that send as much as they can through the link's own bottleneck, from a second before "
                        + "its turn to the end of it; their packets are in its cost"))
        }
        if measuresMotion { facts.append(.init("motion", motionWarning)) }
        return facts
    }
}
