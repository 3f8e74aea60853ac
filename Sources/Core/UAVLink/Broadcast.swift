import Synchronization

/// Sends each new value to any number of readers; newest wins: a slow reader gets the newest value, never a queue.
public final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var latest: Value?
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A broadcast without a value.
    public init() {}

    /// The newest value.
    public var latest: Value? { state.withLock { $0.latest } }

    /// Adds a reader: it gets the newest value at once, if there is one, then every newer one it keeps up with.
    public func stream() -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let reader: UInt64? = state.withLock { state in
                if let latest = state.latest { continuation.yield(latest) }
                guard !state.isFinished else { return nil }
                state.nextReader += 1
                state.readers[state.nextReader] = continuation
                return state.nextReader
            }
            guard let reader else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: reader) }
            }
        }
    }

    /// Sends a value to every reader.
    public func send(_ value: Value) {
        let readers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
            guard !state.isFinished else { return [] }
            state.latest = value
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(value) }
    }

    /// Ends every reader's stream; the latest value stays.
    public func finish() {
        let readers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
