public import ChannelProtocol
public import UAVLink

/// A notice of a server for the operator.
public enum ChannelNotice: Sendable {
    /// A session, or an unused ticket (`wasOpen` false), was evicted to admit a new ticket.
    case evicted(SessionID, wasOpen: Bool, lastHeardAgo: Duration)
    /// The system has no resources to accept connections; the text is the system's reason.
    case acceptPaused(String)
}

/// The vehicle side of the channel: what a companion does with requests from the ground.
///
/// All calls are made on the channel's dedicated thread, one at a time, and must not block.
public protocol ChannelHandler: AnyObject, Sendable {
    /// Forwards a setpoint to the vehicle at once. Its times are on this machine's clock; it is the newest and has not expired.
    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict
    /// Executes a command; called exactly once for each command, even if its frames are duplicated or resent.
    ///
    /// - Parameters:
    ///   - issue: when it was given: a command that moves the vehicle must not act after a newer stop.
    ///   - deadline: when its caller gives up, converted to this machine's clock and never later than that: a command that has
    ///     to wait must not be started from then on.
    ///   - answer: must be called once, on any thread and at any time, also before this method returns; it sends the answer from
    ///     that thread. Call it with no lock held that another method of this protocol takes, and not from within another of
    ///     them.
    func perform(
        _ command: Command, _ issue: CommandIssue, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void)
    /// The `seq` of the message that the setpoint became which was applied last; `nil` if it is not known. Asked on the same thread.
    var publishedSetpoint: UInt32? { get }
    /// Starts or stops watching velocity references that are sent to the vehicle, for a ground that measures latency.
    ///
    /// - Parameter seen: to be called for each reference with the `seq` of its header, the time it was read, and whether it is
    ///   the handler's own, from any thread; `nil` when no ground watches any longer.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?)
    /// When the vehicle sent the pose that was received then, on this machine's clock; `nil` if it is not known. It is asked
    /// for with each published telemetry while a ground traces its session.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime?
    /// Answers a question; the rules of ``perform(_:from:until:answer:)`` apply.
    func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void)
    /// How many stop commands and grants of control authority there were; a change counts in ``controlRevision``. Also asked for by other threads.
    var stops: UInt64 { get }
    /// Counts the changes of ``controlStatus(for:)``.
    var controlRevision: UInt64 { get }
    /// The control authority as that session sees it; `nil` when there is no arbitration.
    func controlStatus(for session: SessionID) -> ControlStatus?
    /// What the vehicle can do, for the grounds; `nil` if it is not known. It is asked for with each published telemetry.
    var vehicleCapabilities: VehicleCapabilities? { get }
    /// A ground opened a session with its ticket.
    func sessionOpened(_ session: SessionID)
    /// A session ended: the ground said goodbye, sent nothing for five minutes, or was evicted after link loss.
    func sessionClosed(_ session: SessionID)
    /// Nothing was received from the ground for one second: link loss.
    func sessionLinkLost(_ session: SessionID)
    /// Frames of the ground arrive again after link loss.
    func sessionLinkRestored(_ session: SessionID)
    /// A notice for the operator.
    func noticed(_ notice: ChannelNotice)
    /// Called whenever the channel's thread wakes; returns when it must wake next at the latest (the end of the lease).
    func tick(now: MonotonicTime) -> MonotonicTime?
}

extension ChannelHandler {
    /// Always 0: nothing arbitrates.
    public var stops: UInt64 { 0 }
    /// Always 0: the status never changes.
    public var controlRevision: UInt64 { 0 }
    /// `nil`: no arbitration.
    public func controlStatus(for session: SessionID) -> ControlStatus? { nil }
    /// `nil`: grounds are not sent any.
    public var vehicleCapabilities: VehicleCapabilities? { nil }
    /// `nil`: not known.
    public var publishedSetpoint: UInt32? { nil }
    /// Ignored: no references are watched.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) {}
    /// `nil`: stamps are not known.
    public func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { nil }
    /// Refuses every question with `unsupported`.
    public func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        answer(.failure(LinkError(.unsupported, "the companion does not support the request for \(question.name)")))
    }
    /// Nothing to do.
    public func sessionOpened(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionClosed(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionLinkLost(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionLinkRestored(_ session: SessionID) {}
    /// Ignored.
    public func noticed(_ notice: ChannelNotice) {}
    /// No timer.
    public func tick(now: MonotonicTime) -> MonotonicTime? { nil }
}
