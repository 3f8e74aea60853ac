/// Who has the sticks.
public enum ControlState: Hashable, Sendable {
    /// Nobody here steers; why it last ended, when it did.
    case released(Ended?)
    /// The person asked for control; sticks must be neutral and the vehicle flying.
    case waitsForNeutral
    /// Setpoints are sent.
    case engaged
    /// Setpoints have ended, the vehicle is being stopped.
    case stopping(StopReason)

    /// How steering ended.
    public struct Ended: Hashable, Sendable {
        /// Why.
        public var reason: StopReason
        /// What became of stopping the vehicle.
        public var outcome: StopOutcome

        /// How steering ended.
        public init(_ reason: StopReason, _ outcome: StopOutcome) {
            self.reason = reason
            self.outcome = outcome
        }
    }
}

/// The way of control, as a value: events in, at most one effect out.
///
/// ```
///               take                    ready (neutral, flying)
///   released ─────────▶ waitsForNeutral ────────────────────────▶ engaged
///      ▲  ▲                   │                                      │
///      │  ╰──── stop(why) ────╯                       stop(why): end setpoints, stop it once
///      │                                                             ▼
///      ╰─────────────────────── ended(outcome) ────────────────── stopping
/// ```
///
/// Only `take` leads towards motion, and only a person sends it: nothing that comes back (a link, a controller, the focus)
/// brings control back.
public struct ControlMachine: Hashable, Sendable {
    /// What happened.
    public enum Event: Hashable, Sendable {
        /// The person asks for control.
        case take
        /// The sticks are neutral and the vehicle flies.
        case ready
        /// Something ends steering.
        case stop(StopReason)
        /// The run of setpoints is over, and stopping the vehicle answered.
        case ended(StopOutcome)
    }

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// Begin a run of setpoints.
        case begin
        /// End it, and stop the vehicle when the reason asks for it.
        case end(StopReason)
    }

    /// Where it stands.
    public private(set) var state = ControlState.released(nil)

    /// Released.
    public init() {}

    /// Takes an event; what means nothing in this state changes nothing.
    public mutating func handle(_ event: Event) -> Effect? {
        switch (state, event) {
        case (.released, .take):
            state = .waitsForNeutral
            return nil
        case (.waitsForNeutral, .ready):
            state = .engaged
            return .begin
        case (.waitsForNeutral, .stop(let reason)):
            state = .released(.init(reason, .notStopped))
            return nil
        case (.engaged, .stop(let reason)):
            state = .stopping(reason)
            return .end(reason)
        case (.stopping(let reason), .ended(let outcome)):
            state = .released(.init(reason, outcome))
            return nil
        case (.released, .ready), (.released, .stop), (.released, .ended), (.waitsForNeutral, .take),
            (.waitsForNeutral, .ended), (.engaged, .take), (.engaged, .ready), (.engaged, .ended), (.stopping, .take),
            (.stopping, .ready), (.stopping, .stop):
            return nil
        }
    }

    /// Whether setpoints are sent, or are about to be.
    public var isActive: Bool {
        switch state {
        case .waitsForNeutral, .engaged: true
        case .released, .stopping: false
        }
    }
}
