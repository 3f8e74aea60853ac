internal import Synchronization
internal import SystemIO

/// The sending side of a connection: any thread writes its frames directly to the socket.
final class WebSocketOutput: Sendable {
    private struct State {
        var socket: SocketHandle?
        /// Whether messages may be sent: the handshake is over, and nothing was closed.
        var isOpen = false
        var isBroken = false
        var backlog: [UInt8] = []
        var backlogSent = 0
    }

    private let state = Mutex(State())
    /// Whether bytes wait for the socket; the I/O thread then writes them.
    let isBacklogged = Atomic(false)

    /// What became of a frame.
    enum Outcome: Sendable {
        /// It was given to the socket; or waits in order for it, whereupon the I/O thread has to be woken.
        case sent(needsLoop: Bool)
        /// Too much waits already: it was not sent.
        case full
        /// There is no connection: it was not sent.
        case notConnected
    }

    // MARK: Any thread

    /// Sends a message unless so many bytes wait already.
    func send(_ frame: [UInt8], limit: Int) -> Outcome {
        state.withLock { state in
            guard state.isOpen, !state.isBroken else { return .notConnected }
            guard state.backlog.count - state.backlogSent < limit else { return .full }
            return .sent(needsLoop: transmit(frame, &state))
        }
    }

    // MARK: The I/O thread

    /// The socket is connected; only ``sendControl(_:)`` writes to it.
    func connected(_ socket: SocketHandle) { state.withLock { $0.socket = socket } }

    /// Messages may be sent from now on.
    func open() { state.withLock { $0.isOpen = true } }

    /// Sends bytes of the connection itself, unless so much waits that the peer reads nothing.
    func sendControl(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.backlog.count - state.backlogSent < Self.mostControl else { return }
            _ = transmit(bytes, &state)
        }
    }

    /// Pongs to a server that sends pings and reads nothing.
    private static let mostControl = 256 << 10

    /// Messages are no longer taken.
    func finish() { state.withLock { $0.isOpen = false } }

    /// Returns whether the I/O thread has to be woken.
    private func transmit(_ bytes: [UInt8], _ state: inout State) -> Bool {
        guard let socket = state.socket, !state.isBroken else { return false }
        guard state.backlog.isEmpty else {
            state.backlog += bytes
            return false
        }
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .moved(let count) where count == bytes.count: return false
        case .moved(let count): state.backlog += bytes[count...]
        case .wouldBlock: state.backlog += bytes
        case .ended, .failed: state.isBroken = true
        }
        isBacklogged.store(true, ordering: .releasing)
        return true
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
                case .wouldBlock: return true
                case .ended, .failed:
                    state.isBroken = true
                    return false
                }
            }
            (state.backlog, state.backlogSent) = ([], 0)
            isBacklogged.store(false, ordering: .releasing)
            return true
        }
    }

    /// The connection has ended.
    func close() {
        state.withLock { $0 = State() }
        isBacklogged.store(false, ordering: .releasing)
    }
}
