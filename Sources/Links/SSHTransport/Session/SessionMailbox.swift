internal import Synchronization
internal import SystemIO
internal import UAVLink

/// The thread-safe interface to a session's thread.
final class SessionMailbox: Sendable {
    private struct State {
        var newChannels: [ChannelCore] = []
        var stop: LinkError?
        var finished: LinkError?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let waker: Waker

    init() throws(LinkError) { waker = try .make() }

    /// Requests a channel; fails it at once when the session has ended.
    func open(_ core: ChannelCore) {
        let over = state.withLock { state -> LinkError? in
            if let error = state.finished ?? state.stop { return error }
            state.newChannels.append(core)
            return nil
        }
        if let over { core.end(.failed(over)) } else { waker.wake() }
    }

    /// Wakes the thread because the state of a channel has changed.
    func attend() { waker.wake() }

    /// Requests the end of the session; everything pending fails with `reason`.
    func stop(_ reason: LinkError) {
        state.withLock { state in
            if state.stop == nil { state.stop = reason }
        }
        waker.wake()
    }

    /// Why the session has ended or is about to end; `nil` otherwise.
    var stopReason: LinkError? { state.withLock { $0.finished ?? $0.stop } }

    /// Waits until the thread has ended, soon after ``stop(_:)``.
    func waitUntilFinished() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.finished == nil { state.waitingForEnd.append(continuation) }
                return state.finished != nil
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: The thread's side

    func takeNewChannels() -> [ChannelCore] {
        state.withLock { state in
            defer { state.newChannels = [] }
            return state.newChannels
        }
    }

    /// Marks the session as ended; called last by the thread.
    func finish(_ reason: LinkError) {
        let (orphans, waiting) = state.withLock { state in
            state.finished = state.finished ?? reason
            defer {
                state.newChannels = []
                state.waitingForEnd = []
            }
            return (state.newChannels, state.waitingForEnd)
        }
        for core in orphans { core.end(.failed(reason)) }
        for continuation in waiting { continuation.resume() }
    }
}
