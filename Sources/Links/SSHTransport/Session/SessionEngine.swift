internal import CLibSSH2
internal import Synchronization
internal import UAVLink

/// The loop of a session's thread: transfers bytes, advances all channels, enforces all deadlines.
///
/// It keeps one spare session channel open. A command then starts without the round trip for opening one, and libssh2
/// can always be made to read through it: while no channel is reading, libssh2 has no other way to process the server's
/// requests.
final class SessionEngine {
    private struct Refusal {
        let reason: String
        /// Consecutive refusals while no session channel of ours was open.
        let count: Int
        let retryAt = Deadline(in: SessionEngine.refusalRetryInterval)
    }

    /// The retry interval: a server releases a channel's slot shortly after it has closed the channel.
    private static let refusalRetryInterval: Duration = .milliseconds(50)
    /// The most refusals while no channel is open; after 0.5 s the openings fail.
    private static let maxRefusals = 10

    private enum Opening {
        case none
        case session
        case tunnel(ChannelRecord)
    }

    private let transport: SessionTransport
    private let mailbox: SessionMailbox
    private var session: LibSSH2Session { transport.session }
    private var records: [ChannelRecord] = []
    private var spare: OpaquePointer?
    private var opening = Opening.none
    /// Set when the server refused a further session channel; retried when one has closed.
    private var refusal: Refusal?
    private var keepAlive = Deadline(in: .zero)

    init(_ transport: SessionTransport, mailbox: SessionMailbox) {
        self.transport = transport
        self.mailbox = mailbox
        libssh2_keepalive_config(transport.session.handle, 0, SSHTimeouts.keepAliveSeconds)
    }

    /// Runs until the session is stopped or lost; every channel has then failed with the returned reason.
    func run() -> LinkError {
        let reason = serve()
        // First, so that a caller whose channel failed does not find the session still connected.
        mailbox.stop(reason)
        for record in records { record.core.end(.failed(reason)) }
        return reason
    }

    private func serve() -> LinkError {
        while true {
            if let reason = mailbox.stopReason {
                sendDisconnect()
                return reason
            }
            records += mailbox.takeNewChannels().map(ChannelRecord.init)
            var moved = true
            while moved {
                let waiting = session.inbound.count
                switch advanceAll() {
                case .fatal: return transport.lossError()
                case .some: moved = true
                case .none: moved = session.inbound.count != waiting
                }
                transport.flush()
            }
            // Only now, after all received data has been delivered.
            if transport.loss != nil { return transport.lossError() }
            for record in records { record.core.expire(refusal: refusal?.reason) }
            sendKeepAlive()
            transport.exchange(until: nextDeadline())
        }
    }

    private func advanceAll() -> Progress {
        var progress = Progress.none
        for record in records {
            if record.stage == .waiting, record.core.purpose.isSession, let handle = spare {
                spare = nil
                record.begin(with: handle)
                progress = .some
            }
            switch record.advance(session) {
            case .fatal(let code): return .fatal(code)
            case .some: progress = .some
            case .none: break
            }
        }
        let before = records.count
        records.removeAll { $0.stage == .gone }
        if records.count != before { refusal = nil }
        if case .none = opening, let refusal, refusal.retryAt.hasPassed, records.contains(where: \.waitsForSession) {
            opening = .session
        }
        switch advanceOpening() {
        case .fatal(let code): return .fatal(code)
        case .some: return .some
        case .none: break
        }
        return readThroughSpare() ?? progress
    }

    /// Makes libssh2 read although no channel may be reading.
    private func readThroughSpare() -> Progress? {
        guard let spare, !session.inbound.isEmpty else { return nil }
        var byte: CChar = 0
        let code = libssh2_channel_read_ex(spare, 0, &byte, 1)
        return LibSSH2Session.isFatal(code) ? .fatal(Int32(clamping: code)) : nil
    }

    // MARK: Opening: libssh2 opens one channel at a time

    private func advanceOpening() -> Progress {
        switch opening {
        case .none:
            let tunnel = records.first { $0.stage == .waiting && !$0.core.purpose.isSession }
            let waitsForSession = records.contains(where: \.waitsForSession)
            if let tunnel, !waitsForSession || refusal != nil || spare != nil {
                opening = .tunnel(tunnel)
            } else if spare == nil, refusal == nil {
                opening = .session
            } else {
                return .none
            }
            return advanceOpening()
        case .session:
            let handle = libssh2_channel_open_ex(
                session.handle, "session", 7, 2 * 1024 * 1024,
                32768, nil, 0)
            guard let handle else { return notOpened { self.sessionRefused($0) } }
            opening = .none
            spare = handle
            return .some
        case .tunnel(let record):
            guard case .tunnel(let host, let port) = record.core.purpose else { return .none }
            let handle = libssh2_channel_direct_tcpip_ex(session.handle, host, Int32(port), "127.0.0.1", 0)
            guard let handle else {
                return notOpened { reason in
                    record.abandon(
                        LinkError(
                            .unreachable, "the vehicle cannot connect to \(host) port \(port) (\(reason))",
                            hint: "is a server listening there, and does sshd_config allow TCP forwarding?"))
                }
            }
            opening = .none
            record.begin(with: handle)
            return .some
        }
    }

    private func notOpened(_ refused: (String) -> Void) -> Progress {
        let code = libssh2_session_last_errno(session.handle)
        if code == LIBSSH2_ERROR_EAGAIN { return .none }
        if LibSSH2Session.isFatal(Int(code)) { return .fatal(code) }
        opening = .none
        refused(session.lastError)
        return .some
    }

    private func sessionRefused(_ reason: String) {
        // Waiting can help only while another of our channels is open.
        let mayMakeRoom = records.contains { $0.stage != .waiting && $0.core.purpose.isSession }
        refusal = Refusal(reason: reason, count: mayMakeRoom ? 0 : (refusal?.count ?? 0) + 1)
        guard let refusal, refusal.count >= Self.maxRefusals else { return }
        for record in records where record.waitsForSession {
            record.abandon(
                LinkError(
                    .remoteFailed, "the vehicle's SSH server refused a session for this user (\(reason))",
                    hint: "does its sshd_config allow sessions (MaxSessions)?"))
        }
    }

    // MARK: Time

    private func sendKeepAlive() {
        guard keepAlive.hasPassed else { return }
        var seconds: Int32 = 0
        libssh2_keepalive_send(session.handle, &seconds)
        keepAlive = Deadline(in: .seconds(max(seconds, 1)))
    }

    private func nextDeadline() -> Deadline {
        var next = keepAlive
        if case .none = opening, let refusal, records.contains(where: \.waitsForSession) {
            next = min(next, refusal.retryAt)
        }
        for record in records {
            if let deadline = record.core.state.withLock({ $0.earliestDeadline }) { next = min(next, deadline) }
        }
        return next
    }

    private func sendDisconnect() {
        let deadline = Deadline(in: SSHTimeouts.farewell)
        _ = try? transport.drive(until: deadline, doing: "disconnecting") { handle in
            libssh2_session_disconnect_ex(handle, SSH_DISCONNECT_BY_APPLICATION, "closed by the user", "")
        }
        transport.flush()
    }
}
