internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Shared by a ``BlunoLink`` and its thread: the client, the open port and those who wait.
final class BlunoCore: Sendable {
    typealias Call = UInt64

    /// Somebody who waits for the board to be ready, or for a stop to have been given to the port.
    struct Waiter {
        enum Aim { case ready, stopSent }

        var aim: Aim
        var deadline: MonotonicTime
        var continuation: CheckedContinuation<LinkError?, Never>
    }

    struct State {
        var client: BlunoClient
        /// The way to the board; another one once another board was chosen.
        var transport: any BlunoTransport
        var stream: (any BlunoStream)?
        /// A board that was left, until its stop has left too.
        var parting: Parting?
        /// Whether the stream has been opened to its end.
        var isOpen = false
        /// Why the way is to be given up, found while something was written or read.
        var failure: LinkError?
        /// Why the first opening has failed, for those who wait for it.
        var refusal: LinkError?
        /// Counts the boards that were chosen, so that what was begun for another one is dropped.
        var choice: UInt64 = 0
        var isClosed = false
        var isThreadRunning = false
        /// Whether the board is tried again: it was reached once, or somebody waits for it.
        var wasReached = false
        var opensAt: MonotonicTime?
        var waiters: [Call: Waiter] = [:]
        var lastCall: Call = 0
        var cancelledEarly: Set<Call> = []
        var closers: [CheckedContinuation<Void, Never>] = []
        var wakesAt = MonotonicTime(nanoseconds: .max)
        var setpoints: UInt64 = 0
        var waker: Waker?
    }

    let settings: BlunoLink.Settings
    let clock: any MonotonicClock
    let broadcast = Broadcast<Telemetry>()
    /// Says that the robot's state or its log has changed.
    let changes = Broadcast<UInt64>()
    let state: Mutex<State>

    static let closed = LinkError(.closed, "the link was closed", hint: "create a new link")

    init(_ settings: BlunoLink.Settings) {
        self.settings = settings
        clock = settings.clock
        state = Mutex(
            State(
                client: BlunoClient(
                    vehicle: settings.vehicle, program: settings.program, settling: settings.settling),
                transport: settings.transport))
    }

    var quality: LinkQuality {
        state.withLock { state in
            var quality = LinkQuality(isConnected: state.client.robot.phase == .ready)
            quality.measuresRoundTrips = false
            quality.setpointsSent = state.setpoints
            quality.lastTelemetryAt = state.client.robot.lastLine?.at
            return quality
        }
    }

    // MARK: Calls

    func newCall() -> Call {
        state.withLock { state in
            state.lastCall &+= 1
            return state.lastCall
        }
    }

    /// Starts the thread unless it runs.
    func start() throws(LinkError) {
        let waker: Waker
        do throws(SocketError) { waker = try Waker() } catch {
            throw LinkError(.internalFault, error.what, hint: error.hint)
        }
        let mustStart = try state.withLock { state throws(LinkError) in
            if state.isClosed { throw Self.closed }
            if state.isThreadRunning { return false }
            (state.isThreadRunning, state.waker) = (true, waker)
            return true
        }
        guard mustStart, !DedicatedThread.start({ [self] in run(waker) }) else { return }
        state.withLock { ($0.isThreadRunning, $0.waker) = (false, nil) }
        throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
    }

    /// Waits until the board is ready; opens the port if it is not open.
    func awaitReady(_ call: Call, until deadline: MonotonicTime, _ waiter: CheckedContinuation<LinkError?, Never>) {
        let answer: LinkError?? = state.withLock { state in
            if state.isClosed { return .some(Self.closed) }
            if state.cancelledEarly.remove(call) != nil { return .some(LinkError(.cancelled, "cancelled")) }
            if state.client.robot.phase == .ready { return .some(nil) }
            state.waiters[call] = Waiter(aim: .ready, deadline: deadline, continuation: waiter)
            if state.stream == nil, state.opensAt == nil { state.opensAt = clock.now }
            return .none
        }
        if let answer { return waiter.resume(returning: answer) }
        wake()
    }

    /// Stops the robot, and waits until the port has taken that.
    func stop(_ call: Call, until deadline: MonotonicTime, _ waiter: CheckedContinuation<LinkError?, Never>) {
        let answer: LinkError?? = state.withLock { state in
            if state.isClosed { return .some(Self.closed) }
            if state.cancelledEarly.remove(call) != nil { return .some(LinkError(.cancelled, "cancelled")) }
            do throws(LinkError) { try state.client.stop(now: clock.now) } catch { return .some(error) }
            write(&state)
            guard state.client.hasStop else { return .some(nil) }
            state.waiters[call] = Waiter(aim: .stopSent, deadline: deadline, continuation: waiter)
            return .none
        }
        wake()
        if let answer { waiter.resume(returning: answer) }
    }

    /// A call is cancelled; what was sent is not taken back.
    func cancel(_ call: Call, _ what: String) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiters.removeValue(forKey: call) else {
                state.cancelledEarly.insert(call)
                return nil
            }
            return waiter
        }
        waiter?.continuation.resume(returning: LinkError(.cancelled, what))
    }

    /// A call is over: whoever cancels it later cancels nothing.
    func finished(_ call: Call) { _ = state.withLock { $0.cancelledEarly.remove(call) } }

    /// Lets the client do something, and writes what follows, on the caller's thread.
    func act<Value: Sendable>(
        _ body: (inout State, MonotonicTime) throws(LinkError) -> Value
    ) throws(LinkError) -> Value {
        let now = clock.now
        let (value, mustWake) = try state.withLock { state throws(LinkError) -> (Value, Bool) in
            if state.isClosed { throw Self.closed }
            let value = try body(&state, now)
            write(&state)
            let isEarlier = state.client.nextDeadline.map { $0 < state.wakesAt } ?? false
            return (value, isEarlier || state.failure != nil || state.client.state.waitingBytes > 0)
        }
        if mustWake { wake() }
        return value
    }

    /// Gives the port what the client has, as far as it takes it; under the lock, so that nothing overtakes.
    func write(_ state: inout State) {
        guard let stream = state.stream, state.isOpen, state.failure == nil else { return }
        while let piece = state.client.next(underWay: stream.underWay) {
            var bytes = piece.bytes
            if piece.isStop, stream.canDiscard, stream.underWay > 0 {
                // A stop waits behind nothing that can still be taken back.
                stream.discard()
                state.client.noteDiscarded()
                bytes = state.client.next(underWay: 0)?.bytes ?? bytes
            }
            var outcome = stream.write(bytes)
            if outcome == .nothing, piece.isStop, stream.canDiscard {
                // No room although nothing is said to be under way: a pseudo terminal counts nothing.
                stream.discard()
                state.client.noteDiscarded()
                bytes = state.client.next(underWay: 0)?.bytes ?? bytes
                outcome = stream.write(bytes)
            }
            switch outcome {
            case .moved(let count): state.client.wrote(count, of: bytes, now: clock.now)
            case .nothing:
                state.client.wrote(0, of: bytes, now: clock.now)
                return
            case .ended(let why):
                state.failure = LinkError(.unreachable, why)
                return
            }
        }
    }

    func wake() { state.withLock { $0.waker }?.wake() }

    // MARK: Ending

    /// Stops what is driven by the keys, and closes.
    func close() {
        let waiters = state.withLock { state in
            guard !state.isClosed else { return [Waiter]() }
            state.client.close(now: clock.now)
            write(&state)
            state.isClosed = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(returning: Self.closed) }
        wake()
        broadcast.finish()
        changes.finish()
    }

    func waitForThread() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isThreadRunning { state.closers.append(continuation) }
                return !state.isThreadRunning
            }
            if isOver { continuation.resume() }
        }
    }
}
