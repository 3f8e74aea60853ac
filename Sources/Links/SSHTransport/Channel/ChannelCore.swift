internal import Synchronization
internal import UAVLink

/// Somebody who waits for something until a deadline.
struct Waiter<Value: Sendable>: Sendable {
    let deadline: Deadline
    let continuation: CheckedContinuation<Result<Value, LinkError>, Never>
}

/// What one channel's user and the session's thread share.
///
/// The user's side puts wishes in (bytes to send, end of input, a new size, close) and waits; the thread carries them
/// out and puts in what came. Whoever takes a waiter out of the state resumes it, so each is resumed exactly once.
final class ChannelCore: Sendable {
    enum Purpose: Sendable {
        case command(String)
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
        /// The other end sends no more, though it may still read.
        var inputEnded = false
        var outgoing = ByteQueue()
        var wantsEnd = false
        /// The other end reads no more.
        var outputRefused = false
        var newSize: (columns: Int, rows: Int)?
        var wantsClose = false
        var opening: Waiter<Void>?
        var reading: Waiter<SSHChunk?>?
        var writing: Waiter<Void>?
        /// Takes everything that comes, on the session's thread, in place of a reader; at the end `nil`, once.
        var sink: (@Sendable ([UInt8]?) -> Void)?

        /// What a reader gets now, or `nil` when it has to wait.
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

        var earliestDeadline: Deadline? {
            [opening?.deadline, reading?.deadline, writing?.deadline].compactMap(\.self).min()
        }
    }

    let purpose: Purpose
    let state = Mutex(State())

    init(_ purpose: Purpose) { self.purpose = purpose }

    // MARK: The thread's side

    func opened() {
        let waiter = state.withLock { state -> Waiter<Void>? in
            state.isOpen = true
            return state.opening.take()
        }
        waiter?.continuation.resume(returning: .success(()))
    }

    /// Hands the sink what has come; whether there is one.
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

    /// Hands the reader what has come, if it waits.
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

    /// Lets a writer go on when enough of what it wrote is on its way.
    func releaseWriter() {
        let waiter = state.withLock { state -> Waiter<Void>? in
            state.outgoing.count < ChannelLimits.outgoing ? state.writing.take() : nil
        }
        waiter?.continuation.resume(returning: .success(()))
    }

    /// The last word on this channel; later ones are ignored.
    func end(_ ending: Ending) {
        let (opening, writing) = state.withLock { state -> (Waiter<Void>?, Waiter<Void>?) in
            if state.ending == nil { state.ending = ending }
            state.outgoing = ByteQueue()
            return (state.opening.take(), state.writing.take())
        }
        let outcome: Result<Void, LinkError> =
            switch ending {
            case .failed(let error): .failure(error)
            case .exited: .failure(Self.readsNoMore)
            }
        opening?.continuation.resume(returning: outcome)
        writing?.continuation.resume(returning: outcome)
        deliver()
    }

    /// Fails whoever waits past its deadline.
    ///
    /// - Parameter refusal: what the server said when it would not open one more channel, if it did.
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
        let late = LinkError(
            .timedOut, "the vehicle did not answer over SSH in the time given",
            hint: "the program there may hang, or the network may be slow: give it longer with --timeout")
        expired.1?.continuation.resume(returning: .failure(late))
        expired.2?.continuation.resume(returning: .failure(late))
    }

    static let readsNoMore = LinkError(.remoteFailed, "the program at the other end reads no more")

    private static func notOpened(refusal: String?) -> LinkError {
        guard let refusal else {
            return LinkError(.timedOut, "the vehicle's SSH server opened no channel in the time given")
        }
        return LinkError(
            .timedOut, "the vehicle's SSH server allows no further channel (\(refusal))",
            hint: "raise MaxSessions in its sshd_config, or end some of what runs over this connection")
    }
}

/// How much a channel holds.
enum ChannelLimits {
    /// What may wait for a reader before the other end is made to wait: one round trip's worth on a fast link.
    static let incoming = 1024 * 1024
    /// What may wait to be sent before a writer is made to wait.
    static let outgoing = 256 * 1024
    /// What a reader gets in one piece.
    static let chunk = 256 * 1024
    /// What may wait for the socket before channels hold back.
    static let socket = 512 * 1024
}
