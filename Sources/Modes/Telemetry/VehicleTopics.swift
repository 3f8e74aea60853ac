package import FlightControl
package import MRS
internal import UAVLink
internal import VehicleAccess

extension LoggedInVehicle {
    /// Creates a watch for any ROS topic of this vehicle.
    package func topicWatch() -> any TopicWatching {
        connector?.topicWatch(over: link.kind) ?? NoTopics()
    }
}

/// For a vehicle without a connector.
private final class NoTopics: TopicWatching {
    private static let error = LinkError(.unsupported, "this link has no access to the vehicle's ROS topics")

    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] { throw Self.error }

    func updates(of topic: String) -> AsyncStream<TopicUpdate> {
        AsyncStream { continuation in
            continuation.yield(.failed(Self.error))
            continuation.finish()
        }
    }

    func close() async {}
}
