#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import UAVLink

/// A libssh2 session on its socket, driven by the one thread that owns both.
final class SessionTransport {
    let session: LibSSH2Session
    let endpoint: SSHEndpoint
    let socket: Int32
    private let mailbox: SessionMailbox
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Why the connection is over, once it is.
    private(set) var loss: LinkError?

    /// Takes over `socket`, which is closed with this object.
    init(socket: Int32, endpoint: SSHEndpoint, mailbox: SessionMailbox) throws(LinkError) {
        do throws(LinkError) {
            session = try LibSSH2Session()
        } catch {
            close(socket)
            throw error
        }
        self.socket = socket
        self.endpoint = endpoint
        self.mailbox = mailbox
    }

    deinit { close(socket) }

    /// Sends what waits, reads what has come, and otherwise waits for either until `deadline`.
    func exchange(until deadline: Deadline?) {
        flush()
        // Data that libssh2 leaves lying would make poll return at once, for ever: then only the deadline counts.
        let mayRead = session.inbound.count < Self.mostInbound && loss == nil
        var events: Int16 = mayRead ? Int16(POLLIN) : 0
        if !session.outbound.isEmpty, loss == nil { events |= Int16(POLLOUT) }
        var polled = [
            pollfd(fd: mailbox.wake.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0),
        ]
        _ = poll(&polled, nfds_t(polled.count), deadline?.pollMilliseconds ?? -1)
        if polled[0].revents != 0 { mailbox.wake.lower() }
        if polled[1].revents != 0, mayRead { receive() }
        flush()
    }

    /// Repeats a libssh2 call until it no longer asks to be repeated.
    ///
    /// - Throws: when the deadline passes, the caller cancels, or the connection is lost; every other failure is
    ///   returned.
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
                    .timedOut, "\(endpoint.host) port \(endpoint.port) did not answer in time while \(doing)",
                    hint: "is it really an SSH server, and is the network fast enough?")
            }
            if session.inbound.isEmpty || session.inbound.count == waiting { exchange(until: deadline()) }
        }
    }

    /// Sends as much as the socket takes.
    func flush() {
        while !session.outbound.isEmpty, loss == nil {
            let sent = session.outbound.consume { waiting in
                #if canImport(Glibc)
                    let count = send(socket, waiting.baseAddress, waiting.count, Int32(MSG_NOSIGNAL))
                #else
                    let count = send(socket, waiting.baseAddress, waiting.count, 0)
                #endif
                if count < 0, errno != EAGAIN, errno != EINTR { lose(ErrorText.of(errno)) }
                return max(count, 0)
            }
            if sent == 0 { return }
        }
    }

    private func receive() {
        while session.inbound.count < Self.mostInbound {
            let count = scratch.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                session.inbound.append(scratch[..<count])
                if count < scratch.count { return }
            } else if count == 0 {
                return lose("the server closed it")
            } else if errno == EAGAIN || errno == EINTR {
                return
            } else {
                return lose(ErrorText.of(errno))
            }
        }
    }

    private func lose(_ reason: String) {
        guard loss == nil else { return }
        loss = LinkError(.notConnected, "the SSH connection to \(endpoint.host) was lost (\(reason))")
    }

    /// What to tell those who wait when the connection is over; the server's own last words count most.
    func lossError(_ code: Int32? = nil, doing: String = "") -> LinkError {
        let reason = session.farewell.isEmpty ? loss?.what ?? session.lastError : session.farewell
        let during = doing.isEmpty ? "" : " while \(doing)"
        return LinkError(.notConnected, "the SSH connection to \(endpoint.host) ended\(during): \(reason)")
    }

    private func describe(_ loss: LinkError, doing: String) -> LinkError {
        session.farewell.isEmpty ? LinkError(.unreachable, "\(loss.what) while \(doing)") : lossError(doing: doing)
    }

    /// What may wait for libssh2; it reads on as soon as any channel is read.
    private static let mostInbound = 1024 * 1024
}
