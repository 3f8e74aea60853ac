internal import Synchronization
internal import SystemIO

/// One connection to the router and its session, on the I/O thread; it ends with the first error.
final class RouterLink: LoopHandler {
    private enum Phase {
        /// The files of TLS are being read.
        case securing
        case resolving
        case connecting(SocketHandle)
        case running(SocketHandle)
        case finished
    }

    /// How many times in a row the socket is read before others are served.
    private static let maximumConsecutiveReads = 16

    private let host: String
    private let port: UInt16
    private let locator: String
    private let security: (any ZenohSecurity)?
    private let connector: SecureConnector
    private let settings: SessionMachine.Settings
    private let output: SessionOutput
    private let onEvent: (SessionMachine.Event) throws(ZenohError) -> Void
    private let onEnd: (ZenohError, LoopCore) -> Void
    private var phase = Phase.resolving
    private var machine: SessionMachine?
    /// TLS of the connection, and what it has decrypted last.
    private var secure: (any ZenohTLSConnection)?
    private var opened: [UInt8] = []
    /// The machine counts its time from here.
    private let began = ContinuousClock.now

    init(
        to router: ZenohConfiguration, settings: SessionMachine.Settings, output: SessionOutput,
        connector: SecureConnector, onEvent: @escaping (SessionMachine.Event) throws(ZenohError) -> Void,
        onEnd: @escaping (ZenohError, LoopCore) -> Void
    ) {
        host = router.host
        port = router.port
        locator = router.locator
        security = router.security
        self.connector = connector
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
        case .securing, .resolving, .finished: nil
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

    /// Has the files of TLS read, if there is TLS, looks the host up and connects.
    func begin(on loop: LoopCore) {
        guard let security else { return lookUp(on: loop) }
        phase = .securing
        connector.connect(security, to: host, at: locator, on: loop) { [weak self, unowned loop] outcome in
            guard let self, case .securing = self.phase else { return }
            do throws(ZenohError) { self.secure = try outcome.get() } catch { return self.end(error, on: loop) }
            self.phase = .resolving
            self.lookUp(on: loop)
        }
    }

    private func lookUp(on loop: LoopCore) {
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
                .unreachable, "cannot reach the Zenoh router at \(locator) (\(reason))",
                hint: secure == nil ? "is rmw_zenohd running there?" : "does rmw_zenohd listen on 'tls/' there?"),
            on: loop)
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure { return unreachable(reason, on: loop) }
            phase = .running(socket)
            output.connected(socket, secure)
            if secure == nil { return greet() }
            do throws(ZenohError) { try takeSealed(UnsafeRawBufferPointer(start: nil, count: 0), now: elapsed) } catch {
                end(error, on: loop)
            }
        case .running(let socket):
            if readiness.contains(.writable), !output.flush() {
                return closed(on: loop)
            }
            guard !readiness.isDisjoint(with: .arrival) else { return }
            read(socket, on: loop)
        case .securing, .resolving, .finished: break
        }
    }

    private func read(_ socket: SocketHandle, on loop: LoopCore) {
        for _ in 0..<Self.maximumConsecutiveReads {
            switch socket.read(into: loop.readBuffer) {
            case .wouldBlock: return
            case .ended, .failed: return closed(on: loop)
            case .moved(let count):
                let (now, bytes) = (elapsed, UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
                do throws(ZenohError) {
                    if secure == nil { try take(bytes, now: now) } else { try takeSealed(bytes, now: now) }
                } catch { return end(error, on: loop) }
                if isFinished || count < loop.readBuffer.count { return }
            }
        }
    }

    private func closed(on loop: LoopCore) {
        guard machine != nil else { return unreachable("it closed the connection in the TLS handshake", on: loop) }
        end(ZenohError(.connectionLost, "the router closed the connection"), on: loop)
    }

    /// Begins the session.
    private func greet() {
        // Connecting and opening share one time.
        machine = SessionMachine(settings, now: .zero)
        sendControl()
    }

    private func take(_ bytes: UnsafeRawBufferPointer, now: Duration) throws(ZenohError) {
        machine?.receive(bytes, now: now)
        try takeEvents(now: now)
    }

    private func takeEvents(now: Duration) throws(ZenohError) {
        while let event = try machine?.next(now: now) {
            // What the router awaits before it takes anything else.
            sendControl()
            try onEvent(event)
            if isFinished { return }
        }
        sendControl()
    }

    /// Takes what was received over TLS; nothing at its beginning.
    private func takeSealed(_ bytes: UnsafeRawBufferPointer, now: Duration) throws(ZenohError) {
        opened.removeAll(keepingCapacity: true)
        var failure: ZenohError?
        var isComplete = false
        do throws(ZenohError) { isComplete = try output.receive(bytes, opened: &opened) } catch {
            // What came before the end counts, such as the router's reason. The end of TCP need not follow.
            (isComplete, failure) = (!opened.isEmpty, error)
        }
        if isComplete, machine == nil { greet() }
        if isComplete, !opened.isEmpty {
            opened.withUnsafeBytes { machine?.receive($0, now: now) }
            try takeEvents(now: now)
        }
        if let failure { throw failure }
    }

    private func sendControl() {
        guard machine?.hasOutput == true, let bytes = machine?.takeOutput() else { return }
        output.sendControl(bytes)
    }

    func deadlinePassed(on loop: LoopCore) {
        if case .securing = phase {
            let what = "no session with the Zenoh router at \(locator): the files of TLS were not read in time"
            return end(ZenohError(.timedOut, what, hint: "does the disk that has them answer?"), on: loop)
        }
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
