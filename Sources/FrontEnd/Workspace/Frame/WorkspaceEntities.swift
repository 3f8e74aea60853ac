package import FlightControl
package import ModeKit
package import UAVLink

/// The link's part of the bar above every screen; unknown values are `nil`.
package struct LinkBar: Hashable, Sendable {
    /// The name of the link.
    package var link: String
    /// Quality in percent: see ``LinkScore``.
    package var percent: Int?
    /// The median of the round trip, and the 99th percentile where it is much longer: `12 ms`, `12 ms (p99 300)`.
    package var roundTrip: String?
    /// Age of the newest telemetry: `12 ms`.
    package var age: String?
    /// The loss from ground to vehicle: `0 %`.
    package var lossUp: String?
    /// The loss from vehicle to ground: `0 %`.
    package var lossDown: String?
    package var grade: Grade

    /// The grades of a link.
    package enum Grade: Hashable, Sendable { case good, fair, poor, silent, lost }

    /// A link without known values.
    package init(link: String, grade: Grade = .lost) {
        self.link = link
        self.grade = grade
    }
}

/// The vehicle's part of the bar above every screen.
package struct VehicleBar: Hashable, Sendable {
    /// The vehicle's title.
    package var title: String
    /// The position among several vehicles, `2/3`; empty with one.
    package var position: String
    /// What the vehicle does: the flight state as text.
    package var state: String
    /// Whether the flight state needs attention.
    package var isAlarming: Bool
    /// Charge and voltage: `87 % 23.4 V`.
    package var battery: String
    /// The remaining charge, 0 to 1.
    package var batteryShare: Double?
    /// Who has control: `you, 12.3 s`, `anna@laptop, 12.3 s`, `radio`, `nobody`; never what the vehicle does.
    package var control: String
    /// What the vehicle does, as telemetry last said.
    package var flight = FlightState.unknown
    /// Whether a pilot flies it by radio: its flight state is then no more than armed, also in the air.
    package var radio = RadioFlight.no
    /// Whether its link is lost: what it does is what was last heard.
    package var isLinkLost = false
    /// Why it would not take off; `nil` if it may.
    package var takeOffObstacle: String?
    /// Whether it flies and takes no references, as after an emergency hover or an interrupted landing.
    package var takesNoReferences = false
    /// Whether a take-off clears its emergency.
    package var takeOffClearsEmergency = false
    /// Whether all vehicles are commanded, and one of them would take off.
    package var othersTakeOff = false
    /// Whether its link has control authority, which one pilot has at a time.
    package var hasControlAuthority = false
    /// Whether it is driven by text.
    package var isDrivenByText = false
    /// Whether the flight is recorded.
    package var isRecorded = false
    /// Whether it is the simulated vehicle.
    package var isSimulated = false
    /// Whether another pilot has control authority.
    package var isControlledByOther = false
    /// What the vehicle can do.
    package var capabilities = VehicleCapabilities.mrs
    /// Whether it is reached by its own protocol.
    package var isReachedDirectly = false
    /// Whether a commanded vehicle has an emergency landing.
    package var hasEmergency = true
    /// Whether the motors of all commanded vehicles are off and stay so: F7 and F8 are sent, but would do nothing.
    package var hasNothingToStop = false
    /// What F7 does on it: what drives on the ground does not hover.
    var stopAction: String { isDrivenByText ? "stop" : "hover" }
    /// What F8 does on it, after confirmation.
    var emergencyAction: String {
        capabilities.emergencyStopsMotors ? "emergency: stop the motors" : "emergency landing"
    }

    /// A vehicle without known values.
    package init(title: String) {
        self.title = title
        position = ""
        state = "unknown"
        isAlarming = false
        battery = "-"
        control = "-"
    }
}

/// A confirmation dialog, shown over everything else.
package struct Confirmation: Hashable, Sendable {
    package enum Question: Hashable, Sendable { case emergencyLand, quit, commandAll, takeCommand, fly(FlightAction) }

    package var question: Question
    /// The dialog's title.
    package var title: String
    /// The consequences.
    package var text: String
    /// The action of the key `y`, in a word or two.
    package var action: String
    /// What the key `n` leaves as it is, in a word or two; `nil` for the usual words of the question.
    package var otherwise: String?
    /// The reason to send, which the user can edit; `nil` when none is required.
    package var reason: String?

    package init(
        question: Question, title: String, text: String, action: String, otherwise: String? = nil,
        reason: String? = nil
    ) {
        self.otherwise = otherwise
        self.reason = reason
        self.question = question
        self.title = title
        self.text = text
        self.action = action
    }
}

/// A line of the palette that could not be carried out: the palette has it again, with the reason, to be corrected.
package struct RefusedLine: Hashable, Sendable {
    /// The line as typed; `nil` for the one that was run last.
    package var text: String?
    /// Why it could not be carried out.
    package var reason: String
    /// Counts the refusals: the same line may be refused again.
    package var number: Int

    package init(text: String?, reason: String, number: Int) {
        (self.text, self.reason, self.number) = (text, reason, number)
    }
}

/// A notice that was shown.
package struct PastNotice: Hashable, Sendable {
    /// When, since the start of the program: `0:12:03`.
    package var time: String
    package var notice: Notice

    package init(_ notice: Notice, at time: String) { (self.notice, self.time) = (notice, time) }
}

/// The screen state of the workspace.
package struct WorkspaceState: Hashable, Sendable {
    /// The link of the selected vehicle; `nil` when no vehicle is logged in.
    package var link: LinkBar?
    /// The selected vehicle; `nil` when no vehicle is logged in.
    package var vehicle: VehicleBar?
    /// Whether commands go to all vehicles.
    package var commandsAll = false
    /// The open mode.
    package var mode = Mode.login
    /// The newest notice.
    package var notice: Notice?
    /// The notices so far, newest first.
    package var history: [PastNotice] = []
    /// What is waited for after a flight command: `goto: 3.2 m to go`.
    package var activity: String?
    /// The open confirmation dialog.
    package var confirmation: Confirmation?
    /// The last line of the palette that could not be carried out; `nil` if the one after it was.
    package var refusedLine: RefusedLine?

    /// The state without a vehicle.
    package init() {}
}

/// The user's intents that the workspace handles.
package enum WorkspaceIntent: Hashable, Sendable {
    /// Hover.
    case hover
    /// Land immediately at the current position, after a confirmation.
    case emergencyLand
    /// A flight command; take-off, return home and disarming after a confirmation.
    case fly(FlightAction)
    /// Record the selected vehicle: to a file, to a folder, or if empty to the working directory.
    case record(String)
    /// End its recording.
    case stopRecording
    /// Open another mode.
    case open(Mode)
    /// Request control authority, after a confirmation if another pilot has it; release it if the user has it and does not steer.
    case takeCommand
    /// Confirm the open dialog.
    case confirm
    /// Confirm the open dialog with this reason.
    case confirmWithReason(String)
    /// Decline the open dialog.
    case decline
    /// Select the next vehicle.
    case nextVehicle
    /// Send commands to all vehicles, or only to the selected one again.
    case commandAll
    /// Go back to the menu or the log-in.
    case back
    /// Quit the program.
    case quit
    /// The terminal no longer answers.
    case terminalSilent
    /// The program is about to be suspended.
    case suspend
}

extension Mode {
    /// The name of the mode, as in the bar above it.
    var title: String {
        switch self {
        case .login: "Log-in"
        case .menu: "Menu"
        case .joystick: "Joystick"
        case .telemetry: "Telemetry"
        case .mapTrajectory: "Map trajectory"
        case .indoor: "Indoor"
        case .terminal: "Terminal"
        case .latencyLab: "Latency"
        case .robot: "Robot"
        case .flightPlan: "Flight plan"
        }
    }
}
