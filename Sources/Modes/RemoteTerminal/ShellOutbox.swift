internal import Synchronization

/// Queued input for a shell, in order and bounded; the sender takes all queued bytes at once.
final class ShellOutbox: Sendable {
    /// The maximum: the largest paste and what is typed after it.
    static let most = 4 << 20
    /// Terminal replies are queued only up to here: a program that requests them without reading gets no more.
    static let mostAnswers = 64 * 1024

    private let waiting = Mutex<[UInt8]>([])
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Queues bytes; `false`, with nothing queued, if the queue is full.
    @discardableResult
    func put(_ bytes: [UInt8], limit: Int = most) -> Bool {
        guard !bytes.isEmpty else { return true }
        let isTaken = waiting.withLock { waiting in
            guard waiting.count + bytes.count <= limit else { return false }
            waiting += bytes
            return true
        }
        if isTaken { signal.yield() }
        return isTaken
    }

    /// Calls `send` repeatedly with the queued bytes, until it returns `false`, the outbox is closed or the task is
    /// cancelled.
    func drain(_ send: ([UInt8]) async -> Bool) async {
        for await _ in signals {
            while true {
                let bytes = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                if bytes.isEmpty { break }
                guard await send(bytes) else { return }
            }
        }
    }

    func close() { signal.finish() }
}
