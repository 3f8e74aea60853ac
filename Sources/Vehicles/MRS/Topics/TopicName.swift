internal import ROS1
public import UAVLink

/// Topic names as the user types them.
public enum TopicName {
    /// The complete name: a name without a leading `/` is relative to the vehicle's namespace.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid topic name.
    public static func complete(_ typed: String, vehicle: String) throws(LinkError) -> String {
        let name = typed.hasPrefix("/") ? typed : "/\(vehicle)/\(typed)"
        guard !typed.isEmpty, typed != "/", name.utf8.count <= 256, let graphName = try? GraphName(name) else {
            throw LinkError(
                .invalidInput, "'\(typed)' is not a valid topic name",
                hint: "letters, digits, '_' and '/', for example hw_api/imu, or /tf")
        }
        return graphName.text
    }
}
