/// The state of control from this screen.
package enum ControlState: Hashable, Sendable {
    /// No steering; with why it last ended, if it did.
    case released(Ended?)
    /// Control was requested; the sticks must be neutral and the vehicle flying.
    case waitsForNeutral
    /// Setpoints are sent.
    case engaged
    /// No more setpoints; the vehicle is being stopped.
    case stopping(StopReason)

    /// How steering ended.
    package struct Ended: Hashable, Sendable {
        package var reason: StopReason
        /// The outcome of stopping the vehicle.
        package var outcome: StopOutcome

        /// How steering ended.
        package init(_ reason: StopReason, _ outcome: StopOutcome) {
            self.reason = reason
            self.outcome = outcome
        }
    }
}

/// The state machine of control: events in, at most one effect out.
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
/// Only `take` leads towards motion, and only the user sends it: the return of a link, a controller or the focus does not bring
/// control back.
package struct ControlMachine: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// The user requests control.
        case take
        /// The sticks are neutral and the vehicle flies.
        case ready
        /// Steering must end.
        case stop(StopReason)
        /// The run has ended and the attempt to stop the vehicle has its outcome.
        case ended(StopOutcome)
    }

    /// What the caller must do.
    package enum Effect: Hashable, Sendable {
        /// Begin a run of setpoints.
        case begin
        /// End the run, and stop the vehicle if the reason asks for it.
        case end(StopReason)
    }

    package private(set) var state = ControlState.released(nil)

    /// A machine in the released state.
    package init() {}

    /// Handles an event; one without meaning in the current state changes nothing.
    package mutating func handle(_ event: Event) -> Effect? {
        switch (state, event) {
        case (.released, .take):
            state = .waitsForNeutral
            return nil
        case (.waitsForNeutral, .ready):
            state = .engaged
            return .begin
        case (.waitsForNeutral, .stop(let reason)):
            state = .released(.init(reason, .notEngaged))
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
    package var isActive: Bool {
        switch state {
        case .waitsForNeutral, .engaged: true
        case .released, .stopping: false
        }
    }
}
