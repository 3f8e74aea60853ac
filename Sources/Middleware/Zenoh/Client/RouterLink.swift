internal import Synchronization
internal import SystemIO

/// One connection to the router and its session, on the I/O thread; it ends with the first error.
final class RouterLink: LoopHandler {
    private enum Phase {
        case resolving
        case connecting(SocketHandle)
        case running(SocketHandle)
        case finished
    }

    /// How many times in a row the socket is read before others are served.
    private static let maximumConsecutiveReads = 16

    private let host: String
    private let port: UInt16
    private let settings: SessionMachine.Settings
    private let output: SessionOutput
    private let onEvent: (SessionMachine.Event) throws(ZenohError) -> Void
    private let onEnd: (ZenohError, LoopCore) -> Void
    private var phase = Phase.resolving
    private var machine: SessionMachine?
    /// The machine counts its time from here.
    private let began = ContinuousClock.now

    init(
        host: String, port: UInt16, settings: SessionMachine.Settings, output: SessionOutput,
        onEvent: @escaping (SessionMachine.Event) throws(ZenohError) -> Void,
        onEnd: @escaping (ZenohError, LoopCore) -> Void
    ) {
        self.host = host
        self.port = port
        self.settings = settings
        self.output = output
        self.onEvent = onEvent
        self.onEnd = onEnd
    }

    var isFinished: Bool { if case .finished = phase { true } else { false } }

    var descriptor: Int32 { socket?.descriptor ?? -1 }
    var owner: AnyObject? { socket }

    private var socket: SocketHandle? {
        switch phase {
        case .connecting(let socket), .running(let socket): socket
        case .resolving, .finished: nil
        }
    }

    var interest: Readiness {
        switch phase {
        case .connecting: .writable
        default: output.isBacklogged.load(ordering: .acquiring) ? .bothWays : .readable
        }
    }

    var deadline: ContinuousClock.Instant? { began + (machine?.deadline ?? settings.openTimeout) }

    private var elapsed: Duration { began.duration(to: .now) }

    /// Looks the host up and connects.
    func begin(on loop: LoopCore) {
        loop.lookUp(host) { [weak self, unowned loop] result in
            guard let self, case .resolving = self.phase else { return }
            do throws(SocketError) {
                self.phase = .connecting(try loop.connect(to: try result.get(), port: self.port))
            } catch { self.unreachable(error.what, on: loop) }
        }
    }

    private func unreachable(_ reason: String, on loop: LoopCore) {
        end(
            ZenohError(
                .unreachable, "cannot reach the Zenoh router at tcp/\(host):\(port) (\(reason))",
                hint: "is rmw_zenohd running there?"), on: loop)
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure { return unreachable(reason, on: loop) }
            phase = .running(socket)
            output.connected(socket)
            // Connecting and opening share one time.
            machine = SessionMachine(settings, now: .zero)
            sendControl()
        case .running(let socket):
            if readiness.contains(.writable), !output.flush() {
                return end(ZenohError(.connectionLost, "the router closed the connection"), on: loop)
            }
            guard !readiness.isDisjoint(with: .arrival) else { return }
            read(socket, on: loop)
        case .resolving, .finished: break
        }
    }

    private func read(_ socket: SocketHandle, on loop: LoopCore) {
        for _ in 0..<Self.maximumConsecutiveReads {
            switch socket.read(into: loop.readBuffer) {
            case .wouldBlock: return
            case .ended, .failed:
                return end(ZenohError(.connectionLost, "the router closed the connection"), on: loop)
            case .moved(let count):
                let now = elapsed
                machine?.receive(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]), now: now)
                do throws(ZenohError) {
                    while let event = try machine?.next(now: now) {
                        // What the router awaits before it takes anything else.
                        sendControl()
                        try onEvent(event)
                        if isFinished { return }
                    }
                    sendControl()
                } catch { return end(error, on: loop) }
                if count < loop.readBuffer.count { return }
            }
        }
    }

    private func sendControl() {
        guard machine?.hasOutput == true, let bytes = machine?.takeOutput() else { return }
        output.sendControl(bytes)
    }

    func deadlinePassed(on loop: LoopCore) {
        guard machine != nil else { return unreachable("no answer", on: loop) }
        do throws(ZenohError) {
            try machine?.deadlinePassed(now: elapsed)
            sendControl()
        } catch { end(error, on: loop) }
    }

    private func end(_ error: ZenohError, on loop: LoopCore) {
        guard !isFinished else { return }
        finish()
        onEnd(error, loop)
    }

    /// Ends the session in good order, if there is one, and the connection.
    func close() {
        if !isFinished, machine != nil {
            var writer = ZenohWriter()
            writer.writeUInt16(2)
            writer.writeClose(reason: 0)
            output.sendControl(writer.bytes)
        }
        finish()
    }

    private func finish() {
        phase = .finished
        output.close()
    }

    func loopWillStop(on loop: LoopCore) { close() }
}
