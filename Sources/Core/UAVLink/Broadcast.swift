import Synchronization

/// Sends each new value to any number of readers; newest wins: a slow reader gets the newest value, never a queue. Observers get every
/// value, on the thread that sends it.
public final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var latest: Value?
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var observers: [UInt64: @Sendable (Value) -> Void] = [:]
        /// Of a reader or an observer.
        var lastNumber: UInt64 = 0
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
                state.lastNumber += 1
                state.readers[state.lastNumber] = continuation
                return state.lastNumber
            }
            guard let reader else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: reader) }
            }
        }
    }

    /// Calls `body` with each later value, on the thread that sends it: no other thread is woken for it. It must not block.
    ///
    /// - Returns: keeps the observer.
    public func observe(_ body: @escaping @Sendable (Value) -> Void) -> Observation {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = body
            return state.lastNumber
        }
        return Observation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
    }

    /// Sends a value to every reader and observer.
    public func send(_ value: Value) {
        typealias Readers = [AsyncStream<Value>.Continuation]
        let (readers, observers) = state.withLock { state -> (Readers, [@Sendable (Value) -> Void]) in
            guard !state.isFinished else { return ([], []) }
            state.latest = value
            return (Array(state.readers.values), Array(state.observers.values))
        }
        for observer in observers { observer(value) }
        for reader in readers { reader.yield(value) }
    }

    /// Ends every reader's stream; the latest value stays.
    public func finish() {
        // The observers go outside of the lock: with one of them an ``Observation`` may go that takes it.
        let (readers, observers) = state.withLock { state in
            state.isFinished = true
            defer { (state.readers, state.observers) = ([:], [:]) }
            return (Array(state.readers.values), state.observers)
        }
        for reader in readers { reader.finish() }
        withExtendedLifetime(observers) {}
    }
}

/// Keeps an observer: it is called until this is released or ended. A call that is under way on another thread is not waited for.
public final class Observation: Sendable {
    private let onEnd: @Sendable () -> Void

    /// An observer that `onEnd` removes; it may be called twice.
    public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }

    /// Ends the calls. Safe to call twice.
    public func end() { onEnd() }
}
