internal import ReportKit
package import UAVLink

/// From which instant the values of telemetry count.
package enum TelemetryOrigin: Hashable, Sendable {
    /// The stamp of the vehicle's message.
    case stamp
    /// The message's receipt by the companion, since stamps cannot be used.
    case receiptOnBoard(StampObstacle)

    /// Chooses it for the messages that a companion has received.
    ///
    /// - Parameters:
    ///   - clock: the clock of the stamps as the companion knows it; `nil` if it does not, as an older one.
    ///   - delays: from the stamp of each message to its receipt on board, nanoseconds; `nil` for one without a stamp.
    package static func chosen(_ clock: StampClock?, delays: [Int64?]) -> Self {
        if let obstacle = StampObstacle(clock) { return .receiptOnBoard(obstacle) }
        guard !delays.isEmpty else { return .stamp }
        let stamped = delays.compactMap(\.self)
        guard stamped.count > delays.count / 2, let least = stamped.min(), let most = stamped.max() else {
            return .receiptOnBoard(.noStamps)
        }
        let largest = StampClock.largestDifference.nanoseconds
        if least > largest { return .receiptOnBoard(.clocksDiffer(behindNanoseconds: least)) }
        if most < -largest { return .receiptOnBoard(.clocksDiffer(behindNanoseconds: most)) }
        return .stamp
    }

    /// The value in JSON: `stamp`, or that of ``UAVLink/AgeOrigin``.
    package var word: String {
        switch self {
        case .stamp: "stamp"
        case .receiptOnBoard: AgeOrigin.receiptOnBoard.rawValue
        }
    }

    /// Why stamps are not used; `nil` if they are.
    package var obstacle: StampObstacle? {
        switch self {
        case .stamp: nil
        case .receiptOnBoard(let obstacle): obstacle
        }
    }
}

/// Why the stamps of a vehicle's messages say nothing about their age.
package enum StampObstacle: Hashable, Sendable {
    /// The vehicle's programs run on simulated time.
    case simulatedTime
    /// They stamp by a clock that is not the companion's; how far it is behind that, negative if ahead.
    case clocksDiffer(behindNanoseconds: Int64)
    /// They do not stamp their messages.
    case noStamps

    /// What a clock of stamps is in the way of; `nil` for one that is not, or not known to be.
    package init?(_ clock: StampClock?) {
        switch clock?.kind {
        case .simulated: self = .simulatedTime
        case .differing: self = .clocksDiffer(behindNanoseconds: clock?.offset?.nanoseconds ?? 0)
        case .wall, nil: return nil
        }
    }

    /// One clause: `the vehicle runs on simulated time`.
    package var reason: String {
        switch self {
        case .simulatedTime: return "the vehicle runs on simulated time"
        case .clocksDiffer(let behind):
            let seconds = (Double(behind) / 1e9).magnitude.formatted(decimals: 1)
            return
                "the vehicle's stamps are \(seconds) s \(behind < 0 ? "ahead of" : "behind") the clock of the companion's computer"
        case .noStamps: return "the vehicle's messages have no stamps"
        }
    }

    /// Why telemetry was not measured over a link on which only the receipt on the ground is known.
    package func absence(over link: String) -> String {
        "\(reason), and over \(link) only the receipt on the ground is known, not that on board: its age cannot be measured"
    }
}
