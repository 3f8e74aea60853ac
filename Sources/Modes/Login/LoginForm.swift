public import SSHTransport
public import VehicleAccess

/// A password as typed; never printed.
public struct TypedPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The typed text.
    public var text: String

    /// Creates a password.
    public init(_ text: String = "") { self.text = text }

    /// The password for a log-in; `nil` when nothing was typed.
    public var secret: SSHSecret? { text.isEmpty ? nil : SSHSecret(text) }

    /// A fixed placeholder.
    public var description: String { "(secret)" }
    /// A fixed placeholder.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The parts of the log-in screen that can have the focus, in Tab order.
public enum LoginField: Hashable, Sendable, CaseIterable {
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

    /// Whether it is a text field.
    public var isText: Bool {
        switch self {
        case .address, .port, .user, .password, .vehicle, .saveAs: true
        case .list, .link, .storePassword: false
        }
    }
}

/// The unchecked input of the user; ``request(knownNames:)`` checks it.
public struct LoginForm: Hashable, Sendable {
    /// Host name or address; empty for the companion on this machine.
    public var address = ""
    /// The SSH port.
    public var port = "22"
    /// The SSH user; empty for the local user's name.
    public var user = ""
    /// The password; empty for keys and agents.
    public var password = TypedPassword()
    /// The vehicle's name, or its number.
    public var vehicle = "uav1"
    /// The link to use.
    public var link = VehicleProfile.LinkChoice.automatic
    /// The name under which the vehicle is saved after the log-in; empty to not save it.
    public var saveAs = ""
    /// Whether the password is stored with it.
    public var storesPassword = false
    /// The profile that provides all settings without a field.
    public var base: VehicleProfile
    /// Whether `base` is in the configuration file.
    public var isSaved: Bool

    /// An empty form.
    public init() { self.init(VehicleProfile(name: ""), isSaved: false) }

    /// A form filled in from a profile.
    public init(_ profile: VehicleProfile, isSaved: Bool) {
        base = profile
        self.isSaved = isSaved
        address = profile.host ?? ""
        port = String(profile.port)
        user = profile.user ?? ""
        vehicle = profile.vehicle
        link = profile.link
    }

    /// The text of a field; empty for the password and for fields without text.
    public func text(of field: LoginField) -> String {
        switch field {
        case .address: address
        case .port: port
        case .user: user
        case .vehicle: vehicle
        case .saveAs: saveAs
        case .password, .list, .link, .storePassword: ""
        }
    }

    /// Sets the text of a field; does nothing for the password and for fields without text.
    public mutating func set(_ field: LoginField, to text: String) {
        switch field {
        case .address: address = text
        case .port: port = text
        case .user: user = text
        case .vehicle: vehicle = text
        case .saveAs: saveAs = text
        case .password, .list, .link, .storePassword: break
        }
    }
}

/// A problem with a field of the form.
public struct LoginProblem: Error, Hashable, Sendable {
    /// The field.
    public var field: LoginField
    /// The problem, in a few words.
    public var what: String

    /// Creates a problem.
    public init(_ field: LoginField, _ what: String) {
        self.field = field
        self.what = what
    }
}

/// The checked contents of a form.
public struct LoginRequest: Sendable {
    /// The vehicle and how to connect to it.
    public var profile: VehicleProfile
    /// The password; `nil` for keys and agents, or for the profile's password file.
    public var password: SSHSecret?
    /// What to write to the configuration file after the log-in.
    public var saving: Saving

    /// What to write to the configuration file after the log-in.
    public enum Saving: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// The vehicle, and its password if requested.
        case vehicle(withPassword: Bool)
        /// The password of a vehicle that is already saved.
        case password
    }

    /// Creates a request.
    public init(profile: VehicleProfile, password: SSHSecret? = nil, saving: Saving = .nothing) {
        self.profile = profile
        self.password = password
        self.saving = saving
    }
}
