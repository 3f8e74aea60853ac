public import ROS1
internal import ROSMessages
public import UAVLink

extension ROSLink {
    /// Creates a link through the ROS graph given by the environment (`ROS_MASTER_URI`, `ROS_IP`, `ROS_HOSTNAME`).
    ///
    /// - Parameters:
    /// - master: the master's address, overrides the environment's.
    /// - isCompanion: whether this is the vehicle's companion, of which there is one in a graph: ``connect(within:)``
    ///   fails if another is present, and if two join at the same time the master shuts down the first.
    /// - redirect: a redirection for all connections.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid name or environment.
    public convenience init(
        vehicle: String, master: String? = nil, environment: [String: String], isCompanion: Bool = false,
        redirect: ROSRedirect? = nil
    ) throws(LinkError) {
        let names = try VehicleNames(vehicle: vehicle)
        var environment = environment
        if let master { environment["ROS_MASTER_URI"] = master }
        do {
            // Nodes of the same name shut each other down, so each ground uses a unique name.
            let own = "uavlink_\(vehicle)_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
            let name = isCompanion ? "uavlink_companion_\(vehicle)" : own
            var configuration = try ROSConfiguration(name: name, environment: environment)
            configuration.redirect = redirect
            self.init(names: names, configuration: configuration, isAlone: isCompanion)
        } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
    }

    /// Fails if a node of that name is running. One that was killed is still registered with the master, but does not
    /// answer.
    static func requireUniqueName(
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
