internal import ROSMessages
internal import SystemIO

/// An accepted TCPROS connection whose header has not been received yet.
final class IncomingConnection: LoopHandler {
    /// Takes over the connection; bytes received after the header are in the assembler.
    typealias Accept = (ConnectionHeader, SocketHandle, FrameAssembler, LoopCore) -> Void

    /// How long the header is waited for: a peer sends it at once, which may take some seconds over a bad radio link.
    private static let timeout: Duration = .seconds(10)

    private let socket: SocketHandle
    private var assembler = FrameAssembler()
    private let accept: Accept
    let deadline: ContinuousClock.Instant?
    private(set) var isFinished = false

    init(socket: SocketHandle, accept: @escaping Accept) {
        self.socket = socket
        self.accept = accept
        deadline = .now + Self.timeout
    }

    var descriptor: Int32 { socket.descriptor }
    var owner: AnyObject? { socket }
    var interest: Readiness { .readable }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch socket.read(into: loop.readBuffer) {
        case .wouldBlock: return
        case .ended, .failed: isFinished = true
        case .moved(let count):
            assembler.append(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
            do {
                guard let block = try assembler.next(within: ConnectionHeader.maximumBytes) else { return }
                isFinished = true
                accept(try ConnectionHeader(decoding: assembler.storage[block]), socket, assembler, loop)
            } catch {
                // Not TCPROS: the connection is closed without an answer.
                isFinished = true
            }
        }
    }

    func deadlinePassed(on loop: LoopCore) { isFinished = true }
    func loopWillStop(on loop: LoopCore) { isFinished = true }
}

/// Accepts connections on the node's TCPROS port.
final class TCPROSListener: LoopHandler {
    /// Concurrent connections without a header; a node has a few dozen peers.
    static let maximumPending = 128
    /// How often it looks for finished ones while the bound is reached.
    private static let lookInterval: Duration = .milliseconds(100)

    private struct Weak { weak var connection: IncomingConnection? }

    private var listener: LoopListener
    private let accept: IncomingConnection.Accept
    private var pending: [Weak] = []
    /// When it looks for finished connections; only while the bound is reached.
    private var looksAt: ContinuousClock.Instant?
    private(set) var isFinished = false

    init(socket: SocketHandle, accept: @escaping IncomingConnection.Accept) {
        listener = LoopListener(socket)
        self.accept = accept
    }

    var descriptor: Int32 { listener.descriptor }
    var owner: AnyObject? { listener.owner }
    /// At the bound further connections wait in the system's backlog until pending ones have sent a header or timed out.
    var interest: Readiness { looksAt == nil ? listener.interest : [] }
    var deadline: ContinuousClock.Instant? { looksAt ?? listener.deadline }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        removeFinished()
        while pending.count < Self.maximumPending, let accepted = listener.accept() {
            let connection = IncomingConnection(socket: accepted, accept: accept)
            pending.append(Weak(connection: connection))
            loop.add(connection)
        }
        planLook()
    }

    func deadlinePassed(on loop: LoopCore) {
        listener.resume()
        removeFinished()
        planLook()
    }

    private func removeFinished() { pending.removeAll { $0.connection?.isFinished ?? true } }

    private func planLook() { looksAt = pending.count < Self.maximumPending ? nil : .now + Self.lookInterval }

    func loopWillStop(on loop: LoopCore) { isFinished = true }
}

/// A lingering close: sends the last bytes and waits until the peer has closed, since closing at once could discard them.
final class LingeringClose: LoopHandler {
    private let socket: SocketHandle
    private var bytes: [UInt8]
    private var sent = 0
    private(set) var isFinished = false
    let deadline: ContinuousClock.Instant?

    /// Long enough for a peer to receive one small packet over a bad link.
    private static let timeout: Duration = .seconds(1)

    init(socket: SocketHandle, bytes: [UInt8]) {
        self.socket = socket
        self.bytes = bytes
        deadline = .now + Self.timeout
        flush()
    }

    /// Refuses a connection with the reason in an `error` header.
    static func refuse(_ socket: SocketHandle, _ reason: String, on loop: LoopCore) {
        loop.add(LingeringClose(socket: socket, bytes: ConnectionHeader(["error": reason]).encoded))
    }

    var descriptor: Int32 { socket.descriptor }
    var owner: AnyObject? { socket }
    var interest: Readiness { sent < bytes.count ? .bothWays : .readable }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        if readiness.contains(.writable) { flush() }
        guard !readiness.isDisjoint(with: .arrival) else { return }
        switch socket.read(into: loop.readBuffer) {
        case .moved, .wouldBlock: break
        case .ended, .failed: isFinished = true
        }
    }

    func deadlinePassed(on loop: LoopCore) { isFinished = true }
    func loopWillStop(on loop: LoopCore) { isFinished = true }

    private func flush() {
        guard sent < bytes.count else { return }
        switch bytes.withUnsafeBytes({ socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
        case .moved(let count):
            sent += count
            if sent == bytes.count { socket.finishWriting() }
        case .wouldBlock: break
        case .ended, .failed: isFinished = true
        }
    }
}
