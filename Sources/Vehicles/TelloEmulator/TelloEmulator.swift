internal import Synchronization
package import SystemIO
internal import Threads
package import UAVLink

/// An ``EmulatedTello`` on real UDP sockets, with a thread of its own.
package final class TelloEmulator: Sendable {
    /// Where it is reached.
    package struct Settings: Sendable {
        /// The address of this machine on which it takes commands.
        package var address = IPv4Address.loopback
        /// The port of commands; 0 for one that the system chooses.
        package var port: UInt16 = 8889
        /// The port of its ground to which it sends its state.
        package var statePort: UInt16 = 8890
        /// The port of its ground to which it sends its video.
        package var videoPort: UInt16 = 11_111
        /// What it is like.
        package var tello = EmulatedTello.Settings()
        /// The source of time.
        package var clock: any MonotonicClock = SystemMonotonicClock()

        /// As a real one, but on the loopback.
        package init() {}
    }

    private struct State {
        var tello: EmulatedTello
        /// Who has sent commands, by the numbers under which the drone knows them; the newest few.
        var grounds: [Int: DatagramSocket.Endpoint] = [:]
        var lastGround = 0
        /// Who sent the newest command: gets the state.
        var ground: DatagramSocket.Endpoint?
        var stateDue: MonotonicTime
        var frameDue: MonotonicTime
        var frame = 0
        /// Whether nothing is answered any more, while the state is still sent.
        var isMute = false
        /// Whether nothing is sent at all.
        var isSilent = false
        var isEnding = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let socket: DatagramSocket
    private let waker: Waker
    private let statePort: UInt16
    private let videoPort: UInt16
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    private static let statePeriod: Duration = .milliseconds(100)
    private static let framePeriod: Duration = .milliseconds(33)
    private static let step: Duration = .milliseconds(10)
    private static let mostAtOnce = 32
    private static let mostGrounds = 16

    /// Opens its socket and switches it on.
    ///
    /// - Throws: ``SystemIO/SocketError`` if the port is taken, or the system has no more descriptors or threads.
    package init(_ settings: Settings) throws(SocketError) {
        socket = try DatagramSocket(bound: .init(settings.address, port: settings.port))
        waker = try Waker()
        statePort = settings.statePort
        videoPort = settings.videoPort
        clock = settings.clock
        let now = settings.clock.now
        state = Mutex(State(tello: EmulatedTello(settings.tello, now: Self.seconds(now)), stateDue: now, frameDue: now))
        guard DedicatedThread.start({ [self] in run() }) else {
            throw SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// The port on which it takes commands.
    package var port: UInt16 { socket.port }

    /// The drone as it is now.
    package var tello: EmulatedTello { state.withLock { $0.tello } }

    /// Changes what it is like.
    package func change(_ body: (inout EmulatedTello.Settings) -> Void) {
        state.withLock { body(&$0.tello.settings) }
    }

    /// Answers nothing from now on; with `silently` it does not send its state either.
    package func mute(silently: Bool = false) {
        state.withLock { state in
            state.isMute = true
            state.isSilent = silently
        }
    }

    /// Answers and sends its state again.
    package func unmute() { state.withLock { ($0.isMute, $0.isSilent) = (false, false) } }

    /// Switches it off, and returns when its thread has ended.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isEnding = true
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            waker.wake()
            if isOver { continuation.resume() }
        }
    }

    // MARK: The thread

    private func run() {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: 1024)
        while !state.withLock({ $0.isEnding }) {
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            let place = poller.add(socket.descriptor)
            poller.waitPrecisely(Self.step)
            if poller.isReady(wakerPlace) { waker.clear() }
            let now = clock.now
            state.withLock { $0.tello.advance(to: Self.seconds(now)) }
            if poller.isReady(place) { read(into: &buffer) }
            state.withLock { speak(&$0, now: now) }
        }
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func read(into buffer: inout [UInt8]) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .nothing: return
            case .failed: continue
            case .datagram(let count, let source):
                state.withLock { state in
                    state.ground = source
                    state.tello.receive(buffer.prefix(count), from: Self.number(of: source, in: &state))
                }
            }
        }
    }

    private static func number(of ground: DatagramSocket.Endpoint, in state: inout State) -> Int {
        if let known = state.grounds.first(where: { $0.value == ground })?.key { return known }
        state.lastGround &+= 1
        state.grounds[state.lastGround] = ground
        if state.grounds.count > mostGrounds, let oldest = state.grounds.keys.min() { state.grounds[oldest] = nil }
        return state.lastGround
    }

    private func speak(_ state: inout State, now: MonotonicTime) {
        let answers = state.tello.takeAddressedAnswers()
        guard let ground = state.ground else { return }
        if !state.isMute {
            for answer in answers { _ = socket.send(answer.bytes, to: state.grounds[answer.ground] ?? ground) }
        }
        if state.tello.sendsVideo, now >= state.frameDue, !state.isSilent { sendFrame(&state, to: ground, now: now) }
        guard state.tello.isInCommandMode, now >= state.stateDue else { return }
        state.stateDue = max(state.stateDue + Self.statePeriod, now)
        guard !state.isSilent, state.tello.sendsState else { return }
        let target = DatagramSocket.Endpoint(ground.address, port: statePort)
        _ = socket.send(Array(state.tello.stateLine.utf8), to: target)
    }

    /// A frame as the drone cuts it: in pieces of 1460 bytes, of which the last one is shorter.
    private func sendFrame(_ state: inout State, to ground: DatagramSocket.Endpoint, now: MonotonicTime) {
        state.frameDue = max(state.frameDue + Self.framePeriod, now)
        let bytes = EmulatedVideo.frame(state.frame)
        state.frame &+= 1
        let target = DatagramSocket.Endpoint(ground.address, port: videoPort)
        for start in stride(from: 0, to: bytes.count, by: EmulatedVideo.pieceBytes) {
            _ = socket.send(Array(bytes[start...].prefix(EmulatedVideo.pieceBytes)), to: target)
        }
    }

    private static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds) / 1e9 }
}
