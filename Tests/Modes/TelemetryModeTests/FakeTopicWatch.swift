import MRS
import Synchronization
import TelemetryMode
import UAVLink

/// Topics as a test wants them.
final class FakeTopicWatch: TopicWatching {
    private struct State {
        var streams: [String: AsyncStream<TopicUpdate>.Continuation] = [:]
        var ended: [String] = []
        var isClosed = false
        var obstacle: LinkError?
        var published: Result<[PublishedTopic], LinkError> = .success([])
    }
    private let state = Mutex(State())

    /// The topics whose readers have ended.
    var ended: [String] { state.withLock { $0.ended } }
    /// The topics that are being read.
    var watched: [String] { state.withLock { $0.streams.keys.sorted() } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    var obstacle: LinkError? { state.withLock { $0.obstacle } }

    func setObstacle(_ obstacle: LinkError?) { state.withLock { $0.obstacle = obstacle } }

    func setPublished(_ published: Result<[PublishedTopic], LinkError>) {
        state.withLock { $0.published = published }
    }

    func send(_ update: TopicUpdate, to topic: String) {
        _ = state.withLock { $0.streams[topic] }?.yield(update)
    }

    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] {
        try state.withLock { $0.published }.get()
    }

    func updates(of topic: String) -> AsyncStream<TopicUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: TopicUpdate.self)
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.streams[topic] = nil
                state.ended.append(topic)
            }
        }
        state.withLock { $0.streams[topic] = continuation }
        return stream
    }

    func close() async { state.withLock { $0.isClosed = true } }
}

/// The telemetry screen as a test sees it.
@MainActor
final class FakeTelemetryView: TelemetryView {
    var shown = TelemetryScreenState()
    /// A screen holds its presenter; so does this one.
    var presenter: TelemetryPresenter?
    var count = 0
    func show(_ state: TelemetryScreenState) {
        shown = state
        count += 1
    }
}
