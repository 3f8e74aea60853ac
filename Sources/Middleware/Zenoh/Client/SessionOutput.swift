internal import Synchronization
internal import SystemIO

/// What became of a publication.
public enum ZenohPublication: Sendable, Hashable {
    /// It was given to the connection, or waits in order for the connection to accept more.
    case sent
    /// It was dropped, since the connection does not accept more now.
    case dropped
    /// It was dropped, since there is no session.
    case notConnected
}

/// The sending side of the session: any thread writes its messages directly to the socket.
///
/// In the steady state it allocates nothing: the writer keeps its storage, and bytes are copied only while the socket
/// is full.
final class SessionOutput: Sendable {
    /// The number of a session, so that an answer never goes into a later one.
    typealias Session = UInt64

    private struct State {
        var socket: SocketHandle?
        /// Encrypts what is written to the socket; `nil` for a connection over TCP alone.
        var secure: (any ZenohTLSConnection)?
        /// What was encrypted last; keeps its storage.
        var sealed: [UInt8] = []
        var session: Session = 0
        var isOpen = false
        var writer = BatchWriter(batchSize: BatchWriter.smallestBatch, firstNumber: 0)
        var backlog: [UInt8] = []
        var backlogSent = 0
        var isBroken = false
        var sent: UInt64 = 0
        var dropped: UInt64 = 0
    }

    private let loop: EventLoop
    private let maximumWaiting: Int
    private let state = Mutex(State())
    /// Whether bytes wait for the socket; the I/O thread then writes them.
    let isBacklogged = Atomic(false)

    init(loop: EventLoop, maximumWaiting: Int) {
        self.loop = loop
        self.maximumWaiting = maximumWaiting
    }

    // MARK: Any thread

    /// Messages given to the connection, and messages dropped because it did not keep up or did not exist.
    var counts: (sent: UInt64, dropped: UInt64) { state.withLock { ($0.sent, $0.dropped) } }

    /// The session that is open now.
    var session: Session? { state.withLock { $0.isOpen ? $0.session : nil } }

    /// Writes messages, or lets them wait.
    ///
    /// - Parameters:
    ///   - session: the only one they are for; `nil` for any.
    ///   - isDroppable: whether they are dropped while others wait.
    ///   - write: appends the messages.
    func send(
        in session: Session? = nil, isDroppable: Bool, _ write: (inout BatchWriter) -> Void
    ) -> ZenohPublication {
        let (result, needsLoop) = state.withLock { state -> (ZenohPublication, Bool) in
            guard state.isOpen, !state.isBroken, session == nil || session == state.session else {
                state.dropped &+= 1
                return (.notConnected, false)
            }
            let waiting = state.backlog.count - state.backlogSent
            guard waiting == 0 || (!isDroppable && waiting < maximumWaiting) else {
                state.dropped &+= 1
                return (.dropped, false)
            }
            write(&state.writer)
            state.writer.finish()
            defer { state.writer.removeAll() }
            state.sent &+= 1
            return (.sent, state.writer.output.bytes.withUnsafeBytes { transmit($0, &state) })
        }
        if needsLoop { loop.wake() }
        return result
    }

    /// Encrypts bytes where that is to be, and writes them or lets them wait; returns whether the I/O thread must be woken.
    ///
    /// It is one function, since the companion must be small.
    @inline(never)
    private func transmit(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
        guard let secure = state.secure else { return write(bytes, &state) }
        state.sealed.removeAll(keepingCapacity: true)
        guard secure.seal(bytes, into: &state.sealed) else {
            state.isBroken = true
            isBacklogged.store(true, ordering: .releasing)
            return true
        }
        return write(sealed: state.sealed, &state)
    }

    @inline(never)
    private func write(sealed: [UInt8], _ state: inout State) -> Bool {
        !sealed.isEmpty && sealed.withUnsafeBytes { write($0, &state) }
    }

    /// Writes bytes, or lets them wait; returns whether the I/O thread must be woken.
    @inline(never)
    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
        guard let socket = state.socket, !state.isBroken else { return false }
        guard state.backlog.isEmpty else {
            state.backlog += bytes
            return false
        }
        switch socket.write(bytes) {
        case .moved(let count) where count == bytes.count: return false
        case .moved(let count): state.backlog += UnsafeRawBufferPointer(rebasing: bytes[count...])
        case .wouldBlock: state.backlog += bytes
        case .ended, .failed: state.isBroken = true
        }
        isBacklogged.store(true, ordering: .releasing)
        return true
    }

    // MARK: The I/O thread

    /// A connection exists; only ``sendControl(_:)`` and ``receive(_:opened:)`` write to it.
    func connected(_ socket: SocketHandle, _ secure: (any ZenohTLSConnection)?) {
        state.withLock { state in
            state.socket = socket
            state.secure = secure
            state.isBroken = false
        }
    }

    /// Decrypts what was received over TLS, and sends what TLS itself answers.
    ///
    /// - Returns: whether the handshake is complete.
    func receive(_ received: UnsafeRawBufferPointer, opened: inout [UInt8]) throws(ZenohError) -> Bool {
        try state.withLock { state throws(ZenohError) -> Bool in
            guard let secure = state.secure else { return true }
            var answer: [UInt8] = []
            // Also before an error: it tells the other end why.
            defer { _ = write(sealed: answer, &state) }
            return try secure.receive(received, opened: &opened, answer: &answer)
        }
    }

    /// The session is open.
    func open(batchSize: Int, firstNumber: UInt32) {
        state.withLock { state in
            state.session &+= 1
            state.writer = BatchWriter(batchSize: batchSize, firstNumber: firstNumber)
            state.isOpen = true
        }
    }

    /// Writes whole batches of messages of the session itself.
    func sendControl(_ bytes: [UInt8]) {
        state.withLock { state in _ = bytes.withUnsafeBytes { transmit($0, &state) } }
    }

    /// Writes bytes that wait; `false` when the connection is broken.
    func flush() -> Bool {
        state.withLock { state in
            guard let socket = state.socket, !state.isBroken else { return false }
            while state.backlogSent < state.backlog.count {
                let outcome = state.backlog.withUnsafeBytes {
                    socket.write(UnsafeRawBufferPointer(rebasing: $0[state.backlogSent...]))
                }
                switch outcome {
                case .moved(let count): state.backlogSent += count
                case .wouldBlock:
                    Self.compact(&state)
                    return true
                case .ended, .failed:
                    state.isBroken = true
                    return false
                }
            }
            state.backlog = []
            state.backlogSent = 0
            isBacklogged.store(false, ordering: .releasing)
            return true
        }
    }

    /// Frees what was written once it is most of the storage, which others still extend.
    private static func compact(_ state: inout State) {
        guard state.backlogSent > state.backlog.count / 2 else { return }
        state.backlog.removeFirst(state.backlogSent)
        state.backlogSent = 0
    }

    /// Ends the connection, which its link then notices.
    func giveUp() { state.withLock { $0.socket?.end() } }

    /// The session has ended.
    func close() {
        state.withLock { state in
            if let secure = state.secure {
                var last: [UInt8] = []
                secure.end(into: &last)
                _ = write(sealed: last, &state)
            }
            state.socket = nil
            state.secure = nil
            state.sealed = []
            state.isOpen = false
            state.backlog = []
            state.backlogSent = 0
        }
        isBacklogged.store(false, ordering: .releasing)
    }
}
