internal import ROS2
internal import ROSMessages
internal import Synchronization
internal import Zenoh

/// What the endpoints of a session share; used from any thread.
final class SessionState: Sendable {
    private struct Counted: Hashable {
        let refusal: ROS2Refusal
        let key: String
    }

    private struct Refusals {
        var totals: [ROS2Refusal: UInt64] = [:]
        /// By key, to announce; of so many keys.
        var counts: [Counted: UInt64] = [:]
    }

    /// The most keys for which refusals are counted apart: a peer may invent names.
    private static let maximumKeys = 4096

    let domain: UInt32
    let clock: @Sendable () -> Int64
    private let onEvent: (@Sendable (ROS2Event) -> Void)?
    private let liveGraph: Mutex<ROS2Graph>
    private let refusals = Mutex(Refusals())
    private let olderPeer = Atomic(false)
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
        guard case .connected = event else { return }
        for call in onOpen.withLock({ Array($0.values) }) { call() }
    }

    /// Calls back whenever a session is open, on the I/O thread; `nil` ends that.
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
    func refuse(_ refusal: ROS2Refusal, on key: String) {
        let count = refusals.withLock { refusals -> UInt64 in
            refusals.totals[refusal, default: 0] &+= 1
            let counted = Counted(refusal: refusal, key: key)
            guard refusals.counts[counted] != nil || refusals.counts.count < Self.maximumKeys else { return 0 }
            refusals.counts[counted, default: 0] &+= 1
            return refusals.counts[counted] ?? 0
        }
        if Self.isAnnounced(count) { onEvent?(.refused(refusal, key: key, count: count)) }
    }

    /// The powers of two.
    private static func isAnnounced(_ count: UInt64) -> Bool { count.nonzeroBitCount == 1 }

    var refused: [ROS2Refusal: UInt64] { refusals.withLock { $0.totals } }

    /// Reads the attachment of what was received; `nil` when it was refused.
    func attachment(_ bytes: ArraySlice<UInt8>?, on key: String) -> MessageAttachment? {
        guard let bytes else {
            refuse(.missingAttachment, on: key)
            return nil
        }
        guard let attachment = MessageAttachment(bytes) else {
            refuse(.malformedAttachment, on: key)
            return nil
        }
        // Only two forms are read.
        if bytes.count != MessageAttachment.size, !olderPeer.exchange(true, ordering: .relaxed) {
            onEvent?(.olderPeer(key: key))
        }
        return attachment
    }

    var hasOlderPeer: Bool { olderPeer.load(ordering: .relaxed) }
}

extension EndpointType {
    /// What nodes before Iron announce.
    private static let noHash = "TypeHashNotSupported"

    /// Whether the hash is neither one nor the text that stands for none.
    var hasMalformedHash: Bool { typeHash == nil && hash != Self.noHash }
}
