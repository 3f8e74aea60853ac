public import ROS1
internal import ROSMessages
internal import SystemIO
internal import Threads
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

    /// Fails if a node of that name is running. One that was killed on this machine is still registered with the master,
    /// but no process listens at its address.
    static func requireUniqueName(
        _ configuration: ROSConfiguration, within timeout: Duration
    ) async throws(LinkError) {
        let name = configuration.names.node.text
        guard let master = try? ROSMaster(uri: configuration.masterURI, callerID: name),
            // Not registered, or the master is not reached, which connecting reports.
            let uri = try? await master.nodeURI(of: name, within: timeout)
        else { return }
        do throws(ROSError) {
            _ = try await master.pid(ofNodeAt: uri, within: min(timeout, .seconds(1)))
        } catch {
            // On another machine it may run and not be reached from here; joining under its name would end it, perhaps in flight.
            if error.code != .timedOut, await isOnThisMachine(uri) { return }
            throw LinkError(
                .companionUnavailable,
                "another companion for this vehicle is registered in the ROS graph and does not answer: \(name) at \(uri)",
                hint: "end it there; if it is gone, 'rosnode cleanup' removes its registration")
        }
        throw LinkError(
            .companionUnavailable, "another companion for this vehicle is in the ROS graph: \(name) at \(uri)",
            hint: "use that one, or end it with 'rosnode kill \(name)'")
    }

    /// Whether an address of a node or of a service is one of this machine.
    package static func isOnThisMachine(_ uri: String) async -> Bool {
        let host = uri.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" && $0 != "/" }
        // Name resolution may block: never on a thread of Swift's cooperative pool.
        let isOwn = await DedicatedThread.run {
            guard let meant = try? AddressLookup.addresses(of: String(host)) else { return false }
            let own = Set(AddressLookup.interfaces().map(\.text))
            return meant.contains { own.contains($0.text) || $0.text.hasPrefix("127.") }
        }
        return isOwn ?? false
    }
}
