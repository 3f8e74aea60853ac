internal import Synchronization

/// Bytes on their way to a shell, in order and bounded; whoever sends them fetches all that wait at once.
final class ShellOutbox: Sendable {
    /// The most that waits: a paste of the longest kind and what is typed after it.
    static let most = 4 << 20
    /// Answers to what the program asked wait only up to here: a program that asks without reading gets no more.
    static let mostAnswers = 64 * 1024

    private let waiting = Mutex<[UInt8]>([])
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes bytes; `false` when too much waits already, and nothing was taken.
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

    /// Calls `send` with what waits, again and again, until it says that it is enough, the outbox is closed or the task is
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
