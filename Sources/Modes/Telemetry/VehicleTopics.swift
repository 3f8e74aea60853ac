package import FlightControl
package import MRS
package import UAVLink
internal import VehicleAccess

extension LoggedInVehicle {
    /// Why this vehicle has no ROS topics, as far as it says so itself; `nil` if it may have some.
    ///
    /// A companion says that its vehicle is simulated right after the welcome: it is not known before.
    package var topicObstacle: LinkError? {
        guard link.vehicleCapabilities.isSimulated else { return nil }
        return link.kind == .sim ? VehicleConnector.noTopicsOfSimulation : Self.noTopicsBehindCompanion
    }

    private static let noTopicsBehindCompanion = LinkError(
        .unsupported, "this vehicle is simulated by its companion, which has no ROS topics",
        hint: "'uavlink-sim' simulates a vehicle on a ROS master")

    /// Creates a watch for any ROS topic of this vehicle.
    package func topicWatch() -> any TopicWatching {
        if let topicObstacle { return NoTopicWatch(topicObstacle) }
        return connector?.topicWatch(over: link.kind)
            ?? NoTopicWatch(LinkError(.unsupported, "this link has no access to the vehicle's ROS topics"))
    }
}
