internal import FlightControl
internal import ModeKit
internal import ReportKit
package import UAVLink

/// Why steering ended.
package enum StopReason: Hashable, Sendable {
    /// The user released control.
    case controlReleased
    /// The user pressed the hover key or the controller's hover button.
    case hover
    /// The screen was left.
    case leftScreen
    /// The terminal lost the focus: key releases would go elsewhere.
    case focusLost
    /// The program is about to be suspended.
    case suspended
    /// The terminal no longer answers: key releases would not arrive.
    case terminalSilent
    /// A global stop key (hover, emergency landing); it sends its command itself.
    case stopKey
    /// The front end did not run for this long: suspended, or the machine stalled.
    case frontEndStalled(Duration)
    /// The link failed.
    case linkLost(String)
    /// Control authority was lost or could not be taken: another pilot, or the lease expired.
    case authorityLost(String)
    /// The game controller was unplugged.
    case controllerDisconnected
    /// Another vehicle was selected.
    case otherVehicle
    /// The vehicle does not fly or no longer flies; its current action continues.
    case notFlying(FlightState)
    /// A pilot flies the vehicle by radio.
    case flownByRadio
    /// The user gave a command that itself moves the vehicle or ends the flight.
    case command(Command)

    /// Whether to stop the vehicle. Not while it lands or executes another command: hover would interrupt that.
    package var stopsVehicle: Bool {
        switch self {
        case .controlReleased, .hover, .leftScreen, .focusLost, .suspended, .terminalSilent, .frontEndStalled,
            .linkLost,
            .controllerDisconnected, .otherVehicle:
            true
        // The new pilot, the companion, or the command itself has already determined what the vehicle does.
        case .notFlying, .flownByRadio, .stopKey, .authorityLost: false
        case .command(let command): command == .hover
        }
    }

    /// Whether the user asked for hover, which is sent regardless of who has control authority.
    var isUserHover: Bool {
        switch self {
        case .hover, .command(.hover): true
        default: false
        }
    }

    /// Whether the user ended steering on purpose.
    package var isWanted: Bool {
        switch self {
        case .controlReleased, .hover, .leftScreen, .stopKey, .command: true
        default: false
        }
    }

    /// Whether it says who has control authority, and that is no longer so: it would be taken for the state of now.
    ///
    /// - Parameter status: who has it now; `nil` if that is not known.
    package func isOver(knowing status: ControlStatus?) -> Bool {
        guard case .authorityLost(let why) = self, let status else { return false }
        guard let pilot = status.pilot else { return why.contains("control authority") && !why.hasPrefix("no pilot") }
        return pilot.isYou
    }

    /// The reason as text; follows "steering ended: ".
    package var words: String {
        switch self {
        case .controlReleased: "you released control"
        case .hover: "the hover key"
        case .leftScreen: "the screen was left"
        case .focusLost: "the terminal lost focus"
        case .suspended: "the program was suspended"
        case .terminalSilent: "the terminal no longer answers"
        case .stopKey: "a stop key"
        case .frontEndStalled(let duration): "this program stalled for \(Int(saturating: duration.inMilliseconds)) ms"
        case .linkLost(let why): "the link failed (\(why.sanitizedLine))"
        case .authorityLost(let why): ControlAuthorityClient.onScreen(why.sanitizedLine)
        case .controllerDisconnected: "the game controller was unplugged"
        case .otherVehicle: "another vehicle was selected"
        case .notFlying(let state): "the vehicle is not flying (\(state.words))"
        case .flownByRadio: "the vehicle is flown by radio"
        case .command(let command): "you commanded \(command.name)"
        }
    }
}

extension FlightState {
    /// The text for the user.
    var words: String { self == .takingOff ? "taking off" : word }
}

/// The outcome of stopping the vehicle at the end of a run: by hover, or by releasing control authority.
package enum StopOutcome: Hashable, Sendable {
    /// Control never engaged.
    case notEngaged
    /// No stop was required.
    case notStopped
    /// The vehicle accepted hover; with the round trip.
    case accepted(Duration)
    /// The vehicle was braked by releasing control authority; with the round trip.
    case braked(Duration)
    /// The vehicle refused hover; with its message.
    case refused(String)
    /// No answer. The vehicle stops by itself when setpoints end (the lease).
    case unanswered(String)
}

extension StopOutcome {
    /// That the vehicle was stopped, for a notice; `nil` if it was not.
    var success: String? {
        switch self {
        case .accepted(let trip): "hover accepted in \(trip.inMilliseconds.formatted(decimals: 1)) ms"
        case .braked(let trip): "braked, confirmed in \(trip.inMilliseconds.formatted(decimals: 1)) ms"
        case .notEngaged, .notStopped, .refused, .unanswered: nil
        }
    }
}

extension StopReason {
    /// The reason for a run that failed.
    init(_ failure: LinkError) {
        self = failure.code == .notInCommand ? .authorityLost(failure.what) : .linkLost(failure.what)
    }

    /// The reason for a stop from outside the mode.
    init(_ cause: StopCause) {
        switch cause {
        case .user: self = .stopKey
        case .terminalSilent: self = .terminalSilent
        case .suspended: self = .suspended
        case .otherVehicle: self = .otherVehicle
        case .command(let command): self = .command(command)
        }
    }
}
