internal import ROS1
public import UAVLink

/// Names of topics as a person types them.
public enum TopicName {
    /// The complete name: what begins with no `/` is below the vehicle's name.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for what cannot be a topic's name.
    public static func complete(_ typed: String, vehicle: String) throws(LinkError) -> String {
        let name = typed.hasPrefix("/") ? typed : "/\(vehicle)/\(typed)"
        guard !typed.isEmpty, typed != "/", name.utf8.count <= 256, let graphName = try? GraphName(name) else {
            throw LinkError(
                .invalidInput, "'\(typed)' cannot be the name of a topic",
                hint: "letters, digits, '_' and '/', for example hw_api/imu, or /tf")
        }
        return graphName.text
    }
}
