package import MRS
package import ROS2
package import UAVLink

/// What the liveliness tokens of a domain say about a vehicle, before anything is sent to it.
///
/// A hash that differs is silence on the wire, and what is sent to a vehicle of another version may end its nodes: so types and
/// hashes are compared first, and a vehicle that has others is refused by name.
package struct FirstContact: Sendable {
    /// An endpoint of the vehicle whose type is not ours.
    package struct Mismatch: Sendable {
        /// Ours.
        package let ours: VehicleEndpoint
        /// The type that the vehicle's token names.
        package let theirs: EndpointType
        /// The node that has it.
        package let node: ROS2NodeName
    }

    /// Whether anything that the vehicle would publish or offer is in the graph.
    package let isPresent: Bool
    /// The endpoints whose types differ, each once, in the order of the interface.
    package let mismatches: [Mismatch]
    /// The vehicles in the domain: the namespaces that have a control manager.
    package let vehicles: [String]
    private let domain: UInt32

    /// Compares the types of `graph` with ours.
    package init(_ graph: ROS2Graph, names: VehicleNames) {
        domain = graph.domain
        var isPresent = false
        var mismatches: [Mismatch] = []
        for ours in VehicleInterface.endpoints(of: names) {
            let found = graph.endpoints(ours.role, of: ours.name)
            // Others subscribe to what the vehicle does, to record it.
            if ours.role != .subscriber, !found.isEmpty { isPresent = true }
            let ownNodes = "/\(names.vehicle)/"
            for token in found where ours.role != .subscriber || token.node.text.hasPrefix(ownNodes) {
                guard let theirs = token.endpoint?.type, theirs != ours.type else { continue }
                mismatches.append(Mismatch(ours: ours, theirs: theirs, node: token.node))
                break
            }
        }
        self.isPresent = isPresent
        self.mismatches = mismatches
        vehicles = graph.nodes.filter { $0.name == "control_manager" }.map { String($0.namespace.dropFirst()) }
            .filter { !$0.isEmpty }
    }

    /// The most that an error names.
    private static let mostNamed = 3

    /// Why there is no vehicle of the name.
    package func absence(of vehicle: String, at router: String) -> LinkError {
        let others =
            vehicles.isEmpty ? "" : "the domain has \(vehicles.prefix(Self.mostNamed).joined(separator: ", ")); "
        return LinkError(
            .serviceMissing, "the Zenoh router at \(router) answers, but domain \(domain) has no vehicle '\(vehicle)'",
            hint: others + "is its flight stack running, and are its name and its domain right?")
    }

    /// The refusal of a vehicle whose types differ; `nil` if all that were found are ours.
    ///
    /// - Parameter fields: in what types differ, by their names, as far as the vehicle has described them.
    package func refusal(of vehicle: String, fields: [String: TypeDifference] = [:]) -> LinkError? {
        guard !mismatches.isEmpty else { return nil }
        let named = mismatches.prefix(Self.mostNamed).map { mismatch in
            let type = ROS2TypeName(dds: mismatch.theirs.name)?.text ?? mismatch.theirs.name
            let ours = ROS2TypeName(dds: mismatch.ours.type.name)?.text ?? mismatch.ours.type.name
            guard type == ours else { return "'\(mismatch.ours.name)' has the type \(type), not \(ours)" }
            guard let difference = fields[ours] else {
                return
                    "its \(type) (\(mismatch.ours.name)) differs from ours: \(Self.short(mismatch.theirs.hash)), not "
                    + Self.short(mismatch.ours.type.hash)
            }
            let place = difference.typeName == ours ? "" : " in \(difference.typeName)"
            return "its \(type) (\(mismatch.ours.name)) differs from ours\(place): \(difference.what)"
        }
        let more = mismatches.count > named.count ? ", and \(mismatches.count - named.count) more" : ""
        return LinkError(
            .typeMismatch, "vehicle '\(vehicle)' has other messages: \(named.joined(separator: "; "))\(more)",
            hint: "no command was sent to it; use uavlink and messages (mrs_msgs) of the same version")
    }

    /// Enough of a hash to tell it from another.
    private static func short(_ hash: String) -> String { hash.count > 19 ? "\(hash.prefix(19))..." : hash }
}
