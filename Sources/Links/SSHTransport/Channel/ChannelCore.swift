internal import Secrets
internal import Synchronization
internal import UAVLink

/// A suspended caller with its deadline.
struct Waiter<Value: Sendable>: Sendable {
    let deadline: Deadline
    let continuation: CheckedContinuation<Result<Value, LinkError>, Never>
}

/// The state of one channel, shared by its user and the session's thread.
///
/// The user's side enters requests (bytes to send, end of input, a new size, close) and waits; the thread executes them
/// and enters what was received. Whoever removes a waiter from the state resumes it, so each is resumed exactly once.
final class ChannelCore: Sendable {
    enum Purpose: Sendable {
        /// Run if it is still wanted when its channel is open.
        case command(String, isWanted: @Sendable () -> Bool)
        case shell(SSHTerminal)
        case subsystem(String)
        case tunnel(host: String, port: UInt16)

        var isSession: Bool { if case .tunnel = self { false } else { true } }
    }

    enum Ending: Sendable {
        case exited(SSHExit)
        case failed(LinkError)
    }

    struct State: Sendable {
        var isOpen = false
        var ending: Ending?
        var output = ByteQueue()
        var errors = ByteQueue()
        /// Takes all output instead of ``output``, and is taken as a whole at the end; `nil` where output is no secret.
        /// Unchecked because it is not Sendable; it is used with this state's lock only.
        nonisolated(unsafe) var secretOutput: SecretBuffer?
        /// Whether there was more output than ``secretOutput`` holds.
        var hasLostSecret = false
        /// The peer sends no more data, though it may still read.
        var inputEnded = false
        var outgoing = ByteQueue()
        var wantsEnd = false
        /// The peer reads no more data.
        var outputRefused = false
        var newSize: (columns: Int, rows: Int)?
        var wantsClose = false
        var opening: Waiter<Void>?
        var reading: Waiter<SSHChunk?>?
        var writing: Waiter<Void>?
        /// Receives all data on the session's thread instead of a reader; called once with `nil` at the end.
        var sink: (@Sendable ([UInt8]?) -> Void)?

        /// The result of a read now, or `nil` when the reader has to wait.
        mutating func nextChunk() -> Result<SSHChunk?, LinkError>? {
            if !output.isEmpty {
                return .success(SSHChunk(stream: .output, bytes: output.take(upTo: ChannelLimits.chunk)))
            }
            if !errors.isEmpty {
                return .success(SSHChunk(stream: .error, bytes: errors.take(upTo: ChannelLimits.chunk)))
            }
            switch ending {
            case .exited: return .success(nil)
            case .failed(let error): return .failure(error)
            case nil: return inputEnded ? .success(nil) : nil
            }
        }

        /// Takes received bytes.
        mutating func append(_ bytes: UnsafeRawBufferPointer, to stream: SSHStream) {
            switch stream {
            case .error: errors.append(bytes)
            case .output:
                guard let secretOutput else { return output.append(bytes) }
                if !secretOutput.append(bytes) { hasLostSecret = true }
            }
        }

        var earliestDeadline: Deadline? {
            [opening?.deadline, reading?.deadline, writing?.deadline].compactMap(\.self).min()
        }
    }

    let purpose: Purpose
    let state = Mutex(State())

    /// Whether standard output is received into memory that is wiped.
    let isOutputSecret: Bool

    /// - Parameter secretOutput: the most bytes of output, where output is a secret.
    init(_ purpose: Purpose, secretOutput: Int? = nil) {
        self.purpose = purpose
        isOutputSecret = secretOutput != nil
        if let secretOutput { state.withLock { $0.secretOutput = SecretBuffer(capacity: secretOutput) } }
    }

    // MARK: The thread's side

    func opened() {
        let waiter = state.withLock { state -> Waiter<Void>? in
            state.isOpen = true
            return state.opening.take()
        }
        waiter?.continuation.resume(returning: .success(()))
    }

    /// Takes received bytes; ``deliver()`` passes them on.
    func take(_ bytes: UnsafeRawBufferPointer, from stream: SSHStream) {
        state.withLock { $0.append(bytes, to: stream) }
    }

    /// The secret output so far, which the channel then holds no more; `nil` when there was more than it may hold.
    func takeSecretOutput() -> SecretBytes? {
        state.withLock { state in
            let secret = state.secretOutput?.contents
            state.secretOutput = nil
            return state.hasLostSecret ? nil : secret
        }
    }

    /// Passes received data to the sink; returns whether there is one.
    private func deliverToSink() -> Bool {
        guard let sink = state.withLock({ $0.sink }) else { return false }
        while let chunk = state.withLock({ $0.nextChunk() }) {
            if case .success(let bytes?) = chunk {
                sink(bytes.bytes)
            } else {
                state.withLock { $0.sink = nil }
                sink(nil)
                break
            }
        }
        return true
    }

    /// Passes received data to the sink, or to the reader that waits.
    func deliver() {
        if deliverToSink() { return }
        let delivery = state.withLock { state -> (Waiter<SSHChunk?>, Result<SSHChunk?, LinkError>)? in
            guard state.reading != nil, let chunk = state.nextChunk(), let reader = state.reading.take() else {
                return nil
            }
            return (reader, chunk)
        }
        if let (reader, chunk) = delivery { reader.continuation.resume(returning: chunk) }
    }

    /// Resumes a writer when less than ``ChannelLimits/outgoing`` remains to be sent.
    func releaseWriter() {
        let waiter = state.withLock { state -> Waiter<Void>? in
            state.outgoing.count < ChannelLimits.outgoing ? state.writing.take() : nil
        }
        waiter?.continuation.resume(returning: .success(()))
    }

    /// Ends the channel; only the first reason counts.
    func end(_ ending: Ending) {
        let (opening, writing) = state.withLock { state -> (Waiter<Void>?, Waiter<Void>?) in
            if state.ending == nil { state.ending = ending }
            state.outgoing = ByteQueue()
            return (state.opening.take(), state.writing.take())
        }
        let outcome: Result<Void, LinkError> =
            switch ending {
            case .failed(let error): .failure(error)
            case .exited: .failure(Self.peerStoppedReading)
            }
        opening?.continuation.resume(returning: outcome)
        writing?.continuation.resume(returning: outcome)
        deliver()
    }

    /// Fails the waiters whose deadline has passed.
    ///
    /// - Parameter refusal: the server's reason for refusing a further channel, if it did.
    func expire(refusal: String?) {
        let expired = state.withLock { state -> (Waiter<Void>?, Waiter<SSHChunk?>?, Waiter<Void>?) in
            var opening: Waiter<Void>?
            if let waiter = state.opening, waiter.deadline.hasPassed {
                opening = state.opening.take()
                state.wantsClose = true
            }
            let reading = state.reading.flatMap { $0.deadline.hasPassed ? state.reading.take() : nil }
            let writing = state.writing.flatMap { $0.deadline.hasPassed ? state.writing.take() : nil }
            return (opening, reading, writing)
        }
        expired.0?.continuation.resume(returning: .failure(Self.notOpened(refusal: refusal)))
        expired.1?.continuation.resume(returning: .failure(SSHSession.noAnswer))
        expired.2?.continuation.resume(returning: .failure(SSHSession.noAnswer))
    }

    static let peerStoppedReading = LinkError(.remoteFailed, "the remote program has closed its input")

    private static func notOpened(refusal: String?) -> LinkError {
        guard let refusal else {
            return LinkError(.timedOut, "the vehicle's SSH server opened no channel within the timeout")
        }
        return LinkError(
            .timedOut, "the vehicle's SSH server allows no further channel (\(refusal))",
            hint: "raise MaxSessions in its sshd_config, or close other programs that use this connection")
    }
}

/// Buffer limits, bytes.
enum ChannelLimits {
    /// Received data buffered for a reader before the peer is held back: one round trip's worth on a fast link.
    static let incoming = 1024 * 1024
    /// Data to be sent before a writer has to wait.
    static let outgoing = 256 * 1024
    /// The largest chunk returned by one read.
    static let chunk = 256 * 1024
    /// Data waiting for the socket before channels stop writing.
    static let socket = 512 * 1024
}
