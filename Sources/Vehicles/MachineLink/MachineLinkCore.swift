internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

/// Shared by the link of a machine and its thread: the client, the sockets and those who wait.
///
/// ```
///   callers ──▶ client, under a lock ──▶ sockets
///                 ▲ what comes, time
///               the link's thread ──▶ telemetry, answers
/// ```
package final class MachineLinkCore<Client: MachineClient, Sockets: MachineSockets>: Sendable
where Client.Outgoing == Sockets.Outgoing {
    /// The number of a call.
    package typealias Call = UInt64

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

    enum Life {
        case new
        case running(Sockets)
        case closed
    }

    struct State {
        var client: Client
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

    /// The source of time.
    package let clock: any MonotonicClock
    /// The telemetry for the program.
    package let broadcast = Broadcast<Telemetry>()
    /// The machine in messages: `the Tello`.
    let machine: String
    let state: Mutex<State>
    /// When the program asked for something last, nanoseconds of the clock; a thread of the link itself does not count.
    let usedAt = Atomic<Int64>(.min)
    /// The link's own thread, as ``Threads/DedicatedThread/current``; 0 before it runs.
    let ownThread = Atomic<UInt>(0)

    /// A link that has opened nothing.
    ///
    /// - Parameter machine: the machine in messages: `the Tello`.
    package init(_ client: Client, of machine: String, clock: any MonotonicClock) {
        self.clock = clock
        self.machine = machine
        state = Mutex(State(client: client))
    }

    /// A value of the client.
    package func client<Value: Sendable>(_ body: (Client) -> Value) -> Value { state.withLock { body($0.client) } }

    /// Notes that the program runs and uses the link: an observer that the link itself calls says nothing of that.
    package func noteUse() {
        guard !isOwnThread else { return }
        usedAt.store(clock.now.nanoseconds, ordering: .relaxed)
    }

    var isOwnThread: Bool { DedicatedThread.current == ownThread.load(ordering: .relaxed) }

    /// The quality of the link.
    package var quality: LinkQuality {
        let now = clock.now
        return state.withLock { state in
            if case .running = state.life { state.client.quality(now: now) } else { state.client.quality(now: nil) }
        }
    }

    // MARK: Beginning

    /// The sockets; `nil` before it is started, and once it is closed.
    package var sockets: Sockets? {
        state.withLock { if case .running(let sockets) = $0.life { sockets } else { nil } }
    }

    /// - Throws: `closed`.
    package func requireNotClosed() throws(LinkError) {
        let isClosed = state.withLock { if case .closed = $0.life { true } else { false } }
        if isClosed { throw Self.closed }
    }

    static var closed: LinkError { LinkError(.closed, "the link was closed", hint: "create a new link") }
    var notConnected: LinkError { LinkError(.notConnected, "\(machine) is not connected", hint: "connect first") }

    // MARK: Ending

    /// Ends every call and the thread; the client says its last.
    package func close() {
        state.withLock { state in
            state.client.close(now: clock.now)
            send(&state)
            state.life = .closed
        }
        deliver()
        wake()
        broadcast.finish()
    }

    /// Waits until the thread has ended after ``close()``: then the sockets are closed.
    package func waitForThread() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isThreadRunning { state.closers.append(continuation) }
                return !state.isThreadRunning
            }
            if isOver { continuation.resume() }
        }
    }
}
