internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Shared by a ``TelloLink`` and its thread: the client, the sockets and those who wait.
final class TelloCore: Sendable {
    typealias Call = TelloClient.Call

    enum Waiter {
        case opener(CheckedContinuation<LinkError?, Never>)
        case commander(CheckedContinuation<Result<CommandReply, LinkError>, Never>)

        func fail(_ error: LinkError) {
            switch self {
            case .opener(let opener): opener.resume(returning: error)
            case .commander(let commander): commander.resume(returning: .failure(error))
            }
        }
    }

    /// Where datagrams go and come from.
    struct Sockets {
        let peer: DatagramSocket.Endpoint
        let commands: DatagramSocket
        let state: DatagramSocket
    }

    enum Life {
        case new
        case running(Sockets)
        case closed
    }

    struct State {
        var client: TelloClient
        var life = Life.new
        var waiters: [Call: Waiter] = [:]
        var lastCall: Call = 0
        /// Calls that were cancelled before they began.
        var cancelledEarly: Set<Call> = []
        var isThreadRunning = false
        var closers: [CheckedContinuation<Void, Never>] = []
        /// The latest time at which the thread wakes by itself.
        var wakesAt = MonotonicTime(nanoseconds: .max)
        /// Why the newest datagram could not be sent, as `errno`; 0 if it was.
        var sendFailure: Int32 = 0
        var setpoints: UInt64 = 0
        var waker: Waker?
    }

    let settings: TelloLink.Settings
    let clock: any MonotonicClock
    let broadcast = Broadcast<Telemetry>()
    let state: Mutex<State>
    /// When the program asked for something last, nanoseconds of the clock; a thread of the link itself does not count.
    let usedAt = Atomic<Int64>(.min)
    /// The link's own thread, as ``Threads/DedicatedThread/current``; 0 before it runs.
    let ownThread = Atomic<UInt>(0)

    init(_ settings: TelloLink.Settings) {
        self.settings = settings
        clock = settings.clock
        state = Mutex(State(client: TelloClient(vehicle: settings.vehicle)))
    }

    /// A value of the client.
    func client<Value: Sendable>(_ body: (TelloClient) -> Value) -> Value { state.withLock { body($0.client) } }

    /// Notes that the program runs and uses the link: an observer that the link itself calls says nothing of that.
    func noteUse() {
        guard DedicatedThread.current != ownThread.load(ordering: .relaxed) else { return }
        usedAt.store(clock.now.nanoseconds, ordering: .relaxed)
    }

    var quality: LinkQuality {
        let now = clock.now
        return state.withLock { state in
            guard case .running = state.life else { return state.client.statistics.quality(isConnected: false) }
            return state.client.statistics.quality(isConnected: state.client.isConnected(now: now))
        }
    }

    // MARK: Beginning

    var isStarted: Bool { state.withLock { if case .running = $0.life { true } else { false } } }

    func requireNotClosed() throws(LinkError) {
        let isClosed = state.withLock { if case .closed = $0.life { true } else { false } }
        if isClosed { throw Self.closed }
    }

    /// Opens the sockets and starts the thread, unless that was done meanwhile.
    ///
    /// - Throws: ``UAVLink/LinkError`` if a port is taken, or the system has no more descriptors or threads; `closed`.
    func start(to peer: DatagramSocket.Endpoint) throws(LinkError) {
        let sockets: Sockets
        let waker: Waker
        do throws(SocketError) {
            sockets = Sockets(
                peer: peer, commands: try DatagramSocket(bound: .init(.any, port: settings.commandPort)),
                state: try DatagramSocket(bound: .init(.any, port: settings.statePort)))
            waker = try Waker()
        } catch {
            // Another connection may have taken the ports for this same link.
            if isStarted { return }
            throw LinkError(.unreachable, error.what, hint: error.hint)
        }
        let mustStart = try state.withLock { state throws(LinkError) in
            switch state.life {
            case .closed: throw Self.closed
            case .running: return false
            case .new:
                (state.life, state.waker, state.isThreadRunning) = (.running(sockets), waker, true)
                return true
            }
        }
        guard mustStart, !DedicatedThread.start({ [self] in run(sockets, waker) }) else { return }
        state.withLock { state in
            (state.life, state.waker, state.isThreadRunning) = (.new, nil, false)
        }
        throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
    }

    private static let closed = LinkError(.closed, "the link was closed", hint: "create a new link")

    // MARK: Calls

    func newCall() -> Call {
        state.withLock { state in
            state.lastCall &+= 1
            return state.lastCall
        }
    }

    func open(for call: Call, until deadline: MonotonicTime, waiter: CheckedContinuation<LinkError?, Never>) {
        begin(call, .opener(waiter)) { client, now in client.open(for: call, until: deadline, now: now) }
    }

    func begin(
        _ command: Command, within timeout: Duration, for call: Call,
        waiter: CheckedContinuation<Result<CommandReply, LinkError>, Never>
    ) {
        begin(call, .commander(waiter)) { client, now in
            client.perform(command, for: call, within: timeout, now: now)
        }
    }

    private func begin(_ call: Call, _ waiter: Waiter, _ body: (inout TelloClient, MonotonicTime) -> Void) {
        let now = clock.now
        let refusal: LinkError? = state.withLock { state in
            switch state.life {
            case .closed: return Self.closed
            case .new: return LinkError(.notConnected, "the Tello is not connected", hint: "connect first")
            case .running: break
            }
            if state.cancelledEarly.remove(call) != nil { return LinkError(.cancelled, "cancelled") }
            state.waiters[call] = waiter
            body(&state.client, now)
            send(&state)
            return nil
        }
        if let refusal { return waiter.fail(refusal) }
        deliver()
        wake()
    }

    /// A call is cancelled; what was sent is not taken back.
    func cancel(_ call: Call, _ what: String) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.waiters.removeValue(forKey: call) else {
                state.cancelledEarly.insert(call)
                return nil
            }
            state.client.cancel(call)
            return waiter
        }
        waiter?.fail(LinkError(.cancelled, what))
    }

    /// A call is over: whoever cancels it later cancels nothing.
    func finished(_ call: Call) { _ = state.withLock { $0.cancelledEarly.remove(call) } }

    func steer(_ setpoint: VelocitySetpoint, as sticks: TelloSticks) throws(LinkError) -> SteeringReceipt {
        let now = clock.now
        let (receipt, isEarlier) = try state.withLock { state throws(LinkError) -> (SteeringReceipt, Bool) in
            switch state.life {
            case .closed: throw Self.closed
            case .new: throw LinkError(.notConnected, "the Tello is not connected", hint: "connect first")
            case .running: break
            }
            let isSent = state.client.steer(setpoint, as: sticks, now: now)
            send(&state)
            state.setpoints &+= 1
            let next = state.client.nextDeadline(now: now)
            return (
                SteeringReceipt(number: state.setpoints, sentAt: isSent ? now : nil),
                next.map { $0 < state.wakesAt } ?? false
            )
        }
        if isEarlier { wake() }
        return receipt
    }

    /// Sends what the client has to send; under the lock, so that nothing overtakes.
    func send(_ state: inout State) {
        guard case .running(let sockets) = state.life else { return }
        for command in state.client.takeOutgoing() {
            switch sockets.commands.send(command.bytes, to: sockets.peer) {
            case .moved: state.sendFailure = 0
            case .failed(let number): state.sendFailure = number
            // Full buffers: it is lost, as in the air.
            case .wouldBlock, .ended: break
            }
        }
    }

    /// Tells everybody who waits what has come for them; the lock is not held meanwhile.
    func deliver() {
        let (endings, failure) = state.withLock { state in
            let endings = state.client.takeEndings().compactMap { ending -> (Waiter, TelloClient.Ending)? in
                switch ending {
                case .opened(let call, _), .answered(let call, _):
                    state.waiters.removeValue(forKey: call).map { ($0, ending) }
                }
            }
            return (endings, state.sendFailure)
        }
        for (waiter, ending) in endings {
            switch (waiter, ending) {
            case (.opener(let opener), .opened(_, let error)):
                opener.resume(returning: error.map { Self.explained($0, failure) })
            case (.commander(let commander), .answered(_, let result)): commander.resume(returning: result)
            case (_, .opened(_, let error)): waiter.fail(error ?? Self.closed)
            case (_, .answered): waiter.fail(Self.closed)
            }
        }
    }

    /// Why nothing could be sent says more than that nothing was answered.
    private static func explained(_ error: LinkError, _ failure: Int32) -> LinkError {
        guard error.code == .unreachable, failure != 0 else { return error }
        return LinkError(.unreachable, "\(error.what) (\(SystemError.text(failure)))", hint: error.hint)
    }

    func wake() { state.withLock { $0.waker }?.wake() }

    // MARK: Ending

    func close() {
        state.withLock { state in
            state.client.close()
            send(&state)
            state.life = .closed
        }
        deliver()
        wake()
        broadcast.finish()
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
