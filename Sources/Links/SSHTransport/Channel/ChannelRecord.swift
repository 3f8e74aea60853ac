#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import Secrets
internal import Synchronization
internal import UAVLink

/// The session thread's view of one channel: the libssh2 handle and its stage.
///
///     waiting -> terminal? -> starting -> running -> closing -> gone
///
/// A channel that its user has closed can close from any stage, but only between requests: an answer that arrives after
/// the handle was freed would stay in libssh2's queue.
final class ChannelRecord {
    enum Stage { case waiting, terminal, starting, running, closing, gone }

    let core: ChannelCore
    private(set) var stage = Stage.waiting
    private var handle: OpaquePointer?
    private var hasSentEnd = false
    private var scratch = [UInt8](repeating: 0, count: 32 * 1024)

    init(_ core: ChannelCore) { self.core = core }

    var waitsForSession: Bool { stage == .waiting && core.purpose.isSession }

    /// Assigns the handle and moves to the next stage.
    func begin(with handle: OpaquePointer) {
        self.handle = handle
        switch core.purpose {
        case .shell: stage = .terminal
        case .command(_, let isWanted) where !isWanted():
            core.end(.failed(Self.unwanted))
            stage = .closing
        case .command, .subsystem: stage = .starting
        case .tunnel:
            stage = .running
            core.opened()
        }
    }

    /// Ends a channel that has no handle.
    func abandon(_ error: LinkError) {
        core.end(.failed(error))
        stage = .gone
    }

    /// Does all work that is possible without blocking.
    ///
    /// - Returns: whether there was progress, or the code of a failure that ends the whole session.
    func advance(_ session: LibSSH2Session) -> Progress {
        let wantsClose = core.state.withLock { $0.wantsClose }
        guard let handle else {
            if wantsClose, stage == .waiting { abandon(Self.closed) }
            return .none
        }
        switch stage {
        case .waiting, .gone: return .none
        case .terminal: return requestTerminal(handle, session)
        case .starting: return start(handle, session)
        case .running:
            if wantsClose {
                core.end(.failed(Self.closed))
                stage = .closing
                return .some
            }
            return serve(handle, session)
        case .closing:
            let code = libssh2_channel_free(handle)
            if code == LIBSSH2_ERROR_EAGAIN { return .none }
            self.handle = nil
            stage = .gone
            return .some
        }
    }

    private func requestTerminal(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        guard case .shell(let terminal) = core.purpose else { return .none }
        let code = libssh2_channel_request_pty_ex(
            handle, terminal.type, UInt32(clamping: terminal.type.utf8.count), nil, 0,
            Int32(clamping: terminal.columns),
            Int32(clamping: terminal.rows), 0, 0)
        return requested(code, session, next: .starting, refusal: "refused a terminal")
    }

    private func start(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        let code: Int32
        let what: String
        switch core.purpose {
        case .command(let line, _):
            code = libssh2_channel_process_startup(handle, "exec", 4, line, UInt32(clamping: line.utf8.count))
            what = "refused to run the command"
        case .shell:
            code = libssh2_channel_process_startup(handle, "shell", 5, nil, 0)
            what = "refused to start a shell"
        case .subsystem(let name):
            code = libssh2_channel_process_startup(handle, "subsystem", 9, name, UInt32(clamping: name.utf8.count))
            what = "has no '\(name)' subsystem"
        case .tunnel: return .none
        }
        let progress = requested(code, session, next: .running, refusal: what)
        if stage == .running { core.opened() }
        return progress
    }

    private func requested(_ code: Int32, _ session: LibSSH2Session, next: Stage, refusal: String) -> Progress {
        if code == 0 {
            stage = next
            return .some
        }
        if code == LIBSSH2_ERROR_EAGAIN { return .none }
        if LibSSH2Session.isFatal(Int(code)) { return .fatal(code) }
        core.end(.failed(LinkError(.remoteFailed, "the SSH server \(refusal) (\(session.lastError))")))
        stage = .closing
        return .some
    }

    // MARK: Running

    private func serve(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        var progress = Progress.none
        for step in [resize, send, receive] {
            switch step(handle, session) {
            case .fatal(let code): return .fatal(code)
            case .some: progress = .some
            case .none: break
            }
        }
        return finishIfEnded(handle) ? .some : progress
    }

    private func resize(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        guard let size = core.state.withLock({ $0.newSize }) else { return .none }
        let code = libssh2_channel_request_pty_size_ex(
            handle, Int32(clamping: size.columns), Int32(clamping: size.rows), 0, 0)
        if code == LIBSSH2_ERROR_EAGAIN { return .none }
        core.state.withLock { state in
            if let newest = state.newSize, newest == size { state.newSize = nil }
        }
        return LibSSH2Session.isFatal(Int(code)) ? .fatal(code) : .some
    }

    private func send(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        var progress = Progress.none
        while session.outbound.count < ChannelLimits.socket {
            let result = core.state.withLock { state -> Int in
                guard !state.outgoing.isEmpty else { return 0 }
                var code = 0
                _ = state.outgoing.consume { waiting in
                    code = libssh2_channel_write_ex(
                        handle, 0, waiting.bindMemory(to: CChar.self).baseAddress, min(waiting.count, Self.mostAtOnce))
                    return max(code, 0)
                }
                if code < 0, code != Int(LIBSSH2_ERROR_EAGAIN) {
                    state.outgoing = ByteQueue()
                    state.outputRefused = true
                }
                return code
            }
            if LibSSH2Session.isFatal(result) { return .fatal(Int32(clamping: result)) }
            guard result > 0 else { break }
            progress = .some
        }
        if progress == .some { core.releaseWriter() }
        let mayEnd = core.state.withLock { $0.wantsEnd && $0.outgoing.isEmpty }
        if mayEnd, !hasSentEnd {
            let code = libssh2_channel_send_eof(handle)
            if code == LIBSSH2_ERROR_EAGAIN { return progress }
            if LibSSH2Session.isFatal(Int(code)) { return .fatal(code) }
            hasSentEnd = true
            progress = .some
        }
        return progress
    }

    private func receive(_ handle: OpaquePointer, _ session: LibSSH2Session) -> Progress {
        var progress = Progress.none
        for stream in [Int32(0), Int32(SSH_EXTENDED_DATA_STDERR)] {
            while core.state.withLock({ $0.output.count + $0.errors.count }) < ChannelLimits.incoming {
                let count = scratch.withUnsafeMutableBufferPointer { buffer in
                    buffer.withMemoryRebound(to: CChar.self) {
                        libssh2_channel_read_ex(handle, stream, $0.baseAddress, $0.count)
                    }
                }
                if LibSSH2Session.isFatal(count) { return .fatal(Int32(clamping: count)) }
                guard count > 0 else { break }
                scratch.withUnsafeMutableBytes { memory in
                    let received = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
                    core.take(UnsafeRawBufferPointer(received), from: stream == 0 ? .output : .error)
                    if core.isOutputSecret { received.wipe() }
                }
                progress = .some
            }
        }
        if progress == .some { core.deliver() }
        return progress
    }

    private func finishIfEnded(_ handle: OpaquePointer) -> Bool {
        guard libssh2_channel_eof(handle) == 1 else { return false }
        if !core.purpose.isSession {
            let isNew = core.state.withLock { state in
                defer { state.inputEnded = true }
                return !state.inputEnded
            }
            if isNew { core.deliver() }
        }
        guard libssh2_channel_wait_closed(handle) == 0 else { return false }
        core.end(.exited(exit(of: handle)))
        stage = .closing
        return true
    }

    private func exit(of handle: OpaquePointer) -> SSHExit {
        guard core.purpose.isSession else { return SSHExit(status: nil, signal: nil) }
        var name: UnsafeMutablePointer<CChar>?
        var length = 0
        libssh2_channel_get_exit_signal(handle, &name, &length, nil, nil, nil, nil)
        guard let name, length > 0 else { return SSHExit(status: libssh2_channel_get_exit_status(handle), signal: nil) }
        let signal = String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
        // libssh2 allocated it with malloc(): the session was created without a custom allocator.
        free(name)
        return SSHExit(status: nil, signal: signal)
    }

    /// Bytes per write: libssh2 sends at most one packet per call.
    private static let mostAtOnce = 32_500
    static let closed = LinkError(.closed, "the SSH channel was closed")
    /// A command that was replaced, or a setpoint that expired, while its channel was opened.
    static let unwanted = LinkError(.timedOut, "it was no longer wanted when its SSH channel was open")
}

/// The result of a step.
enum Progress: Equatable {
    case none
    case some
    case fatal(Int32)
}
