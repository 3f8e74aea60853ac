public import ROS1
public import UAVLink

extension ROSLink {
    /// A link through the ROS graph that an environment names (`ROS_MASTER_URI`, `ROS_IP`, `ROS_HOSTNAME`).
    ///
    /// - Parameters:
    ///   - master: the master's address instead of the environment's.
    ///   - detour: a way around that all connections take.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for a name or an environment that cannot be used.
    public convenience init(
        vehicle: String, master: String? = nil, environment: [String: String], detour: ROSDetour? = nil
    ) throws(LinkError) {
        let names = try VehicleNames(vehicle: vehicle)
        var environment = environment
        if let master { environment["ROS_MASTER_URI"] = master }
        do {
            // Two nodes of one name throw each other out of the graph, so each gets a name of its own.
            let name = "uavlink_\(vehicle)_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
            var configuration = try ROSConfiguration(name: name, environment: environment)
            configuration.detour = detour
            self.init(names: names, configuration: configuration)
        } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
    }
}
