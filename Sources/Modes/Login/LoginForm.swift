package import SSHTransport
package import VehicleAccess

/// A password as typed; never printed.
package struct TypedPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The typed text.
    package var text: String

    package init(_ text: String = "") { self.text = text }

    /// The password for a log-in; `nil` when nothing was typed.
    package var secret: SSHSecret? { text.isEmpty ? nil : SSHSecret(text) }

    /// What was typed as the answer to a prompt, also if that is nothing.
    var line: SSHSecret { SSHSecret(text) }

    /// A fixed placeholder.
    package var description: String { "(secret)" }
    /// A fixed placeholder.
    package var debugDescription: String { description }
    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The parts of the log-in screen that can have the focus, in Tab order.
package enum LoginField: Hashable, Sendable, CaseIterable {
    /// The list of vehicles.
    case list
    /// Host name or address.
    case address
    /// The SSH port.
    case port
    /// The SSH user.
    case user
    /// The password.
    case password
    /// The vehicle's number or name.
    case vehicle
    /// The link to use.
    case link
    /// The name to save the vehicle under.
    case saveAs
    /// Whether to store the password.
    case storePassword
    /// Whether the fields below are shown.
    case more
    /// The private key files.
    case identity
    /// The shell line before each command on the vehicle.
    case setup
    /// The companion's program on the vehicle.
    case companion

    /// Whether it is a text field.
    package var isText: Bool {
        switch self {
        case .address, .port, .user, .password, .vehicle, .saveAs, .identity, .setup, .companion: true
        case .list, .link, .storePassword, .more: false
        }
    }

    /// Whether most vehicles do without it.
    var isFurther: Bool {
        switch self {
        case .identity, .setup, .companion: true
        default: false
        }
    }
}

/// The unchecked input of the user; ``request(knownNames:)`` checks it.
package struct LoginForm: Hashable, Sendable {
    /// Host name or address; empty for the companion on this machine.
    package var address = ""
    /// The SSH port.
    package var port = "22"
    /// The SSH user; empty for the local user's name.
    package var user = ""
    /// The password; empty for keys and agents.
    package var password = TypedPassword()
    /// The vehicle's name, or its number.
    package var vehicle = "uav1"
    /// The link to use.
    package var link = VehicleProfile.LinkChoice.automatic
    /// The name under which the vehicle is saved after the log-in; empty to not save it.
    package var saveAs = ""
    /// Whether the password is stored with it.
    package var storesPassword = false
    /// Whether the further fields are shown.
    package var showsMore = false
    /// Private key files, separated by commas; empty for OpenSSH's usual ones.
    package var identity = ""
    /// The shell line before each command on the vehicle; empty: ROS is searched there.
    package var setup = ""
    /// The companion's program on the vehicle; empty for the usual one on the `PATH`.
    package var companion = ""
    /// The profile that provides all settings without a field.
    package var base: VehicleProfile
    /// Whether `base` is in the configuration file.
    package var isSaved: Bool

    package init() { self.init(VehicleProfile(name: ""), isSaved: false) }

    /// A form filled in from a profile.
    package init(_ profile: VehicleProfile, isSaved: Bool) {
        base = profile
        self.isSaved = isSaved
        address = profile.host ?? ""
        port = String(profile.port)
        user = profile.user ?? ""
        vehicle = profile.vehicle
        link = profile.link
        identity = profile.identities.joined(separator: ", ")
        setup = profile.setup
        companion = profile.companion == VehicleProfile.usualCompanion ? "" : profile.companion
    }

    /// The fields that are shown, in Tab order.
    package var fields: [LoginField] { LoginField.allCases.filter { showsMore || !$0.isFurther } }

    /// The text of a field; empty for the password and for fields without text.
    package func text(of field: LoginField) -> String {
        switch field {
        case .address: address
        case .port: port
        case .user: user
        case .vehicle: vehicle
        case .saveAs: saveAs
        case .identity: identity
        case .setup: setup
        case .companion: companion
        case .password, .list, .link, .storePassword, .more: ""
        }
    }

    /// Sets the text of a field; does nothing for the password and for fields without text.
    package mutating func set(_ field: LoginField, to text: String) {
        switch field {
        case .address: address = text
        case .port: port = text
        case .user: user = text
        case .vehicle: vehicle = text
        case .saveAs: saveAs = text
        case .identity: identity = text
        case .setup: setup = text
        case .companion: companion = text
        case .password, .list, .link, .storePassword, .more: break
        }
    }
}

/// A problem with a field of the form.
package struct LoginProblem: Error, Hashable, Sendable {
    package var field: LoginField
    /// The problem, in a few words.
    package var what: String

    package init(_ field: LoginField, _ what: String) {
        self.field = field
        self.what = what
    }
}

/// The checked contents of a form.
package struct LoginRequest: Sendable {
    /// The vehicle and how to connect to it.
    package var profile: VehicleProfile
    /// The password; `nil` for keys and agents, or for the profile's password file.
    package var password: SSHSecret?
    /// What to write to the configuration file after the log-in.
    package var saving: Saving

    /// What to write to the configuration file after the log-in.
    package enum Saving: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// The vehicle, and its password if requested.
        case vehicle(withPassword: Bool)
        /// The password of a vehicle that is already saved.
        case password
    }

    package init(profile: VehicleProfile, password: SSHSecret? = nil, saving: Saving = .nothing) {
        self.profile = profile
        self.password = password
        self.saving = saving
    }
}
