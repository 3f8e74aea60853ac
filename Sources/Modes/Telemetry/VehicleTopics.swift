package import FlightControl
package import MRS
internal import UAVLink
internal import VehicleAccess

extension LoggedInVehicle {
    /// Creates a watch for any ROS topic of this vehicle.
    package func topicWatch() -> any TopicWatching {
        connector?.topicWatch(over: link.kind)
            ?? NoTopicWatch(LinkError(.unsupported, "this link has no access to the vehicle's ROS topics"))
    }
}
