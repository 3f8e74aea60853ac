package import UAVLink

/// How a vehicle is reached; configured once and then referred to by name.
package struct VehicleProfile: Hashable, Sendable {
    /// Which link to use.
    package enum LinkChoice: Hashable, Sendable {
        /// UDP, else TCP; SSH commands only if there is no companion, or the network blocks the channel to it.
        case automatic
        /// Only this link.
        case only(LinkKind)
        /// The machine's own protocol, at this address.
        case machine(MachineAddress)

        /// `auto`, a link's name or a machine's address; `nil` for anything else.
        package init?(word: String) {
            if word == "auto" {
                self = .automatic
            } else if let kind = LinkKind(rawValue: word), LinkKind.ofProfiles.contains(kind) {
                self = .only(kind)
            } else if let address = MachineAddress(word) {
                self = .machine(address)
            } else {
                return nil
            }
        }

        /// The word in the configuration and on the command line.
        package var word: String {
            switch self {
            case .automatic: "auto"
            case .only(let kind): kind.rawValue
            case .machine(let address): address.text
            }
        }

        /// All valid words but the addresses of machines.
        package static var words: [String] { ["auto"] + LinkKind.ofProfiles.map(\.rawValue) }

        /// What may be written, for messages.
        package static var expectation: String {
            "one of \(words.joined(separator: ", ")), or a machine's address: \(MachineAddress.patterns)"
        }

        /// The address, of a machine that is reached by its own protocol.
        package var machine: MachineAddress? { if case .machine(let address) = self { address } else { nil } }
    }

    package var name: String
    /// Host name or address; `nil` for the companion on this machine, reached without SSH.
    package var host: String?
    /// The SSH port.
    package var port: Int = 22
    /// The SSH user; `nil` for the user who runs the program.
    package var user: String?
    /// The vehicle's name in ROS, for example `uav1`.
    package var vehicle: String = "uav1"
    /// Which link to use.
    package var link: LinkChoice = .automatic
    /// A shell line run on the vehicle before each command, for example `source ~/workspace/devel/setup.bash`; empty: ROS's
    /// environment is searched there (`EnvironmentSearch`), since non-interactive shells read no start-up files.
    package var setup: String = ""
    /// The companion's program on the vehicle.
    package var companion: String = Self.usualCompanion
    /// The program as it is found on the `PATH`.
    package static let usualCompanion = "uavlink-companion"
    /// Listen address on the vehicle of a companion that is started for this ground; `nil` for all.
    package var bindAddress: String?
    /// Private key files to try, instead of OpenSSH's usual ones.
    package var identities: [String] = []
    /// A file with the password on its first line, readable by its user only; `nil` for keys and agents.
    package var passwordFile: String?
    /// The known hosts file; `nil` for `~/.ssh/known_hosts`.
    package var knownHosts: String?
    /// The ROS master: for the link `ros` (`nil` for `ROS_MASTER_URI`), and of what is run on the vehicle over SSH (`nil` for the one of
    /// its environment).
    package var rosMaster: String?
    /// The version of ROS and where its graph is, for ROS 2.
    package var ros = ROSOfProfile()
    /// The `std_srvs/Trigger` service that takes a picture, below the vehicle's name.
    package var snapshotService: String = Command.defaultSnapshotService
    /// What the program of a robot understands that is driven by text; of no other vehicle.
    package var robot = RobotProgram()
    /// A world file on the ground, used instead of the vehicle's own; `nil` for that.
    package var world: String?
    /// Usual messages per second of topics, by their names below the vehicle's, against which they are judged; for others what the
    /// vehicle itself shows counts.
    package var rates: [String: Double] = [:]
    /// The vehicles of the configuration when none of them was selected and none is the default; otherwise empty. Whoever has several
    /// means one of them, and not the companion that happens to run on this machine.
    package var candidates: [String] = []

    /// The error of a link to this machine when the configuration has several vehicles and none was selected; `nil` otherwise.
    var selectionFault: LinkError? {
        guard isLocal, link.machine == nil, !candidates.isEmpty else { return nil }
        let names = candidates.map(\.sanitizedLine).joined(separator: ", ")
        return LinkError(
            .invalidInput, "no vehicle is selected, and the configuration has several: \(names)",
            hint:
                "give one with --vehicle, or name the 'default' in the configuration file; one without a 'host' is on this machine"
        )
    }

    /// Creates a profile with defaults.
    package init(name: String) { self.name = name }

    /// The reserved name of ``simulated``.
    package static let simulatedName = "sim"

    /// The simulated vehicle of `uavlink sim` on this machine; never any other.
    package static let simulated = VehicleProfile(name: simulatedName)

    /// The name of the companion on this machine, such as that of a bridge, unless the configuration has a vehicle of that name.
    package static let localName = "local"

    /// Whether only the simulated vehicle is meant.
    package var isSimulatedOnly: Bool { name == Self.simulatedName && host == nil }

    /// The vehicle and where it is, for messages: `uav1 on hexa1`.
    package var target: String {
        if let machine = link.machine { return "\(vehicle) at \(machine.text)" }
        if isSimulatedOnly || link == .only(.sim) { return "\(vehicle) (simulated)" }
        return "\(vehicle) on \(host == nil ? "this machine" : name.sanitizedLine)"
    }

    /// The profile of a machine at an address. It is on no host: nothing that is meant for it, such as a shell, may reach the computer
    /// of another vehicle.
    package init(name: String = Self.localName, machine: MachineAddress) {
        self.init(name: name)
        vehicle = machine.kind.rawValue
        link = .machine(machine)
    }

    /// Takes a link that was chosen for this vehicle. The address of a machine leads to that machine, whatever vehicle the profile is of,
    /// unless it is the profile's own.
    package mutating func use(_ choice: LinkChoice) {
        if let machine = choice.machine, choice != link { self = VehicleProfile(machine: machine) }
        link = choice
    }

    /// Whether the vehicle is reached on this machine, without SSH, or is a machine without a computer to log in to.
    package var isLocal: Bool { host == nil }
}
