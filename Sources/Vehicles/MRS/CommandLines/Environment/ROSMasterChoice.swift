internal import UAVLink

/// Which ROS master of a vehicle's computer is used. A computer may have several with a vehicle of the same name: simulated ones, or
/// those of several users. Commands must reach no other vehicle than the one that is meant, so none of these is picked by itself.
extension ROSEnvironment {
    /// The ROS master where nothing names another one.
    static let usualMaster = "http://localhost:11311"

    /// The address of the ROS master that is used, if it is known.
    public var master: String? {
        guard !ros.isTwo else { return nil }
        return variables.first { $0.name == "ROS_MASTER_URI" }?.value ?? usedMaster
            ?? (isFound && source != .missing ? Self.usualMaster : nil)
    }

    /// Whether nobody has named a ROS master, and there are several: then each is asked for the vehicle.
    ///
    /// ROS's setup files name the usual one unless another is named before, so that one by itself is no choice.
    public var needsMasterChoice: Bool {
        guard masters.count > 1, !isMasterNamed, source != .missing else { return false }
        guard source != .process, let usedMaster else { return true }
        return Self.plain(usedMaster) == Self.usualMaster
    }

    /// A ROS master that has the vehicle, or may have it.
    public struct MasterWithVehicle: Hashable, Sendable {
        /// Its address.
        public let address: String
        /// What it is under each of its names; its address if it does not say.
        public let identity: String

        /// Creates the answer of a ROS master, from the output of ``ROSCommandLines/identity(ofMaster:having:)``.
        public init(_ address: String, identity: String) {
            self.address = address
            let word = identity.split(whereSeparator: \.isWhitespace).joined()
            self.identity = word.isEmpty ? ROSEnvironment.plain(address) : word
        }
    }

    /// The environment once its ROS masters were asked.
    ///
    /// - Parameters:
    ///   - having: those that have the vehicle, or did not answer.
    ///   - vehicle: the vehicle's name.
    public func choosing(among having: [MasterWithVehicle], vehicle: String) -> ROSEnvironment {
        var chosen = self
        let identities = Set(having.map(\.identity))
        let list = masters.joined(separator: ", ")
        guard let first = having.first else {
            // Not cached as the usual one: the flight stack may be started with any of them.
            chosen.ambiguity = LinkError(
                .serviceMissing,
                "several ROS masters run on the vehicle's computer, and none has the flight stack of '\(vehicle)': "
                    + list,
                hint: "is the flight stack running? (uavlink doctor)")
            return chosen
        }
        guard identities.count == 1 else {
            let addresses = having.map(\.address).joined(separator: ", ")
            chosen.ambiguity = LinkError(
                .remoteFailed,
                "\(identities.count) ROS masters on the vehicle's computer have a '\(vehicle)': \(addresses)",
                hint: Self.masterAdvice(first.address))
            return chosen
        }
        chosen.notes.removeAll { $0.hasPrefix("several ROS masters") }
        // The one of the environment, under its own name, if it is among them.
        let used = master.map(Self.plain)
        guard !having.contains(where: { Self.plain($0.address) == used }) else { return chosen }
        chosen.usedMaster = first.address
        if isFound {
            chosen.variables.removeAll { $0.name == "ROS_MASTER_URI" }
            chosen.variables.append(Variable("ROS_MASTER_URI", first.address))
        } else {
            chosen.masterOverride = first.address
        }
        return chosen
    }

    /// How the user names the ROS master.
    private static func masterAdvice(_ example: String) -> String {
        "name the one that is meant, in the vehicle's profile: 'ros-master: \(example)', or with "
            + "'export ROS_MASTER_URI=...' in its 'setup' or in ~/.bashrc on the vehicle"
    }

    /// An address without the slash at its end, which roscore writes and others do not.
    private static func plain(_ address: String) -> String {
        String(address.reversed().drop { $0 == "/" }.reversed())
    }
}

extension ROSCommandLines {
    /// Lists the ROS masters, and the one that the set-up leads to; ``ROSEnvironment/takeMasters(fromAnswer:)`` parses it.
    public func masters() -> RemoteCommand {
        abortableScript(EnvironmentSearch.mastersScript(for: names))
    }

    /// Asks a ROS master for the vehicle: fails if it has none, and else prints what tells the master from others, if it says.
    public func identity(ofMaster address: String, having call: ServiceCall) -> RemoteCommand {
        let command = [
            "export ROS_MASTER_URI=\(RemoteShell.word(address))",
            "rosservice type \(names.name(of: call.service)) >/dev/null || exit 1",
            // roscore gives each master one.
            "rosparam get /run_id 2>/dev/null", "exit 0",
        ]
        return abortableScript(command.joined(separator: "\n"))
    }
}
