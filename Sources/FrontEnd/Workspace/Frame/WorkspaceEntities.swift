public import FlightControl
public import ModeKit

/// The link as the bar above every screen shows it; what is not known is `nil`.
public struct LinkBar: Hashable, Sendable {
    /// Which link, as a word.
    public var link: String
    /// Quality in percent: see ``LinkScore``.
    public var percent: Int?
    /// Median and 99th percentile of the round trip: `0.4/0.9 ms`.
    public var roundTrip: String?
    /// Age of the newest telemetry: `12 ms`.
    public var age: String?
    /// Losses up and down in percent: `0 %`.
    public var lossUp: String?
    /// Losses up and down in percent: `0 %`.
    public var lossDown: String?
    /// How good it is in one word of four.
    public var grade: Grade

    /// How good a link is.
    public enum Grade: Hashable, Sendable { case good, fair, poor, lost }

    /// A link of which nothing is known.
    public init(link: String, grade: Grade = .lost) {
        self.link = link
        self.grade = grade
    }
}

/// The vehicle as the bar above every screen shows it.
public struct VehicleBar: Hashable, Sendable {
    /// What a person calls it.
    public var title: String
    /// `2/3` with several, empty with one.
    public var position: String
    /// What it is doing, in words.
    public var state: String
    /// Whether that needs attention.
    public var isAlarming: Bool
    /// `87 % 23.4 V`.
    public var battery: String
    /// Share left, 0 to 1.
    public var batteryShare: Double?
    /// Who has control: `you`, `the pilot`, `a trajectory`...
    public var control: String
    /// Whether another pilot is in command.
    public var isAnothers = false

    /// A vehicle of which nothing is known.
    public init(title: String) {
        self.title = title
        position = ""
        state = "unknown"
        isAlarming = false
        battery = "-"
        control = "-"
    }
}

/// A question over everything else.
public struct Confirmation: Hashable, Sendable {
    /// What is asked.
    public enum Question: Hashable, Sendable { case emergencyLand, quit, commandAll, takeCommand }

    /// What is asked.
    public var question: Question
    /// The dialog's title.
    public var title: String
    /// What will happen.
    public var text: String
    /// What the key `y` does, in a word or two.
    public var action: String
    /// The reason that goes with it and can be changed by typing; `nil` where none is asked for.
    public var reason: String?

    /// A question.
    public init(question: Question, title: String, text: String, action: String, reason: String? = nil) {
        self.reason = reason
        self.question = question
        self.title = title
        self.text = text
        self.action = action
    }
}

/// What the frame around every screen shows.
public struct WorkspaceState: Hashable, Sendable {
    /// The link of the selected vehicle; `nil` when nobody is logged in.
    public var link: LinkBar?
    /// The selected vehicle; `nil` when nobody is logged in.
    public var vehicle: VehicleBar?
    /// Whether commands go to all vehicles.
    public var commandsAll = false
    /// The mode on the stage.
    public var mode = Mode.login
    /// The newest line.
    public var notice: Notice?
    /// The question that is open.
    public var confirmation: Confirmation?

    /// Nobody logged in.
    public init() {}
}

/// What the person did that the frame takes care of.
public enum WorkspaceIntent: Hashable, Sendable {
    /// Stop here, now.
    case hover
    /// Land at once, where it is; asked before it is done.
    case emergencyLand
    /// In command of the vehicle, after a question where another pilot is; given back where nothing is steered.
    case takeCommand
    /// Yes to the open question.
    case confirm
    /// Yes to the open question, for that reason.
    case confirmBecause(String)
    /// No to the open question.
    case decline
    /// The next vehicle.
    case nextVehicle
    /// Commands to all vehicles, or to the selected one again.
    case commandAll
    /// Back to where this mode was opened from.
    case back
    /// End the program.
    case quit
    /// The terminal answers no more.
    case terminalSilent
    /// The program is about to be suspended.
    case suspend
}
