import Synchronization
import UAVLink

@testable import SSHTransport

/// A shell that answers its set-up, and jobs as a test wants.
final class FakeShell: ShellStream {
    enum Conduct: Sendable {
        case exits(Int32)
        /// It takes the line and writes nothing.
        case hangs
        /// It begins and does not end.
        case begins
        /// It ends without having begun.
        case ends
        case beginsAndEnds
    }

    private struct State {
        var conduct: Conduct
        var waiting: [Result<SSHChunk?, LinkError>] = []
        var reader: CheckedContinuation<Result<SSHChunk?, LinkError>, Never>?
        var sent: [String] = []
        var hasEnded = false
        var isClosed = false
    }

    /// What scripts contain that are not set-up.
    static let job = "call the service"
    private let state: Mutex<State>

    init(_ conduct: Conduct = .exits(0)) { state = Mutex(State(conduct: conduct)) }

    /// A shell with this set-up done.
    func opened(setup: String = "") async throws -> WarmShell {
        try await WarmShell.open(on: self, setup: setup, by: Deadline(in: .seconds(60)))
    }

    var conduct: Conduct {
        get { state.withLock { $0.conduct } }
        set { state.withLock { $0.conduct = newValue } }
    }
    /// The jobs that it was sent.
    var jobs: Int { sent.count { $0.contains(Self.job) } }
    var sent: [String] { state.withLock { $0.sent } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func send(_ bytes: [UInt8]) -> Bool {
        guard !hasEnded else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        state.withLock { $0.sent.append(line) }
        guard let begin = line.firstMatch(of: /uavlink-begin-[0-9a-f-]+/)?.output,
            let end = line.firstMatch(of: /uavlink-end-[0-9a-f-]+/)?.output
        else { return true }
        let conduct = line.contains(Self.job) ? conduct : .exits(0)
        switch conduct {
        case .hangs: break
        case .ends: self.end()
        case .begins: write("\(begin)\n")
        case .beginsAndEnds:
            write("\(begin)\n")
            self.end()
        case .exits(let status):
            write("\(begin)\n")
            write("\(begin)\n", to: .error)
            write("success: True\n\(end) \(status)\n")
            write("\(end)\n", to: .error)
        }
        return true
    }

    /// The shell writes.
    func write(_ text: String, to stream: SSHStream = .output) {
        put(.success(SSHChunk(stream: stream, bytes: Array(text.utf8))))
    }

    /// The shell ends.
    func end() {
        state.withLock { $0.hasEnded = true }
        put(.success(nil))
    }

    func read(by deadline: Deadline) async throws(LinkError) -> SSHChunk? {
        let result: Result<SSHChunk?, LinkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next = state.withLock { state -> Result<SSHChunk?, LinkError>? in
                    guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                    state.reader = continuation
                    return nil
                }
                if let next { continuation.resume(returning: next) }
            }
        } onCancel: {
            put(.failure(LinkError(.cancelled, "cancelled")))
        }
        return try result.get()
    }

    func close() {
        state.withLock { ($0.hasEnded, $0.isClosed) = (true, true) }
        put(.failure(ChannelRecord.closed))
    }

    private func put(_ result: Result<SSHChunk?, LinkError>) {
        let reader = state.withLock { state in
            if state.reader == nil { state.waiting.append(result) }
            return state.reader.take()
        }
        reader?.resume(returning: result)
    }
}
