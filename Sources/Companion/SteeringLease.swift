public import UAVLink

/// Decides who steers, and when a steered vehicle must be stopped because nobody steers it any more.
///
/// ```
///            neutral setpoint              setpoint (moves the deadline)
///   idle ─────────────────────▶ steering ◀───────────┐
///    ▲                            │  │ └─────────────┘
///    │   ended by a command       │  │
///    ├────────────────────────────┘  │
///    │   deadline passed: hover is commanded, once
///    └───────────────────────────────┘
/// ```
///
/// Only a neutral setpoint begins steering: a link that comes back, a stopped process that goes on, or a setpoint that
/// overtook the hover before it, must not bring the motion back.
///
/// It is a value that is told the time; whoever owns it asks ``lapse(at:)`` when ``deadline`` comes.
public struct SteeringLease<Holder: Hashable & Sendable>: Sendable {
    /// How long steering may be silent: 200 ms is four setpoints of the slowest sensible joystick (20 Hz), and well below
    /// the 0.5 s after which the vehicle's own tracker gives up.
    public static var defaultDuration: Duration { .milliseconds(200) }

    /// What becomes of a setpoint.
    public enum Verdict: Hashable, Sendable {
        /// It is to be passed on.
        case granted
        /// Somebody else steers.
        case heldByAnother
        /// Nobody steers, and this setpoint is not neutral.
        case notBegun
    }

    private enum State: Sendable {
        case idle
        case steering(Holder, until: MonotonicTime)
    }

    private let duration: Duration
    private var state = State.idle

    /// A lease of that length that nobody holds.
    public init(duration: Duration = Self.defaultDuration) { self.duration = duration }

    /// Who steers.
    public var holder: Holder? {
        if case .steering(let holder, _) = state { holder } else { nil }
    }

    /// When the vehicle must be stopped if nothing comes before.
    public var deadline: MonotonicTime? {
        if case .steering(_, let until) = state { until } else { nil }
    }

    /// A fresh setpoint has come; whether it may be passed on.
    ///
    /// - Parameter isNeutral: whether it asks for no motion at all.
    public mutating func renew(by holder: Holder, isNeutral: Bool, at now: MonotonicTime) -> Verdict {
        switch state {
        case .idle:
            guard isNeutral else { return .notBegun }
        case .steering(let present, let until) where now >= until:
            // The deadline has passed, but nobody has asked yet: the hover is still to come.
            guard isNeutral else { return present == holder ? .notBegun : .heldByAnother }
        case .steering(let present, _):
            guard present == holder else { return .heldByAnother }
        }
        state = .steering(holder, until: now + duration)
        return .granted
    }

    /// A command has taken over: steering has ended on purpose.
    public mutating func end() { state = .idle }

    /// Asks whether the lease has lapsed; it says so once.
    ///
    /// - Returns: who steered, when the vehicle must be stopped now.
    public mutating func lapse(at now: MonotonicTime) -> Holder? {
        guard case .steering(let holder, let until) = state, now >= until else { return nil }
        state = .idle
        return holder
    }
}
