/// What a link can do beyond ``UAVLink``: one interface for each capability, `nil` where the link lacks it.
///
/// A link that wraps another one (a recording) passes on what the wrapped link has, and no more. Nothing is found out by a
/// cast: a type may conform to an interface that this link does not offer.
///
/// The value refers to the link itself, so it is computed when it is asked for, and not kept by the link.
public struct LinkCapabilities: Sendable {
    /// Queries limits, world origin, world file and maps of the vehicle.
    public var survey: (any SurveyLink)?
    /// Whether ``survey`` also transfers maps; over SSH alone they can only be listed.
    public var transfersMaps: Bool
    /// Sends long commands in pieces, with progress.
    public var bulk: (any BulkLink)?
    /// Performs commands with a callback.
    public var callbacks: (any CallbackLink)?
    /// Arbitrates control authority between several grounds.
    public var control: (any ControlledLink)?
    /// Reports when it is asked from outside to shut down.
    public var shutdownRequests: (any ShutdownRequestLink)?
    /// Text, tasks and held directions, of a machine that is driven by text.
    public var robot: (any RobotLink)?
    /// Keeps the machine from its own failsafe while a pilot is there.
    public var keepAlive: (any KeepAliveLink)?
    /// States of the machine, and plans, of one that flies flight plans.
    public var plans: (any FlightPlanLink)?

    /// The capabilities of a link; none unless given.
    public init(
        survey: (any SurveyLink)? = nil, transfersMaps: Bool = false, bulk: (any BulkLink)? = nil,
        callbacks: (any CallbackLink)? = nil, control: (any ControlledLink)? = nil,
        shutdownRequests: (any ShutdownRequestLink)? = nil,
        robot: (any RobotLink)? = nil, keepAlive: (any KeepAliveLink)? = nil,
        plans: (any FlightPlanLink)? = nil
    ) {
        self.survey = survey
        self.transfersMaps = transfersMaps
        self.bulk = bulk
        self.callbacks = callbacks
        self.control = control
        self.shutdownRequests = shutdownRequests
        self.robot = robot
        self.keepAlive = keepAlive
        self.plans = plans
    }
}

/// A link that reports the progress of long commands.
public protocol BulkLink: UAVLink {
    /// Like ``UAVLink/perform(_:within:)``, reporting the fraction of a long command that has reached the vehicle, 0 to 1.
    func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply
}
