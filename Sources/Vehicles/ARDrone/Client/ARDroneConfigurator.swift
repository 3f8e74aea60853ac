package import UAVLink

/// Sets keys of the drone's configuration one by one, each acknowledged, and reads them back. A value with the time passed in.
///
/// ```
///   clearing ──bit 6 clear──▶ setting ──bit 6 set──▶ clearing ... ──no key left──▶ reading ──dump──▶ done
///       ▲                        │ not acknowledged four times: the next one        │ a key has another value, twice
///       ╰────────────────────────┴──────────────────────────────────────────────────╯
/// ```
///
/// The reading asks when the control channel has opened, and again when nothing came: the question goes by UDP.
package struct ARDroneConfigurator: Sendable {
    /// A key and its value.
    package struct Setting: Hashable, Sendable {
        package var key: String
        package var value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    private enum Phase: Hashable {
        case idle
        case clearing(nextAt: MonotonicTime)
        case setting(nextAt: MonotonicTime, left: Int)
        case reading(until: MonotonicTime, isAsked: Bool)
    }

    private static let attempts = 4
    /// What is shown of a value that has a line of any length.
    private static let longestShown = 40
    /// How often it is read back; afterwards it is taken as it is.
    private static let readings = 3

    private var wanted: [Setting] = []
    private var queue: [Setting] = []
    private var phase = Phase.idle
    private var readingsLeft = 0
    /// The configuration that was read last.
    package private(set) var known: [String: String] = [:]
    /// What a pilot should know, once.
    package var complaints: [String] = []

    /// Nothing is to be set.
    package init() {}

    /// Whether everything was set, or given up.
    package var isDone: Bool { phase == .idle }

    /// Whether a connection to the control channel is needed.
    package var wantsControl: Bool { if case .reading = phase { true } else { false } }

    /// Begins with these keys.
    package mutating func begin(_ settings: [Setting], now: MonotonicTime) {
        (wanted, queue) = (settings, settings)
        readingsLeft = Self.readings
        phase = .clearing(nextAt: now)
    }

    /// The state of the drone has come.
    package mutating func take(_ status: ARDroneStatus, now: MonotonicTime) {
        switch phase {
        case .clearing:
            guard !status.contains(.commandAcknowledged) else { return }
            phase =
                queue.isEmpty ? startReading(isAsked: false, now: now) : .setting(nextAt: now, left: Self.attempts)
        case .setting:
            guard status.contains(.commandAcknowledged) else { return }
            if !queue.isEmpty { queue.removeFirst() }
            phase = .clearing(nextAt: now)
        case .idle, .reading: return
        }
    }

    private mutating func startReading(isAsked: Bool, now: MonotonicTime) -> Phase {
        guard readingsLeft > 0 else { return .idle }
        readingsLeft -= 1
        return .reading(until: now + ARDroneTimes.reading, isAsked: isAsked)
    }

    /// The control channel is open, for the first time or again: the configuration can be asked for. What was asked before went to
    /// a connection that is gone.
    package mutating func controlOpened() -> ATCommand? {
        guard case .reading(let until, _) = phase else { return nil }
        phase = .reading(until: until, isAsked: true)
        return .control(.sendConfiguration)
    }

    /// A whole configuration has come.
    package mutating func take(_ dump: [String: String], now: MonotonicTime) {
        known = dump
        guard case .reading = phase else { return }
        let wrong = wanted.filter { setting in
            // A key that this firmware does not have cannot be set.
            dump[setting.key].map { !ARDroneConfigurationReader.same($0, setting.value) } ?? false
        }
        guard !wrong.isEmpty else { return phase = .idle }
        guard readingsLeft > 0 else {
            for setting in wrong {
                let value = String((dump[setting.key] ?? "").prefix(Self.longestShown))
                complaints.append("\(setting.key) is \(value), although \(setting.value) was set")
            }
            return phase = .idle
        }
        queue = wrong
        phase = .clearing(nextAt: now)
    }

    /// What is due.
    package mutating func due(now: MonotonicTime) -> [ATCommand] {
        switch phase {
        case .idle: return []
        case .clearing(let nextAt):
            guard nextAt <= now else { return [] }
            phase = .clearing(nextAt: now + ARDroneTimes.clearing)
            return [.control(.clearAcknowledgement)]
        case .setting(let nextAt, let left):
            guard nextAt <= now, let setting = queue.first else { return [] }
            guard left > 0 else {
                complaints.append("\(setting.key) was not acknowledged")
                queue.removeFirst()
                phase = .clearing(nextAt: now)
                return []
            }
            phase = .setting(nextAt: now + ARDroneTimes.acknowledgement, left: left - 1)
            return [.configuration(key: setting.key, value: setting.value)]
        case .reading(let until, let isAsked):
            guard until <= now else { return [] }
            phase = startReading(isAsked: isAsked, now: now)
            guard phase != .idle else {
                complaints.append("the configuration could not be read back (TCP port 5559)")
                return []
            }
            // The connection is still open, and nothing but the lost question is missing.
            return isAsked ? [.control(.sendConfiguration)] : []
        }
    }
}
