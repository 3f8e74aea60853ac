internal import Synchronization
internal import UAVLink

/// How everybody else talks to a session's thread.
final class SessionMailbox: Sendable {
    private struct State {
        var newChannels: [ChannelCore] = []
        var stop: LinkError?
        var finished: LinkError?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let wake: WakeSignal

    init() throws(LinkError) { wake = try WakeSignal() }

    /// Asks for a channel; fails it at once when the session is over.
    func open(_ core: ChannelCore) {
        let over = state.withLock { state -> LinkError? in
            if let error = state.finished ?? state.stop { return error }
            state.newChannels.append(core)
            return nil
        }
        if let over { core.end(.failed(over)) } else { wake.raise() }
    }

    /// Something about some channel has changed.
    func attend() { wake.raise() }

    /// Asks the thread to end the session; what waits fails with `reason`.
    func stop(_ reason: LinkError) {
        state.withLock { state in
            if state.stop == nil { state.stop = reason }
        }
        wake.raise()
    }

    /// Why the session is to end, or has ended.
    var stopReason: LinkError? { state.withLock { $0.finished ?? $0.stop } }

    /// Whether the thread still serves.
    var isFinished: Bool { state.withLock { $0.finished != nil } }

    /// Returns when the thread has ended, which it does soon after ``stop(_:)``.
    func untilFinished() async {
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

    /// The thread's last act: nothing is served any more.
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
