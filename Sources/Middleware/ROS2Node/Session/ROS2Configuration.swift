public import ROSMessages
public import Zenoh

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The configuration of a session.
public struct ROS2Configuration: Sendable {
    /// The router. What is set as `onEvent` there receives the client's events, too.
    public var zenoh: ZenohConfiguration
    /// The domain; 0 unless `ROS_DOMAIN_ID` is set.
    public var domain: UInt32
    /// Nanoseconds since 1970, for attachments.
    public var clock: @Sendable () -> Int64
    /// Receives the session's events on the I/O thread; must not block.
    public var onEvent: (@Sendable (ROS2Event) -> Void)?

    /// Creates a configuration with the wall clock.
    public init(zenoh: ZenohConfiguration, domain: UInt32 = 0, onEvent: (@Sendable (ROS2Event) -> Void)? = nil) {
        self.zenoh = zenoh
        self.domain = domain
        self.onEvent = onEvent
        clock = Self.wallClock
    }

    private static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}

/// An event of a session, for logs; none requires an action.
public enum ROS2Event: Sendable, CustomStringConvertible {
    /// Of the connection to the router.
    case router(ZenohEvent)
    /// Something was received and not taken. Of each reason and topic or service the first one is announced, then the
    /// second, fourth, eighth and so on; ``ROS2Session/refused`` counts all.
    case refused(ROS2Refusal, on: String, count: UInt64)
    /// A liveliness token cannot be read; announced as refusals are.
    case malformedToken(ROSError, count: UInt64)
    /// A node speaks an older `rmw_zenoh`: nothing is sent to its session any more, see ``ROS2Session/olderSessions``.
    case olderPeer(on: String)

    /// One line.
    public var description: String {
        switch self {
        case .router(let event): event.description
        case .refused(let refusal, let name, let count):
            ROSError(.refused, "\(name): refused \(refusal) (\(count) so far)").what
        case .malformedToken(let error, let count): "\(error.what) (\(count) so far)"
        case .olderPeer(let name): ROSError.olderPeer(name).description
        }
    }
}

/// Why something that was received was not taken.
public enum ROS2Refusal: String, Sendable, CaseIterable, CustomStringConvertible {
    /// There is no attachment.
    case missingAttachment
    /// The attachment has neither of the two known forms.
    case malformedAttachment
    /// A request with an attachment of the older form, which cannot be answered in that form.
    case olderAttachment
    /// The serialised message cannot be read.
    case undecodable
    /// A reply to a request that was another client's, or another one.
    case foreignReply
    /// A query or publication with wildcards, which reaches many services or topics at once.
    case wildcard
    /// A deletion, which ROS does not have.
    case deletion
    /// More requests at once than a server keeps.
    case tooMany
    /// A type hash in a liveliness token that is none.
    case malformedHash

    /// What it was.
    public var description: String {
        switch self {
        case .missingAttachment: "a message without an attachment"
        case .malformedAttachment: "a message with a malformed attachment"
        case .olderAttachment: "a request with an attachment of rmw_zenoh before 0.2.4"
        case .undecodable: "a message that cannot be decoded"
        case .foreignReply: "a reply to another request"
        case .wildcard: "a query or publication with wildcards"
        case .deletion: "a deletion"
        case .tooMany: "a request, because too many are waiting"
        case .malformedHash: "a malformed type hash"
        }
    }
}
