internal import CLibSSH2
internal import SystemIO
internal import UAVLink

/// A libssh2 session and its socket, driven by the thread that owns both.
final class SessionTransport {
    let session: LibSSH2Session
    let endpoint: SSHEndpoint
    let socket: SocketHandle
    private let mailbox: SessionMailbox
    private var poller = Poller()
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Why the connection was lost; `nil` while it is up.
    private(set) var loss: LinkError?

    init(socket: SocketHandle, endpoint: SSHEndpoint, mailbox: SessionMailbox) throws(LinkError) {
        session = try LibSSH2Session()
        self.socket = socket
        self.endpoint = endpoint
        self.mailbox = mailbox
    }

    /// Sends queued data and reads received data; waits for either until `deadline`.
    func exchange(until deadline: Deadline?) {
        flush()
        // With the inbound buffer full, poll would return at once again and again: then only the deadline counts.
        let mayRead = session.inbound.count < Self.maxInboundBytes && loss == nil
        var events: Readiness = mayRead ? .readable : []
        if !session.outbound.isEmpty, loss == nil { events.insert(.writable) }
        poller.reset()
        let wakerPlace = poller.add(mailbox.waker.descriptor)
        let socketPlace = poller.add(events.isEmpty ? -1 : socket.descriptor, for: events)
        poller.wait(deadline?.remaining ?? Poller.longestWait)
        if poller.isReady(wakerPlace) { mailbox.waker.clear() }
        if poller.isReady(socketPlace), mayRead { receive() }
        flush()
    }

    /// Repeats a libssh2 call until it returns something other than EAGAIN.
    ///
    /// - Throws: when the deadline passes, the caller cancels, or the connection is lost; all other errors are returned as
    ///   codes.
    func drive(until deadline: @autoclosure () -> Deadline, doing: String, _ step: (OpaquePointer) -> Int32)
        throws(LinkError) -> Int32
    {
        while true {
            let waiting = session.inbound.count
            let code = step(session.handle)
            flush()
            if code != LIBSSH2_ERROR_EAGAIN {
                if LibSSH2Session.isFatal(Int(code)) { throw lossError(code, doing: doing) }
                return code
            }
            if let reason = mailbox.stopReason { throw reason }
            if let loss, session.inbound.isEmpty { throw describe(loss, doing: doing) }
            if deadline().hasPassed {
                throw LinkError(
                    .timedOut,
                    "\(endpoint.host) port \(endpoint.port) did not answer within the timeout while \(doing)",
                    hint: "is it an SSH server, and is the network fast enough?")
            }
            if session.inbound.isEmpty || session.inbound.count == waiting { exchange(until: deadline()) }
        }
    }

    /// Sends as much as the socket accepts.
    func flush() {
        while !session.outbound.isEmpty, loss == nil {
            let sent = session.outbound.consume { waiting in
                switch socket.write(waiting) {
                case .moved(let count): return count
                case .failed(let code): lose(SystemError.text(code))
                case .wouldBlock, .ended: break
                }
                return 0
            }
            if sent == 0 { return }
        }
    }

    private func receive() {
        while session.inbound.count < Self.maxInboundBytes {
            switch scratch.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .moved(let count):
                session.inbound.append(scratch[..<count])
                if count < scratch.count { return }
            case .ended: return lose("closed by the server")
            case .wouldBlock: return
            case .failed(let code): return lose(SystemError.text(code))
            }
        }
    }

    private func lose(_ reason: String) {
        guard loss == nil else { return }
        loss = LinkError(.notConnected, "the SSH connection to \(endpoint.host) was lost (\(reason))")
    }

    /// The error for pending operations when the connection has ended; the server's disconnect message has priority.
    func lossError(_ code: Int32? = nil, doing: String = "") -> LinkError {
        let reason = session.farewell.isEmpty ? loss?.what ?? session.lastError : session.farewell
        let during = doing.isEmpty ? "" : " while \(doing)"
        return LinkError(.notConnected, "the SSH connection to \(endpoint.host) ended\(during): \(reason)")
    }

    private func describe(_ loss: LinkError, doing: String) -> LinkError {
        session.farewell.isEmpty ? LinkError(.unreachable, "\(loss.what) while \(doing)") : lossError(doing: doing)
    }

    /// The limit of data queued for libssh2, bytes.
    private static let maxInboundBytes = 1024 * 1024
}
