public import SSHTransport
public import VehicleAccess

/// A password as a person types it: never printed.
public struct TypedPassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// What was typed.
    public var text: String

    /// A password.
    public init(_ text: String = "") { self.text = text }

    /// The password for a log-in; `nil` when nothing was typed.
    public var secret: SSHSecret? { text.isEmpty ? nil : SSHSecret(text) }

    /// Always the same word.
    public var description: String { "(secret)" }
    /// Always the same word.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The parts of the log-in screen that can have the focus, in the order of Tab.
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
    /// The name to save the vehicle by.
    case saveAs
    /// Whether the password is stored, too.
    case storePassword

    /// Whether letters go into it.
    public var isText: Bool {
        switch self {
        case .address, .port, .user, .password, .vehicle, .saveAs: true
        case .list, .link, .storePassword: false
        }
    }
}

/// What a person has typed and chosen, as it is; ``request(knownNames:)`` makes sense of it.
public struct LoginForm: Hashable, Sendable {
    /// Host name or address; empty for the companion on this machine.
    public var address = ""
    /// The SSH port.
    public var port = "22"
    /// The SSH user; empty for whoever runs the program.
    public var user = ""
    /// The password; empty for keys and agents.
    public var password = TypedPassword()
    /// The vehicle's name, or its number.
    public var vehicle = "uav1"
    /// The link to use.
    public var link = VehicleProfile.LinkChoice.automatic
    /// By which name the vehicle is saved after the log-in; empty when it is not.
    public var saveAs = ""
    /// Whether the password is stored with it.
    public var storesPassword = false
    /// Where everything comes from that has no field of its own.
    public var base: VehicleProfile
    /// Whether `base` stands in the configuration file.
    public var isSaved: Bool

    /// A form with nothing in it.
    public init() { self.init(VehicleProfile(name: ""), isSaved: false) }

    /// A form that says what a profile says.
    public init(_ profile: VehicleProfile, isSaved: Bool) {
        base = profile
        self.isSaved = isSaved
        address = profile.host ?? ""
        port = String(profile.port)
        user = profile.user ?? ""
        vehicle = profile.vehicle
        link = profile.link
    }

    /// The text of a field; empty for what is no text, and for the password.
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

    /// Puts text into a field; nothing happens for what is no text, and for the password.
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

/// Why a form cannot be used, and which field it is about.
public struct LoginProblem: Error, Hashable, Sendable {
    /// The field.
    public var field: LoginField
    /// What is wrong with it, in a few words.
    public var what: String

    /// Why a form cannot be used.
    public init(_ field: LoginField, _ what: String) {
        self.field = field
        self.what = what
    }
}

/// What a form asks for, checked.
public struct LoginRequest: Sendable {
    /// The vehicle and how it is reached.
    public var profile: VehicleProfile
    /// The password; `nil` for keys and agents, or the profile's own password file.
    public var password: SSHSecret?
    /// What is written into the configuration file after the log-in.
    public var saving: Saving

    /// What is written into the configuration file after the log-in.
    public enum Saving: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// The vehicle, and its password when asked for.
        case vehicle(withPassword: Bool)
        /// The password of a vehicle that is there already.
        case password
    }

    /// What a form asks for.
    public init(profile: VehicleProfile, password: SSHSecret? = nil, saving: Saving = .nothing) {
        self.profile = profile
        self.password = password
        self.saving = saving
    }
}
