package import MRS
package import UAVLink

/// A topic that the user added, and its current state.
package struct WatchedTopic: Hashable, Sendable {
    /// Its complete name.
    package let name: String
    /// Its newest message, with the time of reception.
    package internal(set) var reading: Sample<TopicReading>?
    /// Why no messages arrive; empty while they do.
    package internal(set) var silence = "waiting for the first message"
    /// Messages per second.
    package internal(set) var hertz: Double?
    /// Why it cannot be watched.
    package internal(set) var failure: LinkError?
}

/// The topics watched on one vehicle; released together.
@MainActor
final class WatchedTopics {
    private let watch: any TopicWatching
    private let clock: any MonotonicClock
    private let changed: () -> Void
    private var entries: [(topic: WatchedTopic, task: Task<Void, Never>)] = []

    /// Watches no topic yet; `changed` is called for each message.
    init(_ watch: any TopicWatching, clock: any MonotonicClock, changed: @escaping () -> Void) {
        self.watch = watch
        self.clock = clock
        self.changed = changed
    }

    isolated deinit { end() }

    var topics: [WatchedTopic] { entries.map(\.topic) }

    /// Why there never are any; `nil` if there may be.
    var obstacle: LinkError? { watch.obstacle }

    /// Starts watching a topic.
    ///
    /// - Returns: `false` if it is watched already, or the maximum is reached.
    func add(_ name: String) -> Bool {
        guard entries.count < TopicLimits.watched, !entries.contains(where: { $0.topic.name == name }) else {
            return false
        }
        let updates = watch.updates(of: name)
        let task = Task { @MainActor [weak self] in
            for await update in updates {
                guard let self else { return }
                self.take(update, of: name)
            }
        }
        entries.append((WatchedTopic(name: name), task))
        return true
    }

    func remove(at index: Int) {
        guard entries.indices.contains(index) else { return }
        entries.remove(at: index).task.cancel()
    }

    func published(within timeout: Duration) async throws(LinkError) -> [PublishedTopic] {
        try await watch.published(within: timeout)
    }

    /// Stops watching all topics; closing continues in the background.
    func end() {
        for entry in entries { entry.task.cancel() }
        entries = []
        let watch = watch
        Task { await watch.close() }
    }

    private func take(_ update: TopicUpdate, of name: String) {
        guard let index = entries.firstIndex(where: { $0.topic.name == name }) else { return }
        switch update {
        case .silent(let why, let hertz):
            entries[index].topic.silence = why
            entries[index].topic.hertz = hertz
        case .reading(let reading):
            entries[index].topic.reading = Sample(reading, at: clock.now)
            entries[index].topic.silence = ""
            entries[index].topic.hertz = reading.hertz
        case .failed(let error):
            entries[index].topic.failure = error
        }
        changed()
    }
}
