/// A link that others may tell to end for good: a ROS node that is killed by name.
public protocol EndableLink: UAVLink {
    /// Has `told` called, once and before anything is closed, with who or what told it; what still has to be sent can be sent in it.
    func whenToldToEnd(_ told: @escaping @Sendable (String) -> Void)
}
