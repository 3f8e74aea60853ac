/// A link that can be asked from outside to shut down: a ROS node that is killed by name.
public protocol ShutdownRequestLink: UAVLink {
    /// Sets a handler for shutdown requests: called once, with the reason, before anything is closed, so that it can still send.
    func setShutdownHandler(_ handler: @escaping @Sendable (String) -> Void)
}
