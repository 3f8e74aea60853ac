package import MRS
package import UAVLink

/// For a vehicle without topics.
package final class NoTopicWatch: TopicWatching {
    private let error: LinkError

    /// - Parameter error: why there are none.
    package init(_ error: LinkError) { self.error = error }

    package var obstacle: LinkError? { error }

    package func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] { throw error }

    package func updates(of topic: String) -> AsyncStream<TopicUpdate> {
        AsyncStream { continuation in
            continuation.yield(.failed(error))
            continuation.finish()
        }
    }

    package func close() async {}
}
