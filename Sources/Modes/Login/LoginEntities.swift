internal import UAVLink
public import VehicleAccess

/// A vehicle that can be chosen from the list.
public enum LoginChoice: Hashable, Sendable {
    /// One of the configuration file.
    case saved(VehicleProfile)
    /// The one that was named on the command line.
    case named(VehicleProfile)
    /// The companion on this machine, for that vehicle.
    case thisMachine(vehicle: String)
    /// A simulator in this process.
    case simulator
    /// One whose address is typed.
    case other

    /// The form that it fills in.
    public var form: LoginForm {
        switch self {
        case .saved(let profile): return LoginForm(profile, isSaved: true)
        case .named(let profile): return LoginForm(profile, isSaved: false)
        case .thisMachine(let vehicle):
            var form = LoginForm()
            form.vehicle = vehicle
            return form
        case .simulator:
            var form = LoginForm()
            form.link = .only(.sim)
            return form
        case .other: return LoginForm()
        }
    }

    /// What it is called in the list.
    public var title: String {
        switch self {
        case .saved(let profile): profile.name
        case .named(let profile): profile.host ?? profile.link.word
        case .thisMachine: "this machine"
        case .simulator: "simulator"
        case .other: "another vehicle"
        }
    }

    /// What there is to say of it beside its name.
    public var detail: String {
        switch self {
        case .saved(let profile): profile.host ?? "this machine"
        case .named: "as typed"
        case .thisMachine(let vehicle): vehicle
        case .simulator: "built in"
        case .other: ""
        }
    }
}

/// Something that stands before the log-in until it is answered.
public struct LoginDialog: Hashable, Sendable {
    /// What it is about.
    public var title: String
    /// What is so, a paragraph each.
    public var paragraphs: [String]
    /// What to do about it; may be empty.
    public var advice: String
    /// What `y` does; `nil` when there is nothing to decide.
    public var yes: String?
    /// What `n` and Esc do.
    public var no: String

    /// Something that stands before the log-in.
    public init(title: String, paragraphs: [String], advice: String = "", yes: String? = nil, no: String = "close") {
        self.title = title
        self.paragraphs = paragraphs
        self.advice = advice
        self.yes = yes
        self.no = no
    }
}

/// What the log-in shows.
public struct LoginScreenState: Hashable, Sendable {
    /// The vehicles to choose from.
    public var choices: [LoginChoice] = [.simulator, .other]
    /// Which of them is chosen.
    public var chosen = 1
    /// What is typed and chosen.
    public var form = LoginForm()
    /// What has the focus.
    public var focus = LoginField.address
    /// What is wrong with a field.
    public var problem: LoginProblem?
    /// What the field with the focus is for.
    public var help = ""
    /// What a new person does next; `nil` when that is known.
    public var advice: String?
    /// How far the log-in is, or how far the last one came; `nil` before the first.
    public var steps: LoginSteps?
    /// Whether one is under way.
    public var isLoggingIn = false
    /// What stands before it all.
    public var dialog: LoginDialog?

    /// An empty form.
    public init() {}
}

/// What the person did in the log-in.
public enum LoginIntent: Hashable, Sendable {
    /// Went to a field.
    case focus(LoginField)
    /// Went on (1) or back (-1).
    case moveFocus(Int)
    /// Went up (-1) or down (1) in the list.
    case moveChoice(Int)
    /// Chose a vehicle of the list.
    case choose(Int)
    /// Typed letters while the list had the focus: the address of another vehicle begins.
    case typeAddress(String)
    /// Changed a field's text; never the password's.
    case edit(LoginField, String)
    /// Changed the password.
    case editPassword(TypedPassword)
    /// Took the next (1) or the one before (-1) of the links.
    case changeLink(Int)
    /// Turned storing the password on or off.
    case toggleStoring
    /// Wants in.
    case logIn
    /// Answered a dialog with yes.
    case yes
    /// Closed a dialog or answered it with no, cancelled the log-in, or wants to go back.
    case cancel
}
