internal import MRS
package import UAVLink
internal import YAML

/// The configuration file: vehicles by name.
///
/// ```yaml
/// default: hexa1
/// vehicles:
///   hexa1:
///     host: 192.168.69.101
///     user: mrs
///     uav: uav1
///     setup: source ~/workspace/devel/setup.bash  # only where ROS is not found by itself
/// ```
package struct Configuration: Hashable, Sendable {
    /// The vehicles in the order of the file.
    package var vehicles: [VehicleProfile] = []
    /// The vehicle used if none is named.
    package var defaultVehicle: String?
    /// How the front end looks and sounds.
    package var frontEnd = FrontEndPreferences()

    package init() {}

    /// Parses a configuration.
    ///
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - source: the file's name for messages.
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` that names file, line, what was found and what was
    ///   expected.
    package init(bytes: [UInt8], source: String) throws(LinkError) {
        do {
            try self.init(document: YAMLReader.documents(bytes))
        } catch {
            throw LinkError(.invalidInput, error.from(source).description, hint: "see 'uavlink --help' for an example")
        }
    }

    private init(document: [YAMLNode]) throws(YAMLError) {
        guard let root = document.first, !root.isNull else { return }
        if document.count > 1 { throw document[1].unexpected("one document only") }
        try root.requireKeys(in: ["default", "vehicles", "front-end"])
        if let frontEnd = root.find("front-end") { self.frontEnd = try FrontEndPreferences(node: frontEnd) }
        if let vehicles = root.find("vehicles") {
            for entry in try vehicles.mapping.entries {
                self.vehicles.append(try VehicleProfile(name: entry.key, node: entry.value))
            }
        }
        if let chosen = root.find("default") {
            let name = try chosen.string
            guard vehicles.contains(where: { $0.name == name }) else {
                throw chosen.unexpected("the name of one of the vehicles below")
            }
            defaultVehicle = name
        }
    }

    /// The profile of a vehicle, or of the default one.
    ///
    /// Without a name and a default, it is the only vehicle of the file; without any, the companion on this machine. Of several none is
    /// guessed: the profile then names them as ``VehicleProfile/candidates``.
    ///
    /// `sim` is reserved for the simulated vehicle on this machine, whatever the default is. `local` is the companion on this machine, if
    /// the file has no vehicle of that name.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for an unknown name, and for `sim` if the file has a vehicle with a
    ///   host under that name.
    package func profile(named name: String?) throws(LinkError) -> VehicleProfile {
        guard let wanted = name ?? defaultVehicle else {
            if vehicles.count == 1 { return vehicles[0] }
            var local = VehicleProfile(name: VehicleProfile.localName)
            local.candidates = vehicles.map(\.name)
            return local
        }
        if wanted == VehicleProfile.simulatedName {
            let found = vehicles.first { $0.name == wanted }
            guard found?.host == nil else {
                throw LinkError(
                    .invalidInput, "the configuration has a vehicle 'sim' with a host",
                    hint: "rename it: 'sim' is the simulated vehicle on this machine")
            }
            return found ?? .simulated
        }
        if let found = vehicles.first(where: { $0.name == wanted }) { return found }
        if wanted == VehicleProfile.localName { return VehicleProfile(name: wanted) }
        let known = vehicles.map(\.name).joined(separator: ", ")
        throw LinkError(
            .invalidInput, "the configuration has no vehicle '\(wanted)'",
            hint: known.isEmpty
                ? "give --host and --user instead; 'sim' is the simulated vehicle"
                : "known vehicles: \(known), and \(VehicleProfile.simulatedName)")
    }
}

extension VehicleProfile {
    static let keys = [
        "host", "port", "user", "uav", "link", "setup", "companion", "bind", "identity", "known-hosts", "ros-master",
        "password-file", "snapshot-service", "world", "rates", "robot", "ros", "router", "domain", "router-ca",
        "router-client-certificate", "router-client-key",
    ]
    /// The rates accepted for a topic, hertz: an IMU has 1000.
    private static let acceptedRates = 0.01...10_000

    init(name: String, node: YAMLNode) throws(YAMLError) {
        self.init(name: name)
        if node.isNull { return }
        try node.requireKeys(in: Self.keys)
        host = try node.find("host")?.hostName
        if let port = node.find("port") {
            self.port = try port.int
            guard (1...65_535).contains(self.port) else { throw port.unexpected("a port from 1 to 65535") }
        }
        user = try node.find("user")?.string
        if let uav = node.find("uav") {
            vehicle = try uav.string
            guard Self.isVehicleName(vehicle) else {
                throw uav.unexpected("a vehicle's name such as uav1: a letter, then letters, digits and '_'")
            }
        }
        if let link = node.find("link") {
            guard let choice = try LinkChoice(word: link.string) else {
                throw link.unexpected(LinkChoice.expectation)
            }
            self.link = choice
            if let machine = choice.machine {
                guard host == nil else { throw link.unexpected("a link to the host; a machine's address has its own") }
                // A machine without ROS has no name in it.
                if node.find("uav") == nil { vehicle = machine.kind.rawValue }
            }
        }
        if let setup = node.find("setup") { self.setup = try setup.string }
        if let companion = node.find("companion") { self.companion = try companion.string }
        if let bind = node.find("bind") {
            let address = try bind.string
            guard Self.isAddress(address) else {
                throw bind.unexpected("an IP address of the vehicle, such as 192.168.69.101, or 0.0.0.0 for all")
            }
            bindAddress = address
        }
        if let identity = node.find("identity") {
            if case .sequence(let list) = identity.content {
                for one in list { identities.append(try one.string) }
            } else {
                identities = [try identity.string]
            }
        }
        knownHosts = try node.find("known-hosts")?.string
        rosMaster = try node.find("ros-master")?.string
        ros = try ROSOfProfile(node: node)
        passwordFile = try node.find("password-file")?.string
        world = try node.find("world")?.string
        if let robot = node.find("robot") { self.robot = try RobotProgram(node: robot) }
        if let service = node.find("snapshot-service") {
            snapshotService = try service.string
            guard Command.isServiceName(snapshotService) else {
                throw service.unexpected(
                    "a service below the vehicle's name, such as \(Command.defaultSnapshotService)")
            }
        }
        if let rates = node.find("rates"), !rates.isNull {
            try rates.requireKeys(in: VehicleTopic.sent.map(\.rawValue))
            for entry in try rates.mapping.entries {
                let hertz = try entry.value.double
                guard Self.acceptedRates.contains(hertz) else {
                    throw entry.value.unexpected("messages per second, from 0.01 to 10000")
                }
                self.rates[entry.key] = hertz
            }
        }
    }

    /// Whether a text looks like an IPv4 or IPv6 address, optionally with the name of an interface.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let isName = { (byte: UInt8) in byte > 0x20 && byte < 0x7F && byte != 0x2F }
        return text.utf8.count <= 64 && text.contains { $0 == "." || $0 == ":" }
            && parts[0].allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "." || $0 == ":") }
            && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isName) }
    }

    /// Whether a name can be a vehicle's ROS namespace: a letter, then letters, digits and `_`, at most 64 bytes.
    package static func isVehicleName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

extension YAMLNode {
    /// A host name or address, without the brackets of a URL.
    fileprivate var hostName: String {
        get throws(YAMLError) {
            let text = try string
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
                throw unexpected("a host name or an address")
            }
            return text
        }
    }
}
