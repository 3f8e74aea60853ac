internal import Authority
internal import ChannelProtocol
internal import UAVLink

/// Log messages about steering: the state of each session when it changes, limited by ``EventRateLimiter``. Called for every
/// setpoint; allocates for the first one of a session only.
struct SteeringLog {
    /// State of a session's setpoints.
    enum SetpointState: Int, CaseIterable {
        case steers
        case notInCommand
        case neutralFirst
        case commandInProgress
        case vehicleUnavailable
        case notForwarded

        /// The state after a refusal; `nil` if the setpoint was granted.
        init?(_ verdict: SetpointVerdict) {
            switch verdict {
            case .granted: return nil
            case .notInCommand: self = .notInCommand
            case .neutralFirst: self = .neutralFirst
            case .commandInProgress: self = .commandInProgress
            case .vehicleUnavailable: self = .vehicleUnavailable
            }
        }

        func line(of session: SessionID) -> String {
            switch self {
            case .steers: "session \(session) steers"
            case .notInCommand: "setpoints of session \(session) are refused: it does not have control authority"
            case .neutralFirst: "setpoints of session \(session) are refused until one is neutral"
            case .commandInProgress: "setpoints of session \(session) are refused while a command is in progress"
            case .vehicleUnavailable: "setpoints of session \(session) are refused: the vehicle accepts none"
            case .notForwarded: "setpoints of session \(session) cannot be forwarded"
            }
        }
    }

    /// An event of a session other than a setpoint.
    enum Event: Int, CaseIterable {
        case lapsed
        case endedByVehicle
        case linkLost
        case linkRestored
    }

    private struct Entry {
        var standing: SetpointState?
        var limits = [EventRateLimiter](repeating: EventRateLimiter(), count: SetpointState.allCases.count)
        /// For each event also its last line, since that varies.
        var events = [(limit: EventRateLimiter, line: String)](
            repeating: (EventRateLimiter(), ""), count: Event.allCases.count)
    }

    private var entries: [SessionID: Entry] = [:]
    /// When the next summary of unreported lines is due.
    private var summaryAt: MonotonicTime?

    /// Records the state after a setpoint; returns whether ``SetpointState/line(of:)`` is to be logged.
    mutating func note(_ standing: SetpointState, of session: SessionID, at now: MonotonicTime) -> Bool {
        guard entries[session]?.standing != standing else { return false }
        entries[session, default: Entry()].standing = standing
        let isSaid = entries[session]?.limits[standing.rawValue].note(at: now) ?? false
        if !isSaid { plan(entries[session]?.limits[standing.rawValue].summaryAt) }
        return isSaid
    }

    /// Records an event of a session; returns whether `line` is to be logged.
    mutating func note(_ event: Event, _ line: String, of session: SessionID, at now: MonotonicTime) -> Bool {
        entries[session, default: Entry()].events[event.rawValue].line = line
        let isSaid = entries[session]?.events[event.rawValue].limit.note(at: now) ?? false
        if !isSaid { plan(entries[session]?.events[event.rawValue].limit.summaryAt) }
        return isSaid
    }

    private mutating func plan(_ time: MonotonicTime?) {
        guard let time else { return }
        summaryAt = summaryAt.map { min($0, time) } ?? time
    }

    /// Summaries of unreported lines. Called whenever the channel thread wakes; mostly empty.
    mutating func takeSummaries(at now: MonotonicTime) -> [String] {
        guard let summaryAt, summaryAt <= now else { return [] }
        self.summaryAt = nil
        var lines: [String] = []
        for session in entries.keys {
            for standing in SetpointState.allCases {
                if let count = entries[session]?.limits[standing.rawValue].takeUnreported(at: now) {
                    lines.append(Self.summary(standing.line(of: session), count))
                }
                plan(entries[session]?.limits[standing.rawValue].summaryAt)
            }
            for event in Event.allCases {
                if let count = entries[session]?.events[event.rawValue].limit.takeUnreported(at: now) {
                    lines.append(Self.summary(entries[session]?.events[event.rawValue].line ?? "", count))
                }
                plan(entries[session]?.events[event.rawValue].limit.summaryAt)
            }
        }
        return lines
    }

    private static func summary(_ line: String, _ count: Int) -> String {
        "\(line) (repeated \(count) times)"
    }

    mutating func forget(_ session: SessionID) { entries[session] = nil }
}
