public import UAVLink

/// What became of a setpoint.
public enum SteeringVerdict: Sendable {
    /// Passed on to the vehicle.
    case applied
    /// Not passed on, for a reason of the vehicle's side.
    case refused
}

/// What people are to be told of a server.
public enum ChannelNotice: Sendable {
    /// A session, or a ticket that was not used (`wasOpen` false), had to make room for a fresh ticket.
    case evicted(SessionID, wasOpen: Bool, unheardFor: Duration)
    /// The system has nothing left to take connections in with, for that reason.
    case connectionsWait(String)
}

/// The vehicle's side of the channel: what a companion does with what the ground wants.
///
/// All calls come on the channel's own thread, one at a time, and must not block.
public protocol ChannelHandler: AnyObject, Sendable {
    /// Passes a setpoint on to the vehicle, at once. Its times are on this machine's clock; it is the newest and still good.
    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict
    /// Carries a command out; called once for each command, whatever the network did to it.
    ///
    /// - Parameters:
    ///   - deadline: when its caller gives up, on this machine's clock and surely not after it: a command that waits must
    ///     not be begun from then on.
    ///   - answer: to be called once, on any thread and at any time, also before this returns; it sends the answer from
    ///     there. Call it with no lock held that another of these calls takes, and not within another of them.
    func perform(
        _ command: Command, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void)
    /// A ground that measures wants to know of velocity references that other nodes send to the vehicle.
    ///
    /// - Parameter seen: to be called for each with the `seq` of its header and when it was read, from any thread; `nil` when
    ///   nobody wants to know any more.
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?)
    /// Answers a question; the same rules as for ``perform(_:from:until:answer:)`` hold.
    func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void)
    /// Counts the changes of ``controlStatus(for:)``.
    var controlRevision: UInt64 { get }
    /// Who flies, as that session is to be told; `nil` where nobody arbitrates.
    func controlStatus(for session: SessionID) -> ControlStatus?
    /// A ground opened a session with its ticket.
    func sessionOpened(_ session: SessionID)
    /// A session is over: the ground said goodbye, was silent for five minutes, or was silent and had to make room.
    func sessionClosed(_ session: SessionID)
    /// The ground has not been heard for a second.
    func sessionSilent(_ session: SessionID)
    /// A ground that was silent is heard again.
    func sessionReturned(_ session: SessionID)
    /// Something that people should know.
    func noticed(_ notice: ChannelNotice)
    /// Called whenever the channel's thread wakes; gives when it must wake next at the latest (the lease's end).
    func tick(now: MonotonicTime) -> MonotonicTime?
}

extension ChannelHandler {
    /// It never changes.
    public var controlRevision: UInt64 { 0 }
    /// Nobody arbitrates.
    public func controlStatus(for session: SessionID) -> ControlStatus? { nil }
    /// Sees none.
    public func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime) -> Void)?) {}
    /// Knows nothing.
    public func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        answer(.failure(LinkError(.unsupported, "the companion cannot be asked \(question.name)")))
    }
    /// Nothing to do.
    public func sessionOpened(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionClosed(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionSilent(_ session: SessionID) {}
    /// Nothing to do.
    public func sessionReturned(_ session: SessionID) {}
    /// Nobody to tell.
    public func noticed(_ notice: ChannelNotice) {}
    /// No timer.
    public func tick(now: MonotonicTime) -> MonotonicTime? { nil }
}
