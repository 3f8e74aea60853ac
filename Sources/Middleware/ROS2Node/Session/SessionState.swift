internal import ROS2
internal import ROSMessages
internal import Synchronization
internal import Zenoh

/// What the endpoints of a session share; used from any thread.
final class SessionState: Sendable {
    private struct Counted: Hashable {
        let refusal: ROS2Refusal
        let name: String
    }

    private struct Refusals {
        var totals: [ROS2Refusal: UInt64] = [:]
        /// By topic or service, to announce.
        var counts: [Counted: UInt64] = [:]
    }

    /// The most names for which refusals are counted apart: a peer may invent names.
    private static let maximumNames = 4096

    let domain: UInt32
    let clock: @Sendable () -> Int64
    private let onEvent: (@Sendable (ROS2Event) -> Void)?
    private let liveGraph: Mutex<ROS2Graph>
    private let refusals = Mutex(Refusals())
    private let older = Mutex<Set<String>>([])
    /// Whether there are any in ``older``: what each publication asks.
    private let hasOlder = Atomic(false)
    private let newestEntity = Atomic<UInt64>(0)
    private let onOpen = Mutex<[UInt64: @Sendable () -> Void]>([:])

    init(_ configuration: ROS2Configuration) {
        domain = configuration.domain
        clock = configuration.clock
        onEvent = configuration.onEvent
        liveGraph = Mutex(ROS2Graph(domain: configuration.domain))
    }

    /// A number that no other node and endpoint of the session has; the first is 1.
    func takeEntity() -> UInt64 { newestEntity.wrappingAdd(1, ordering: .relaxed).newValue }

    var graph: ROS2Graph { liveGraph.withLock { $0 } }

    /// Reads the graph without a copy of it.
    func withGraph<Value: Sendable>(_ body: (ROS2Graph) -> Value) -> Value { liveGraph.withLock { body($0) } }

    // MARK: Events

    func take(_ event: ZenohEvent) {
        onEvent?(.router(event))
        switch event {
        case .connected, .forgotten: for call in onOpen.withLock({ Array($0.values) }) { call() }
        case .lost, .unreachable: break
        }
    }

    /// Calls back whenever everything was declared, in a new session or again in one; on the I/O thread. `nil` ends that.
    func whenOpen(_ number: UInt64, _ call: (@Sendable () -> Void)?) { onOpen.withLock { $0[number] = call } }

    func take(_ change: ZenohTokenChange) {
        switch change {
        case .appeared(let text):
            let (token, failure) = liveGraph.withLock { graph -> (LivelinessToken?, (ROSError, UInt64)?) in
                let before = graph.malformed
                let token = graph.insert(text)
                guard graph.malformed != before, let error = graph.lastError else { return (token, nil) }
                return (token, (error, UInt64(clamping: graph.malformed)))
            }
            if let (error, count) = failure, Self.isAnnounced(count) { onEvent?(.malformedToken(error, count: count)) }
            if let endpoint = token?.endpoint, endpoint.type.hasMalformedHash {
                refuse(.malformedHash, on: endpoint.name.text)
            }
        case .vanished(let text): liveGraph.withLock { _ = $0.remove(text) }
        }
    }

    // MARK: Refusals

    /// Counts something that is not taken, and announces it.
    func refuse(_ refusal: ROS2Refusal, on name: String) {
        let count = refusals.withLock { refusals -> UInt64 in
            refusals.totals[refusal, default: 0] &+= 1
            let counted = Counted(refusal: refusal, name: name)
            guard refusals.counts[counted] != nil || refusals.counts.count < Self.maximumNames else { return 0 }
            refusals.counts[counted, default: 0] &+= 1
            return refusals.counts[counted] ?? 0
        }
        if Self.isAnnounced(count) { onEvent?(.refused(refusal, on: name, count: count)) }
    }

    /// The powers of two.
    private static func isAnnounced(_ count: UInt64) -> Bool { count.nonzeroBitCount == 1 }

    var refused: [ROS2Refusal: UInt64] { refusals.withLock { $0.totals } }

    /// Reads the attachment of what was received; `nil` when it was refused.
    ///
    /// - Parameter role: what the sender is to the topic or service.
    func attachment(
        _ bytes: ArraySlice<UInt8>?, on name: ROS2Name, from role: LivelinessToken.Role
    ) -> MessageAttachment? {
        guard let bytes else {
            refuse(.missingAttachment, on: name.text)
            return nil
        }
        guard let attachment = MessageAttachment(bytes) else {
            refuse(.malformedAttachment, on: name.text)
            return nil
        }
        // Only two forms are read.
        if bytes.count != MessageAttachment.size { noteOlder(name, role) }
        return attachment
    }

    // MARK: Older versions

    /// Something of the older form came from an endpoint: the tokens say in which sessions it may be.
    private func noteOlder(_ name: ROS2Name, _ role: LivelinessToken.Role) {
        let sessions = withGraph { Set($0.endpoints(role, of: name).map(\.session)) }
        let isNew = older.withLock { older in
            let before = older.count
            older.formUnion(sessions)
            return older.count != before
        }
        guard isNew else { return }
        hasOlder.store(true, ordering: .relaxed)
        onEvent?(.olderPeer(on: name.text))
    }

    var olderSessions: Set<String> { older.withLock { $0 } }

    /// Whether an endpoint that would receive what is sent is of an older version, and would end.
    func reachesOlder(_ endpoint: Endpoint, _ role: LivelinessToken.Role) -> Bool {
        guard hasOlder.load(ordering: .relaxed) else { return false }
        let sessions = olderSessions
        return withGraph { graph in
            graph.endpoints(role, of: endpoint.name).contains {
                sessions.contains($0.session) && $0.endpoint?.type == endpoint.type
            }
        }
    }
}

extension EndpointType {
    /// What nodes before Iron announce.
    private static let noHash = "TypeHashNotSupported"

    /// Whether the hash is neither one nor the text that stands for none.
    var hasMalformedHash: Bool { typeHash == nil && hash != Self.noHash }
}
