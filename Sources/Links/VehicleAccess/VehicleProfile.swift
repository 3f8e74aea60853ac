internal import UAVCore
public import UAVLink

/// How a vehicle is reached: what a person types once and then calls by name.
public struct VehicleProfile: Hashable, Sendable {
    /// Which way to talk to the vehicle.
    public enum LinkChoice: Hashable, Sendable {
        /// UDP, else TCP; SSH commands only where no companion can be had or reached through the network.
        case automatic
        /// This one only.
        case only(LinkKind)

        /// `auto` or a link's name; `nil` for anything else.
        public init?(word: String) {
            if word == "auto" {
                self = .automatic
            } else if let kind = LinkKind(rawValue: word) {
                self = .only(kind)
            } else {
                return nil
            }
        }

        /// The word for people and scripts.
        public var word: String {
            switch self {
            case .automatic: "auto"
            case .only(let kind): kind.rawValue
            }
        }

        /// Every word that can be typed.
        public static var words: [String] { ["auto"] + LinkKind.allCases.map(\.rawValue) }
    }

    /// What the profile is called.
    public var name: String
    /// Host name or address; `nil` for the companion on this machine, reached without SSH.
    public var host: String?
    /// The SSH port.
    public var port: Int = 22
    /// The SSH user; `nil` for the user who runs the program.
    public var user: String?
    /// The vehicle's name in ROS, for example `uav1`.
    public var vehicle: String = "uav1"
    /// Which way to talk to the vehicle.
    public var link: LinkChoice = .automatic
    /// A shell line run on the vehicle before each command, since non-interactive shells read no start-up files, for
    /// example `source ~/workspace/devel/setup.bash`.
    public var setup: String = ""
    /// The companion's program on the vehicle.
    public var companion: String = "uavlink-companion"
    /// The address on the vehicle at which a companion that is started for this ground listens; `nil` for every one.
    public var bindAddress: String?
    /// Private key files to try, instead of OpenSSH's usual ones.
    public var identities: [String] = []
    /// A file with the password on its first line, that only its user can read; `nil` for keys and agents.
    public var passwordFile: String?
    /// The known hosts file; `nil` for `~/.ssh/known_hosts`.
    public var knownHosts: String?
    /// The ROS master for the link `ros`; `nil` for `ROS_MASTER_URI`.
    public var rosMaster: String?
    /// The `std_srvs/Trigger` service that takes a picture, below the vehicle's name.
    public var snapshotService: String = Command.usualSnapshotService

    /// A profile of that name with every default.
    public init(name: String) { self.name = name }

    /// Command lines for this vehicle.
    var commandLines: ROSCommandLines {
        get throws(LinkError) { ROSCommandLines(names: try VehicleNames(vehicle: vehicle), setup: setup) }
    }

    /// Whether the vehicle is reached on this machine, without SSH.
    public var isLocal: Bool { host == nil }
}
