internal import Synchronization
internal import SystemIO

/// One connection on the I/O thread: it connects, shakes hands, reads, and ends with the first error.
final class WebSocketLink: LoopHandler {
    private enum Phase {
        case resolving
        case connecting(SocketHandle)
        case shaking(SocketHandle)
        case open(SocketHandle)
        /// We have said that we end it, and wait for the server to say so too.
        case closing(SocketHandle)
        case finished
    }

    /// How many times in a row the socket is read before others are served.
    private static let maximumConsecutiveReads = 16
    /// How long the server's answer to our closing is waited for.
    private static let closingTime: Duration = .milliseconds(500)
    /// Code of a normal end, and of one for a violation of the protocol (RFC 6455, section 7.4.1).
    private static let (normal, violation): (UInt16, UInt16) = (1000, 1002)

    private let target: WebSocketClient.Target
    private let output: WebSocketOutput
    private let onOpen: (Result<Void, ROSBridgeError>) -> Void
    private let onText: ([UInt8]) -> Void
    private let onEnd: (ROSBridgeError) -> Void
    private var phase = Phase.resolving
    private var handshake: WebSocketHandshake
    private var reader: WebSocketReader
    private var isOpened = false
    /// Called once the connection has ended.
    var whenFinished: (() -> Void)?
    private(set) var deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - onOpen: called once.
    ///   - onEnd: called once, after `onOpen`, if that was a success.
    init(
        _ target: WebSocketClient.Target, within timeout: Duration, output: WebSocketOutput,
        onOpen: @escaping (Result<Void, ROSBridgeError>) -> Void, onText: @escaping ([UInt8]) -> Void,
        onEnd: @escaping (ROSBridgeError) -> Void
    ) {
        (self.target, self.output) = (target, output)
        (self.onOpen, self.onText, self.onEnd) = (onOpen, onText, onEnd)
        handshake = WebSocketHandshake(
            to: target.place, nonce: (0..<16).map { _ in UInt8.random(in: 0...UInt8.max) })
        reader = WebSocketReader(maximumMessageBytes: target.maximumMessageBytes)
        deadline = .now + timeout
    }

    var isFinished: Bool { if case .finished = phase { true } else { false } }

    var descriptor: Int32 { socket?.descriptor ?? -1 }
    var owner: AnyObject? { socket }

    private var socket: SocketHandle? {
        switch phase {
        case .connecting(let socket), .shaking(let socket), .open(let socket), .closing(let socket): socket
        case .resolving, .finished: nil
        }
    }

    var interest: Readiness {
        switch phase {
        case .connecting: .writable
        default: output.isBacklogged.load(ordering: .acquiring) ? .bothWays : .readable
        }
    }

    /// Looks the host up and connects.
    func begin(on loop: LoopCore) {
        loop.lookUp(target.host) { [weak self, unowned loop] result in
            guard let self, case .resolving = self.phase else { return }
            do throws(SocketError) {
                self.phase = .connecting(try loop.connect(to: try result.get(), port: self.target.port))
            } catch { self.unreachable(error.what) }
        }
    }

    private func unreachable(_ reason: String) {
        end(
            ROSBridgeError(
                .unreachable, "cannot reach the rosbridge server at \(target.place) (\(reason))",
                hint: "is it running there? 'roslaunch rosbridge_server rosbridge_websocket.launch' starts one"))
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure { return unreachable(reason) }
            phase = .shaking(socket)
            output.connected(socket)
            output.sendControl(handshake.request)
        case .shaking(let socket), .open(let socket), .closing(let socket):
            if readiness.contains(.writable), !output.flush() { return end(ended) }
            guard !readiness.isDisjoint(with: .arrival) else { return }
            read(socket, on: loop)
        case .resolving, .finished: break
        }
    }

    private func read(_ socket: SocketHandle, on loop: LoopCore) {
        for _ in 0..<Self.maximumConsecutiveReads {
            switch socket.read(into: loop.readBuffer) {
            case .wouldBlock: return
            case .ended, .failed: return end(ended)
            case .moved(let count):
                do throws(ROSBridgeError) {
                    try take(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
                } catch {
                    if isOpened {
                        let closing = WebSocketFrame.closing(Self.violation)
                        output.sendControl(WebSocketFrame.encode(.close, closing, mask: .random(in: 0...UInt32.max)))
                    }
                    return end(error)
                }
                if isFinished || count < loop.readBuffer.count { return }
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(ROSBridgeError) {
        if case .shaking(let socket) = phase {
            guard let rest = try handshake.take(bytes) else { return }
            phase = .open(socket)
            (deadline, isOpened) = (nil, true)
            output.open()
            onOpen(.success(()))
            reader.feed(rest)
        } else {
            reader.feed(bytes)
        }
        while !isFinished, let event = try reader.next() { take(event) }
    }

    private func take(_ event: WebSocketReader.Event) {
        switch event {
        case .text(let bytes): if case .open = phase { onText(bytes) }
        case .ping(let payload):
            output.sendControl(WebSocketFrame.encode(.pong, payload, mask: .random(in: 0...UInt32.max)))
        case .pong: break
        case .close(let code, let reason):
            if case .closing = phase { return end(.clientClosed) }
            let closing = code.map(WebSocketFrame.closing) ?? []
            output.sendControl(WebSocketFrame.encode(.close, closing, mask: .random(in: 0...UInt32.max)))
            let words = [code.map { "\($0)" }, reason.isEmpty ? nil : reason].compactMap(\.self).joined(separator: ": ")
            end(
                ROSBridgeError(
                    .notConnected,
                    "the rosbridge server at \(target.place) ended the connection"
                        + (words.isEmpty ? "" : " (\(words))")))
        }
    }

    private var ended: ROSBridgeError {
        if case .closing = phase { return .clientClosed }
        let when = isOpened ? "" : " before it had answered"
        return ROSBridgeError(
            .notConnected, "the rosbridge server at \(target.place) ended the connection\(when)",
            hint: isOpened ? "" : "is it a rosbridge server that listens there?")
    }

    func deadlinePassed(on loop: LoopCore) {
        switch phase {
        case .resolving, .connecting: unreachable("no answer")
        case .shaking:
            end(
                ROSBridgeError(
                    .timedOut, "what listens at \(target.place) does not answer as a WebSocket server",
                    hint: "is it a rosbridge server that listens there?"))
        case .open, .closing: end(.clientClosed)
        case .finished: break
        }
    }

    /// Ends the connection in good order, if there is one, within ``closingTime``.
    func close() {
        guard case .open(let socket) = phase else { return end(.clientClosed) }
        output.sendControl(
            WebSocketFrame.encode(
                .close, WebSocketFrame.closing(Self.normal), mask: .random(in: 0...UInt32.max)))
        output.finish()
        phase = .closing(socket)
        deadline = .now + Self.closingTime
    }

    /// Ends the connection at once.
    func end(_ error: ROSBridgeError) {
        guard !isFinished else { return }
        phase = .finished
        deadline = nil
        output.close()
        if isOpened { onEnd(error) } else { onOpen(.failure(error)) }
        whenFinished?()
    }

    func loopWillStop(on loop: LoopCore) { end(.clientClosed) }
}
