internal import ModeKit
internal import ReportKit
public import UAVLink

/// Why steering ended.
public enum StopReason: Hashable, Sendable {
    /// The person gave control back.
    case givenBack
    /// The person pressed the hover key or the controller's hover button.
    case hover
    /// The screen was left.
    case leftScreen
    /// The terminal lost the focus: its key-ups would go elsewhere.
    case focusLost
    /// The program is about to be suspended.
    case suspended
    /// The terminal answers no more: nobody could tell that a key was let go of.
    case terminalSilent
    /// A key that works everywhere (hover, emergency landing); it commands what is to be done by itself.
    case stopKey
    /// The front end stood still for so long: suspended, or a machine that hung.
    case stoodStill(Duration)
    /// The link failed.
    case linkLost(String)
    /// Command was lost, or could not be taken: to another pilot, to the lease.
    case commandLost(String)
    /// The game controller was unplugged.
    case controllerGone
    /// Another vehicle was selected.
    case otherVehicle
    /// The vehicle does not fly (any more); what it does instead goes on.
    case notFlying(FlightState)
    /// The person asked for a command that moves or ends the flight itself.
    case command(Command)

    /// Whether the vehicle is to be stopped. Not where the vehicle lands or is told something else: hover would break that off.
    public var stopsVehicle: Bool {
        switch self {
        case .givenBack, .hover, .leftScreen, .focusLost, .suspended, .terminalSilent, .stoodStill, .linkLost,
            .controllerGone, .otherVehicle:
            true
        // Who flies now, or the vehicle's end by itself, has done what there was to do.
        case .notFlying, .stopKey, .commandLost: false
        case .command(let command): command == .hover
        }
    }

    /// Whether the person asked for hover: that goes to the vehicle, whoever flies it.
    var isPersonsHover: Bool {
        switch self {
        case .hover, .command(.hover): true
        default: false
        }
    }

    /// Whether the person wanted it.
    public var isWanted: Bool {
        switch self {
        case .givenBack, .hover, .leftScreen, .stopKey, .command: true
        default: false
        }
    }

    /// Why, for a person: goes on after "stopped: ".
    public var words: String {
        switch self {
        case .givenBack: "you gave control back"
        case .hover: "the hover key"
        case .leftScreen: "the screen was left"
        case .focusLost: "the terminal lost the focus"
        case .suspended: "the program was suspended"
        case .terminalSilent: "the terminal answers no more"
        case .stopKey: "F7 or F8"
        case .stoodStill(let duration): "this program stood still for \(Int(saturating: duration.inMilliseconds)) ms"
        case .linkLost(let why): "the link failed (\(why.harmlessLine))"
        case .commandLost(let why): why.harmlessLine
        case .controllerGone: "the game controller was unplugged"
        case .otherVehicle: "another vehicle was selected"
        case .notFlying(let state): "the vehicle is not flying (\(state.words))"
        case .command(let command): "you asked for \(command.name)"
        }
    }
}

extension FlightState {
    /// The word for people.
    var words: String { self == .takingOff ? "taking off" : word }
}

/// What became of stopping the vehicle at the end of a run of steering: by hover, or by giving command back.
public enum StopOutcome: Hashable, Sendable {
    /// It was not to be stopped.
    case notStopped
    /// The vehicle accepted hover after so long.
    case accepted(Duration)
    /// Command was given back, which was answered after so long: the vehicle is braked.
    case braked(Duration)
    /// The vehicle refused hover; the text is its own.
    case refused(String)
    /// No answer could be had. The vehicle's end hovers by itself when setpoints stop (the lease).
    case unanswered(String)
}

extension StopReason {
    /// Why, when a run of setpoints failed.
    init(_ failure: LinkError) {
        self = failure.code == .notInCommand ? .commandLost(failure.what) : .linkLost(failure.what)
    }

    /// Why, when motion is ended from outside of the module.
    init(_ cause: StopCause) {
        switch cause {
        case .person: self = .stopKey
        case .terminalSilent: self = .terminalSilent
        case .suspended: self = .suspended
        case .otherVehicle: self = .otherVehicle
        }
    }
}
