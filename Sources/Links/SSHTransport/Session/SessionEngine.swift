internal import CLibSSH2
internal import Synchronization
internal import UAVLink

/// The loop of a session's own thread: moves bytes, advances every channel, keeps every deadline.
///
/// It holds one session channel open in reserve. A command then starts without the round trip that opening costs, and
/// there is always a channel through which libssh2 can be made to read: it has no other way to hear the server's own
/// requests while nothing runs.
final class SessionEngine {
    private struct Refusal {
        let reason: String
        /// How often in a row, with no channel of ours that could make room.
        let count: Int
        let retryAt = Deadline(in: SessionEngine.refusalPause)
    }

    /// A server frees a channel's place a moment after it has said goodbye to the channel.
    private static let refusalPause: Duration = .milliseconds(50)
    /// After so many refusals with nothing of ours open, waiting longer is of no use: 0.5 s.
    private static let mostRefusals = 10

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
    /// The server would open no further session channel; tried again when one has gone.
    private var refusal: Refusal?
    private var keepAlive = Deadline(in: .zero)

    init(_ transport: SessionTransport, mailbox: SessionMailbox) {
        self.transport = transport
        self.mailbox = mailbox
        libssh2_keepalive_config(transport.session.handle, 0, SSHTimes.keepAliveSeconds)
    }

    /// Serves until the session is stopped or lost; every channel has then failed with the reason returned.
    func run() -> LinkError {
        let reason = serve()
        // First of all: who is told of the end must not find the session still open.
        mailbox.stop(reason)
        for record in records { record.core.end(.failed(reason)) }
        return reason
    }

    private func serve() -> LinkError {
        while true {
            if let reason = mailbox.stopReason {
                sayFarewell()
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
            // Only now, when everything that still came in has been delivered.
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
        return pumpSpare() ?? progress
    }

    /// Makes libssh2 read although no channel may be reading just now.
    private func pumpSpare() -> Progress? {
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
                            .unreachable, "the vehicle cannot reach \(host) port \(port) for us (\(reason))",
                            hint: "does something listen there, and does its sshd_config allow TCP forwarding?"))
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
        // As long as another channel of ours may end, waiting can help.
        let mayMakeRoom = records.contains { $0.stage != .waiting && $0.core.purpose.isSession }
        refusal = Refusal(reason: reason, count: mayMakeRoom ? 0 : (refusal?.count ?? 0) + 1)
        guard let refusal, refusal.count >= Self.mostRefusals else { return }
        for record in records where record.waitsForSession {
            record.abandon(
                LinkError(
                    .remoteFailed, "the vehicle's SSH server opens no session for this user (\(reason))",
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

    private func sayFarewell() {
        let deadline = Deadline(in: SSHTimes.farewell)
        _ = try? transport.drive(until: deadline, doing: "saying goodbye") { handle in
            libssh2_session_disconnect_ex(handle, SSH_DISCONNECT_BY_APPLICATION, "closed by the user", "")
        }
        transport.flush()
    }
}
