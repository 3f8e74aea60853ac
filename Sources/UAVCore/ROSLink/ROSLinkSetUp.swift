internal import ROS1
public import UAVLink

extension ROSLink {
    /// A link through the ROS graph that an environment names (`ROS_MASTER_URI`, `ROS_IP`, `ROS_HOSTNAME`).
    ///
    /// - Parameter master: the master's address instead of the environment's.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for a name or an environment that cannot be used.
    public convenience init(
        vehicle: String, master: String? = nil, environment: [String: String]
    ) throws(LinkError) {
        let names = try VehicleNames(vehicle: vehicle)
        var environment = environment
        if let master { environment["ROS_MASTER_URI"] = master }
        do {
            // Two nodes of one name throw each other out of the graph, so each gets a name of its own.
            let name = "uavlink_\(vehicle)_\(String(UInt32.random(in: 0 ... .max), radix: 16))"
            self.init(names: names, configuration: try ROSConfiguration(name: name, environment: environment))
        } catch {
            throw LinkError(.invalidInput, error.what, hint: error.hint)
        }
    }
}
