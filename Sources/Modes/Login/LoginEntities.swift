internal import UAVLink
package import VehicleAccess

/// An entry of the list of vehicles.
package enum LoginChoice: Hashable, Sendable {
    /// A vehicle of the configuration file.
    case saved(VehicleProfile)
    /// The vehicle given on the command line.
    case named(VehicleProfile)
    /// The companion on this machine for that vehicle.
    case thisMachine(vehicle: String)
    /// The simulator in this process.
    case simulator
    /// A vehicle whose address is typed.
    case other

    /// The form filled in from this entry.
    package var form: LoginForm {
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

    /// The title in the list.
    package var title: String {
        switch self {
        case .saved(let profile): profile.name
        case .named(let profile):
            profile.host ?? profile.link.machine?.text
                ?? (profile.link == .only(.sim)
                    ? VehicleProfile.simulatedName : profile.isNameless ? "this machine" : profile.name)
        case .thisMachine: "this machine"
        case .simulator: "simulator"
        case .other: "another vehicle"
        }
    }

    /// The detail beside the title.
    package var detail: String {
        switch self {
        case .saved(let profile) where profile.link == .only(.sim): Self.simulator.detail
        case .saved(let profile): profile.host ?? profile.link.machine?.text ?? "this machine"
        case .named: "command line"
        case .thisMachine(let vehicle): vehicle
        case .simulator: "built in"
        case .other: ""
        }
    }
}

extension VehicleProfile {
    /// Whether it is of no vehicle with a name of its own: the companion on this machine.
    fileprivate var isNameless: Bool { name == "local" }
}

/// A dialog over the log-in.
package struct LoginDialog: Hashable, Sendable {
    package var title: String
    /// The text, by paragraph.
    package var paragraphs: [String]
    /// What to do; may be empty.
    package var advice: String
    /// What `y` does; `nil` when the dialog only informs.
    package var yes: String?
    /// What `n` and Esc do.
    package var no: String
    /// The line that is typed as the answer; `nil` if yes or no is.
    package var entry: LoginEntry?

    package init(
        title: String, paragraphs: [String], advice: String = "", yes: String? = nil, no: String = "close",
        entry: LoginEntry? = nil
    ) {
        self.title = title
        self.paragraphs = paragraphs
        self.advice = advice
        self.yes = yes
        self.no = no
        self.entry = entry
    }
}

/// A line that is typed in a dialog.
package struct LoginEntry: Hashable, Sendable {
    /// Whether it is displayed as dots.
    package var isHidden: Bool
    /// Another number begins an empty line.
    package var number: Int

    package init(isHidden: Bool, number: Int) {
        self.isHidden = isHidden
        self.number = number
    }
}

/// The screen state of the log-in.
package struct LoginScreenState: Hashable, Sendable {
    /// The list of vehicles.
    package var choices: [LoginChoice] = [.simulator, .other]
    /// The index of the selected one.
    package var chosen = 1
    /// The form's contents.
    package var form = LoginForm()
    /// The field with the focus.
    package var focus = LoginField.address
    /// The problem with a field, if there is one.
    package var problem: LoginProblem?
    /// The help for the field with the focus.
    package var help = ""
    /// A hint for a new user; `nil` when not needed.
    package var advice: String?
    /// The steps of the current or last log-in; `nil` before the first.
    package var steps: LoginSteps?
    /// The seconds since the log-in in progress began.
    package var secondsWaited = 0
    /// Whether a log-in is in progress.
    package var isLoggingIn = false
    /// The open dialog.
    package var dialog: LoginDialog?

    package init() {}

    /// Whether the marked entry is the one whose address is typed: it needs one, and the others do not.
    package var isOther: Bool { choices.indices.contains(chosen) && choices[chosen] == .other }
}

/// The user's intents in the log-in.
package enum LoginIntent: Hashable, Sendable {
    /// Focus a field.
    case focus(LoginField)
    /// Focus the next (1) or previous (-1) field.
    case moveFocus(Int)
    /// Move up (-1) or down (1) in the list.
    case moveChoice(Int)
    /// Select a vehicle of the list.
    case choose(Int)
    /// Letters typed while the list has the focus: begin the address of another vehicle.
    case typeAddress(String)
    /// Change a field's text; not for the password.
    case edit(LoginField, String)
    /// Change the password.
    case editPassword(TypedPassword)
    /// Select the next (1) or previous (-1) link.
    case changeLink(Int)
    /// Toggle storing the password.
    case toggleStoring
    /// Show the further fields, or hide them.
    case toggleMore
    /// Log in.
    case logIn
    /// Answer a dialog with yes.
    case yes
    /// Answer a dialog with a line.
    case answer(TypedPassword)
    /// Close a dialog or answer it with no, cancel the log-in, or go back.
    case cancel
}
