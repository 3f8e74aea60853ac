internal import ROS2
internal import ROSMessages
internal import Synchronization
internal import Zenoh

/// Asks publishers for what they published before: all, whenever a session is open, and each one that
/// appears later.
final class PublicationHistory: Sendable {
    /// For the answers of one query; they arrive at once when there are any.
    private static let timeout: Duration = .seconds(10)

    private let number: UInt64
    private let session: ROS2Session
    private let watch: ZenohDeclaration
    private let isCancelled = Atomic(false)

    init(
        _ endpoint: Endpoint, depth: UInt64, session: ROS2Session, take: @escaping @Sendable (ZenohSample) -> Void
    ) throws(ROSError) {
        self.session = session
        number = endpoint.number
        let (key, zenoh) = (endpoint.key, session.zenoh)
        let ask: @Sendable (String) -> Void = { [weak zenoh] place in
            var question = ZenohQuestion(key: place)
            // The answers have the key of the topic, which is not the one that is asked for.
            question.parameters = "_anyke;_max=\(max(1, depth))"
            question.target = .all
            question.consolidation = ZenohConsolidation.none
            zenoh?.query(question, timeout: Self.timeout) { result in
                guard case .success(let replies) = result else { return }
                for case .value(let sample) in replies where sample.key == key { take(sample) }
            }
        }
        watch = try throwingROSError { () throws(ZenohError) in
            try zenoh.watchTokens(matching: "\(key)/@adv/pub/**") { change in
                if case .appeared(let place) = change { ask(place) }
            }
        }
        let all = "\(key)/@adv/**"
        session.state.whenOpen(endpoint.number) { ask(all) }
        if zenoh.isConnected { ask(all) }
    }

    func cancel() {
        guard !isCancelled.exchange(true, ordering: .relaxed) else { return }
        session.state.whenOpen(number, nil)
        watch.cancel()
    }
}
