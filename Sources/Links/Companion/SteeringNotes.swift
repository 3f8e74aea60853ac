internal import Authority
internal import SocketTransport
internal import UAVLink

/// What the log is told of steering: for each session how it stands, when that changes, and no more often than
/// ``RepeatLimit`` lets it. It is asked for every setpoint, and allocates for the first of a session only.
struct SteeringNotes {
    /// How a session's setpoints fare.
    enum Standing: Int, CaseIterable {
        case steers
        case notInCommand
        case neutralFirst
        case commandUnderWay
        case vehicleElsewhere
        case notPassedOn

        /// How it stands after a refusal; `nil` after none.
        init?(_ verdict: SetpointVerdict) {
            switch verdict {
            case .granted: return nil
            case .notInCommand: self = .notInCommand
            case .neutralFirst: self = .neutralFirst
            case .commandUnderWay: self = .commandUnderWay
            case .vehicleElsewhere: self = .vehicleElsewhere
            }
        }

        func line(of session: SessionID) -> String {
            switch self {
            case .steers: "session \(session) steers"
            case .notInCommand: "setpoints of session \(session) are refused: it is not in command"
            case .neutralFirst: "setpoints of session \(session) are refused until one is neutral"
            case .commandUnderWay: "setpoints of session \(session) are refused while a command is under way"
            case .vehicleElsewhere: "setpoints of session \(session) are refused: the vehicle takes none"
            case .notPassedOn: "setpoints of session \(session) cannot be passed on"
            }
        }
    }

    /// What happens to a session's steering from outside its setpoints.
    enum Event: Int, CaseIterable {
        case lapsed
        case endedByVehicle
        case silent
        case returned
    }

    private struct Entry {
        var standing: Standing?
        var limits = [RepeatLimit](repeating: RepeatLimit(), count: Standing.allCases.count)
        /// Of each event how it was last said, since that differs.
        var events = [(limit: RepeatLimit, line: String)](
            repeating: (RepeatLimit(), ""), count: Event.allCases.count)
    }

    private var entries: [SessionID: Entry] = [:]
    /// When something is to be said of what was not said at its time.
    private var summaryAt: MonotonicTime?

    /// A setpoint came; whether ``Standing/line(of:)`` is to be said.
    mutating func note(_ standing: Standing, of session: SessionID, at now: MonotonicTime) -> Bool {
        guard entries[session]?.standing != standing else { return false }
        entries[session, default: Entry()].standing = standing
        let isSaid = entries[session]?.limits[standing.rawValue].note(at: now) ?? false
        if !isSaid { plan(entries[session]?.limits[standing.rawValue].summaryAt) }
        return isSaid
    }

    /// Something happened to a session; whether `line` is to be said.
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

    /// Lines about what was not said at its time. It is asked each time that the channel's thread wakes, and mostly has nothing.
    mutating func takeSummaries(at now: MonotonicTime) -> [String] {
        guard let summaryAt, summaryAt <= now else { return [] }
        self.summaryAt = nil
        var lines: [String] = []
        for session in entries.keys {
            for standing in Standing.allCases {
                if let count = entries[session]?.limits[standing.rawValue].takeUnsaid(at: now) {
                    lines.append(Self.summary(standing.line(of: session), count))
                }
                plan(entries[session]?.limits[standing.rawValue].summaryAt)
            }
            for event in Event.allCases {
                if let count = entries[session]?.events[event.rawValue].limit.takeUnsaid(at: now) {
                    lines.append(Self.summary(entries[session]?.events[event.rawValue].line ?? "", count))
                }
                plan(entries[session]?.events[event.rawValue].limit.summaryAt)
            }
        }
        return lines
    }

    private static func summary(_ line: String, _ count: Int) -> String {
        "\(line): so \(count) more times since it was said"
    }

    mutating func forget(_ session: SessionID) { entries[session] = nil }
}
