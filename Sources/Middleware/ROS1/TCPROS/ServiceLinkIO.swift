internal import ROSMessages
internal import Synchronization
internal import SystemIO

/// The I/O thread's side of a connection: it writes queued requests, and completes and expires calls.
extension ServiceLink {
    /// When calls are looked through for expired ones: at the earliest deadline of the waiting calls, or of one that was answered
    /// since. It is kept although that call needs it no more, so that the next one finds the thread planning to wake early enough, and
    /// need not wake it: that would cost each of many short calls one more change of threads.
    var nextExpiry: ContinuousClock.Instant? {
        state.withLock { state in
            for call in state.calls where call.completion != nil {
                state.nextExpiry = min(state.nextExpiry ?? call.deadline, call.deadline)
            }
            return state.nextExpiry
        }
    }

    /// Whether the link is closed, or retired without a waiting call.
    var isDrained: Bool {
        state.withLock { state in
            if case .closed = state.phase { return true }
            return state.isRetired && state.calls.allSatisfy { $0.completion == nil }
        }
    }

    /// The header was accepted: sends the requests made so far.
    func opened(_ socket: SocketHandle) {
        let waiters = outgoing.withLock { outgoing in
            state.withLock { state in
                state.phase = .open(socket)
                for index in state.calls.indices {
                    guard let bytes = state.calls[index].unsent else { continue }
                    outgoing.watch(bytes.count, state.calls[index].watcher)
                    outgoing.bytes += bytes
                    state.calls[index].unsent = nil
                }
                isBacklogged.store(!outgoing.bytes.isEmpty, ordering: .releasing)
                defer { state.openWaiters = [] }
                return state.openWaiters
            }
        }
        for waiter in waiters { waiter(.success(())) }
        _ = flush()
    }

    /// Writes queued bytes; `false` when the connection is broken.
    func flush() -> Bool {
        let (isAlive, progressUpdates) = outgoing.withLock { outgoing -> (Bool, [(Watcher, Double)]) in
            guard case .open(let socket) = state.withLock({ $0.phase }) else { return (true, []) }
            while outgoing.sent < outgoing.bytes.count {
                switch outgoing.bytes.withUnsafeBytes({
                    socket.write(UnsafeRawBufferPointer(rebasing: $0[outgoing.sent...]))
                }) {
                case .moved(let count): outgoing.sent += count
                case .wouldBlock: return (true, outgoing.progressUpdates)
                case .ended, .failed: return (false, [])
                }
            }
            let progressUpdates = outgoing.progressUpdates
            outgoing.bytes.removeAll(keepingCapacity: true)
            outgoing.sent = 0
            outgoing.watched = []
            isBacklogged.store(false, ordering: .releasing)
            return (true, progressUpdates)
        }
        for (watcher, fraction) in progressUpdates { watcher(fraction) }
        return isAlive
    }

    /// Completes the oldest call with a response; `false` when there is no call.
    func answered(_ result: Result<ROSReader, ROSError>) -> Bool {
        let (known, completion) = state.withLock { state -> (Bool, Completion?) in
            guard !state.calls.isEmpty else { return (false, nil) }
            return (true, state.calls.removeFirst().completion)
        }
        completion?(result)
        return known
    }

    /// Fails the calls whose deadline has passed.
    func expire(_ now: ContinuousClock.Instant) {
        let completions = state.withLock { state -> [Completion] in
            state.nextExpiry = nil
            var completions: [Completion] = []
            var index = 0
            while index < state.calls.count {
                guard state.calls[index].completion != nil, state.calls[index].deadline <= now else {
                    index += 1
                    continue
                }
                let wasUnsent = state.calls[index].unsent != nil
                if let completion = Self.abandon(index, &state) { completions.append(completion) }
                if !wasUnsent { index += 1 }
            }
            return completions
        }
        for completion in completions {
            completion(.failure(ROSError(.timedOut, "the service did not answer in time")))
        }
    }

    /// Closes the link: calls whose request was not sent fail with `unsent`, the others with `sent`.
    func close(unsent: ROSError, sent: ROSError) {
        let (calls, waiters) = state.withLock { state -> ([Call], [@Sendable (Result<Void, ROSError>) -> Void]) in
            if case .opening = state.phase { state.failure = unsent }
            state.phase = .closed
            defer {
                state.calls = []
                state.openWaiters = []
            }
            return (state.calls, state.openWaiters)
        }
        for call in calls { call.completion?(.failure(call.unsent == nil ? sent : unsent)) }
        for waiter in waiters { waiter(.failure(unsent)) }
    }
}
