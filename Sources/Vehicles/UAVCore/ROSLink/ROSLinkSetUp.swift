public import ROS1
public import UAVLink

extension ROSLink {
    /// A link through the ROS graph that an environment names (`ROS_MASTER_URI`, `ROS_IP`, `ROS_HOSTNAME`).
    ///
    /// - Parameters:
    ///   - master: the master's address instead of the environment's.
    ///   - isCompanion: this is the vehicle's companion, of which there is one in a graph: ``connect(within:)`` fails while another
    ///     is there, and the master itself ends the one before should two come at the same moment.
    ///   - detour: a way around that all connections take.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for a name or an environment that cannot be used.
    public convenience init(
        vehicle: String, master: String? = nil, environment: [String: String], isCompanion: Bool = false,
        detour: ROSDetour? = nil
    ) throws(LinkError) {
        let names = try VehicleNames(vehicle: vehicle)
        var environment = environment
        if let master { environment["ROS_MASTER_URI"] = master }
        do {
            // Two nodes of one name throw each other out of the graph, so each ground gets a name of its own.
            let own = "uavlink_\(vehicle)_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
            let name = isCompanion ? "uavlink_companion_\(vehicle)" : own
            var configuration = try ROSConfiguration(name: name, environment: environment)
            configuration.detour = detour
            self.init(names: names, configuration: configuration, isAlone: isCompanion)
        } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
    }

    /// Fails when a node of that name lives already. One that was killed is still in the master's book, but does not answer.
    static func requireAlone(
        _ configuration: ROSConfiguration, within timeout: Duration
    ) async throws(LinkError) {
        let name = configuration.names.node.text
        let uri: String
        do throws(ROSError) {
            let master = try ROSMaster(uri: configuration.masterURI, callerID: name)
            uri = try await master.nodeURI(of: name, within: timeout)
            _ = try await master.pid(ofNodeAt: uri, within: min(timeout, .seconds(1)))
        } catch {
            return
        }
        throw LinkError(
            .companionUnavailable, "another companion for this vehicle is in the ROS graph: \(name) at \(uri)",
            hint: "use that one, or end it with 'rosnode kill \(name)'")
    }
}
