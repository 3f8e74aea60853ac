internal import Synchronization
package import SystemIO
internal import Threads
package import UAVLink

/// An ``EmulatedARDrone`` on real sockets, with a thread of its own.
package final class ARDroneEmulator: Sendable {
    /// Where it is reached.
    package struct Settings: Sendable {
        /// The address of this machine on which it is reached.
        package var address = IPv4Address.loopback
        /// The ports, UDP, of commands and navigation data; 0 for ones that the system chooses.
        package var commandPort: UInt16 = 5556
        package var navdataPort: UInt16 = 5554
        /// The port, TCP, of the configuration; 0 for one that the system chooses.
        package var controlPort: UInt16 = 5559
        /// The port, TCP, of the video; 0 for one that the system chooses.
        package var videoPort: UInt16 = 5555
        /// What it is like.
        package var drone = EmulatedARDrone.Settings()
        /// The source of time.
        package var clock: any MonotonicClock = SystemMonotonicClock()

        /// As a real one, but on the loopback.
        package init() {}
    }

    private struct State {
        var drone: EmulatedARDrone
        /// Who asked for navigation data last.
        var ground: DatagramSocket.Endpoint?
        /// Whether it sends nothing any more, while it hears.
        var isMute = false
        /// Whether it hears nothing.
        var isDeaf = false
        /// How many receive its video.
        var viewers = 0
        var isEnding = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let commands: DatagramSocket
    private let navdata: DatagramSocket
    private let control: SocketHandle
    /// The port on which its configuration is sent.
    package let controlPort: UInt16
    private let video: SocketHandle
    /// The port on which its video is sent.
    package let videoPort: UInt16
    private let waker: Waker
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    private static let step: Duration = .milliseconds(5)
    private static let mostAtOnce = 64
    private static let mostConnections = 8

    /// Opens its sockets and switches it on.
    ///
    /// - Throws: ``SystemIO/SocketError`` if a port is taken, or the system has no more descriptors or threads.
    package init(_ settings: Settings) throws(SocketError) {
        commands = try DatagramSocket(bound: .init(settings.address, port: settings.commandPort))
        navdata = try DatagramSocket(bound: .init(settings.address, port: settings.navdataPort))
        (control, controlPort) = try SocketHandle.listen(on: settings.address, port: settings.controlPort)
        (video, videoPort) = try SocketHandle.listen(on: settings.address, port: settings.videoPort)
        waker = try Waker()
        clock = settings.clock
        state = Mutex(State(drone: EmulatedARDrone(settings.drone, now: Self.seconds(settings.clock.now))))
        guard DedicatedThread.start({ [self] in run() }) else {
            throw SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// The port on which it takes commands.
    package var commandPort: UInt16 { commands.port }
    /// The port of navigation data.
    package var navdataPort: UInt16 { navdata.port }

    /// The drone as it is now.
    package var drone: EmulatedARDrone { state.withLock { $0.drone } }

    /// How many connections to its video are open.
    package var viewers: Int { state.withLock { $0.viewers } }

    /// Changes what it is like.
    package func change(_ body: (inout EmulatedARDrone.Settings) -> Void) {
        state.withLock { body(&$0.drone.settings) }
    }

    /// Sends nothing from now on; with `deaf` it hears nothing either, as out of reach.
    package func mute(deaf: Bool = false) { state.withLock { ($0.isMute, $0.isDeaf) = (true, deaf) } }

    /// Sends and hears again.
    package func unmute() { state.withLock { ($0.isMute, $0.isDeaf) = (false, false) } }

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
        var buffer = [UInt8](repeating: 0, count: 2048)
        var connections: [SocketHandle] = []
        var viewers: [SocketHandle] = []
        var camera = EmulatedARDroneVideo(now: Self.seconds(clock.now))
        while !state.withLock({ $0.isEnding }) {
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            let commandPlace = poller.add(commands.descriptor)
            let navdataPlace = poller.add(navdata.descriptor)
            let controlPlace = poller.add(control.descriptor)
            let videoPlace = poller.add(video.descriptor)
            poller.waitPrecisely(Self.step)
            if poller.isReady(wakerPlace) { waker.clear() }
            let now = clock.now
            state.withLock { $0.drone.advance(to: Self.seconds(now)) }
            if poller.isReady(commandPlace) {
                read(commands, into: &buffer) { state, bytes, _ in state.drone.receive(bytes) }
            }
            if poller.isReady(navdataPlace) {
                read(navdata, into: &buffer) { state, _, source in
                    state.ground = source
                    state.drone.receiveRequest()
                }
            }
            if poller.isReady(controlPlace) { Self.accept(control, into: &connections) }
            if poller.isReady(videoPlace) { Self.accept(video, into: &viewers) }
            speak(to: connections)
            if let frame = camera.frame(now: Self.seconds(now)) { show(frame, to: &viewers) }
            let count = viewers.count
            state.withLock { $0.viewers = count }
        }
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func read(
        _ socket: DatagramSocket, into buffer: inout [UInt8],
        _ take: (inout State, ArraySlice<UInt8>, DatagramSocket.Endpoint) -> Void
    ) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .nothing: return
            case .failed: continue
            case .datagram(let count, let source):
                state.withLock { state in
                    if !state.isDeaf { take(&state, buffer.prefix(count), source) }
                }
            }
        }
    }

    private static func accept(_ listener: SocketHandle, into connections: inout [SocketHandle]) {
        guard case .connection(let connection) = listener.acceptNext() else { return }
        if connections.count >= mostConnections { connections.removeFirst() }
        connections.append(connection)
    }

    /// Sends a frame; who does not take a whole one, or is gone, is left.
    private func show(_ frame: [UInt8], to viewers: inout [SocketHandle]) {
        guard !state.withLock({ $0.isMute }) else { return }
        viewers.removeAll { viewer in frame.withUnsafeBytes { viewer.write($0) } != .moved(frame.count) }
    }

    private func speak(to connections: [SocketHandle]) {
        let (packet, ground, dump) = state.withLock { state in
            let packet = state.drone.takePacket()
            let dump = state.drone.takeControlOutput()
            return state.isMute ? (nil, nil, []) : (packet, state.ground, dump)
        }
        if let packet, let ground { _ = navdata.send(packet, to: ground) }
        guard !dump.isEmpty else { return }
        // Some thousand bytes: they fit every buffer, and what does not is lost with its connection.
        for connection in connections { _ = dump.withUnsafeBytes { connection.write($0) } }
    }

    private static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds) / 1e9 }
}
