internal import BlueZ
internal import DBus
internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Listens which boards are in range, on a thread and a bus of its own while it does.
package final class BluetoothScanner: Sendable {
    private struct State {
        var known = RobotRadioState()
        var isRunning = false
        var mustStop = false
        var waker: Waker?
    }

    private static let longestWait: Duration = .seconds(1)

    private let scan: Mutex<State>
    private let clock: any MonotonicClock
    private let openBus: BluetoothTransport.OpenBus

    /// One that does not listen.
    init(clock: any MonotonicClock, openBus: @escaping BluetoothTransport.OpenBus) {
        self.clock = clock
        self.openBus = openBus
        scan = Mutex(State())
    }

    /// What it has heard.
    var state: RobotRadioState { scan.withLock { $0.known } }

    /// Begins to listen.
    func start() {
        let waker: Waker
        do throws(SocketError) { waker = try Waker() } catch {
            return scan.withLock { scan in if !scan.isRunning { scan.known.problem = error.what } }
        }
        let mustStart = scan.withLock { scan in
            if scan.isRunning {
                // One that is about to end goes on.
                (scan.mustStop, scan.known.isScanning) = (false, true)
                return false
            }
            (scan.isRunning, scan.mustStop, scan.waker) = (true, false, waker)
            scan.known = RobotRadioState()
            scan.known.isScanning = true
            return true
        }
        guard mustStart, !DedicatedThread.start({ [self] in run(waker) }) else { return }
        scan.withLock { Self.end(&$0, "the system cannot create a thread") }
    }

    /// Ends it; the boards stay listed.
    func stop() {
        let waker = scan.withLock { scan -> Waker? in
            guard scan.isRunning else { return nil }
            scan.mustStop = true
            scan.known.isScanning = false
            return scan.waker
        }
        waker?.wake()
    }

    // MARK: Its thread

    private func run(_ waker: Waker) {
        do throws(BusFailure) {
            var pump = BusPump(LECentral(.scan, kind: BlunoBoard.kind), bus: try openBus())
            defer { pump.end(now: clock.now) }
            pump.central.begin(now: clock.now)
            try pump.send()
            try listen(&pump, waker)
        } catch {
            let words = error.hint.isEmpty ? error.what : "\(error.what); \(error.hint)"
            scan.withLock { Self.end(&$0, words) }
        }
    }

    /// Until it is to end, which it then has noted: a new start makes a new thread from then on.
    private func listen(_ pump: inout BusPump, _ waker: Waker) throws(BusFailure) {
        var poller = Poller()
        while true {
            let now = clock.now
            let hasMore = try pump.take(now: now)
            pump.central.advance(now: now)
            try pump.send()
            if case .failed(let failure) = pump.central.step {
                throw BusFailure(failure.what, hint: failure.hint)
            }
            let boards = Self.boards(pump.central)
            let hasEnded = scan.withLock { scan in
                scan.known.boards = boards
                guard scan.mustStop || pump.central.step == .ended else { return false }
                Self.end(&scan, nil)
                return true
            }
            if hasEnded { return }
            poller.reset()
            let place = poller.add(waker.descriptor)
            poller.add(pump.bus.descriptor, writing: pump.bus.wantsWriting)
            let due = pump.central.nextDeadline.map { $0 - now } ?? Self.longestWait
            poller.waitPrecisely(hasMore ? .zero : max(.zero, min(due, Self.longestWait)))
            if poller.isReady(place) { waker.clear() }
        }
    }

    private static func boards(_ central: LECentral) -> [RobotBoard] {
        central.devices.filter { central.isOfKind($0) }.prefix(RobotRadioState.mostBoards).map {
            RobotBoard(address: $0.address, name: $0.name, rssi: $0.rssi, isConnected: $0.isConnected)
        }
    }

    private static func end(_ scan: inout State, _ problem: String?) {
        if let problem { scan.known.problem = problem.sanitizedLine }
        (scan.isRunning, scan.known.isScanning, scan.waker) = (false, false, nil)
    }
}
