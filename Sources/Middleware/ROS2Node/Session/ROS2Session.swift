public import ROS2
public import ROSMessages
public import Zenoh

/// A session with a Zenoh router in which nodes of ROS 2 are, as `rmw_zenoh` has one for each process.
///
/// A lost session is opened again, and everything is declared anew. Nothing is sent with an attachment other than the
/// 33 bytes of present versions, and nothing to sessions of which older ones were received (``olderSessions``).
public final class ROS2Session: Sendable {
    /// The client of the router.
    public let zenoh: ZenohClient
    let state: SessionState
    private let watch: ZenohDeclaration

    /// Begins to connect.
    ///
    /// - Throws: `ROSError`: `systemFailure` when there is no thread. An unreachable router is no error here: see
    ///   ``waitForRouter(within:)``.
    public init(configuration: ROS2Configuration) throws(ROSError) {
        let state = SessionState(configuration)
        var settings = configuration.zenoh
        let others = settings.onEvent
        settings.onEvent = { event in
            state.take(event)
            others?(event)
        }
        self.state = state
        let zenoh = try throwingROSError { () throws(ZenohError) in try ZenohClient(configuration: settings) }
        self.zenoh = zenoh
        watch = try throwingROSError { () throws(ZenohError) in
            try zenoh.watchTokens(matching: LivelinessToken.all(domain: state.domain)) { state.take($0) }
        }
    }

    /// The domain.
    public var domain: UInt32 { state.domain }

    /// Waits until a session is open and everything declared so far was sent.
    ///
    /// - Throws: `ROSError` with the reason of the last failure; the session keeps trying.
    public func waitForRouter(within timeout: Duration) async throws(ROSError) {
        do throws(ZenohError) { try await zenoh.waitForSession(within: timeout) } catch { throw ROSError(error) }
    }

    /// What is in the domain, as far as it is known: all that existed when the session began is known soon after. Our
    /// own nodes are in it. While there is no session with the router it does not change.
    public var graph: ROS2Graph { state.graph }

    /// Asks the router for the graph as it is now: one query.
    ///
    /// - Throws: `ROSError`, also when there is no session with the router now.
    public func readGraph(within timeout: Duration) async throws(ROSError) -> ROS2Graph {
        let tokens: [String]
        do throws(ZenohError) {
            tokens = try await zenoh.tokens(matching: LivelinessToken.all(domain: domain), timeout: timeout)
        } catch { throw ROSError(error) }
        var graph = ROS2Graph(domain: domain)
        for token in tokens { graph.insert(token) }
        return graph
    }

    /// What was received and not taken, by reason.
    public var refused: [ROS2Refusal: UInt64] { state.refused }

    /// The sessions, as tokens name them, of which something of `rmw_zenoh` 0.2.0 to 0.2.3 was received. Their
    /// processes end when they receive something of a present version, so what they subscribe is not published any
    /// more, and what they offer is not called.
    ///
    /// That a session is older is known only after something of it was received: subscribe to a vehicle before
    /// commanding it.
    public var olderSessions: Set<String> { state.olderSessions }

    /// A node in this session. Several may have the same name.
    ///
    /// - Throws: `ROSError` with `closed`.
    public func node(_ name: ROS2NodeName) throws(ROSError) -> ROS2Node { try ROS2Node(name, session: self) }

    /// Withdraws everything and ends the session. May be called more than once.
    public func shutdown() async { await zenoh.shutdown() }
}
