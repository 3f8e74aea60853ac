/// A connection to our TCPROS port whose header is still to come.
final class IncomingConnection: LoopHandler {
    /// Takes the connection over; bytes behind the header are in the assembler.
    typealias Accept = (ConnectionHeader, SocketHandle, FrameAssembler, LoopCore) -> Void

    /// A peer sends its header at once; over a bad radio link it may take some seconds.
    private static let patience: Duration = .seconds(10)

    private let socket: SocketHandle
    private var assembler = FrameAssembler()
    private let accept: Accept
    let deadline: ContinuousClock.Instant?
    private(set) var isFinished = false

    init(socket: SocketHandle, accept: @escaping Accept) {
        self.socket = socket
        self.accept = accept
        deadline = .now + Self.patience
    }

    var descriptor: Int32 { socket.descriptor }
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
                // Not TCPROS: there is nobody to explain it to.
                isFinished = true
            }
        }
    }

    func deadlinePassed(on loop: LoopCore) { isFinished = true }
    func loopStops(on loop: LoopCore) { isFinished = true }
}

/// Takes connections at our TCPROS port.
final class TCPROSListener: LoopHandler {
    /// Headers awaited at once; a node's peers are a few dozen.
    private static let maximumPending = 128

    private struct Weak { weak var connection: IncomingConnection? }

    private let socket: SocketHandle
    private let accept: IncomingConnection.Accept
    private var pending: [Weak] = []
    private(set) var isFinished = false

    init(socket: SocketHandle, accept: @escaping IncomingConnection.Accept) {
        self.socket = socket
        self.accept = accept
    }

    var descriptor: Int32 { socket.descriptor }
    /// At the bound newcomers wait in the system's queue until headers have come or their time is over.
    var interest: Readiness { pending.count < Self.maximumPending ? .readable : [] }
    /// Comes back to look whether there is room again.
    var deadline: ContinuousClock.Instant? { pending.count < Self.maximumPending ? nil : .now + .milliseconds(100) }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        pending.removeAll { $0.connection?.isFinished ?? true }
        while pending.count < Self.maximumPending, let accepted = socket.accept() {
            let connection = IncomingConnection(socket: accepted, accept: accept)
            pending.append(Weak(connection: connection))
            loop.add(connection)
        }
    }

    func deadlinePassed(on loop: LoopCore) { pending.removeAll { $0.connection?.isFinished ?? true } }
    func loopStops(on loop: LoopCore) { isFinished = true }
}

/// Says one last thing to a peer and waits a moment until it has read it: closing at once could take it away again.
final class Farewell: LoopHandler {
    private let socket: SocketHandle
    private var bytes: [UInt8]
    private var sent = 0
    private(set) var isFinished = false
    let deadline: ContinuousClock.Instant?

    /// Long enough for a peer to read one small packet over a bad link.
    private static let patience: Duration = .seconds(1)

    init(socket: SocketHandle, bytes: [UInt8]) {
        self.socket = socket
        self.bytes = bytes
        deadline = .now + Self.patience
        flush()
    }

    /// Refuses a connection with the reason in an `error` header.
    static func refuse(_ socket: SocketHandle, _ reason: String, on loop: LoopCore) {
        loop.add(Farewell(socket: socket, bytes: ConnectionHeader(["error": reason]).encoded))
    }

    var descriptor: Int32 { socket.descriptor }
    var interest: Readiness { sent < bytes.count ? [.readable, .writable] : .readable }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        if readiness.contains(.writable) { flush() }
        guard !readiness.isDisjoint(with: [.readable, .broken]) else { return }
        switch socket.read(into: loop.readBuffer) {
        case .moved, .wouldBlock: break
        case .ended, .failed: isFinished = true
        }
    }

    func deadlinePassed(on loop: LoopCore) { isFinished = true }
    func loopStops(on loop: LoopCore) { isFinished = true }

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
