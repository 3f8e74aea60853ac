import RemoteTerminalMode
import Synchronization
import TerminalEmulation
import UAVLink

/// A shell that a test plays.
final class FakeShell: ShellChannel {
    private struct State {
        var waiting: [Result<[UInt8]?, LinkError>] = []
        var reader: CheckedContinuation<Result<[UInt8]?, LinkError>, Never>?
        var written: [UInt8] = []
        var sizes: [TerminalSize] = []
        var isClosed = false

        /// Takes the reader out, so that it is resumed once.
        mutating func takeReader() -> CheckedContinuation<Result<[UInt8]?, LinkError>, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())

    var written: String { String(decoding: state.withLock { $0.written }, as: UTF8.self) }
    var sizes: [TerminalSize] { state.withLock { $0.sizes } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    let ending: ProgramEnding? = ProgramEnding(status: 7)

    /// Lets the program write.
    func write(_ text: String) { deliver(.success(Array(text.utf8))) }
    func write(_ bytes: [UInt8]) { deliver(.success(bytes)) }
    /// Ends it.
    func end() { deliver(.success(nil)) }
    /// Cuts the connection.
    func lose() { deliver(.failure(LinkError(.notConnected, "the vehicle is gone"))) }

    private func deliver(_ result: Result<[UInt8]?, LinkError>) {
        let reader = state.withLock { state in
            let reader = state.takeReader()
            if reader == nil { state.waiting.append(result) }
            return reader
        }
        reader?.resume(returning: result)
    }

    func read(within timeout: Duration) async throws(LinkError) -> [UInt8]? {
        let result: Result<[UInt8]?, LinkError> = await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Result<[UInt8]?, LinkError>? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                if state.isClosed { return .failure(LinkError(.closed, "closed")) }
                state.reader = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        state.withLock { $0.written += bytes }
    }

    func resize(_ size: TerminalSize) { state.withLock { $0.sizes.append(size) } }

    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.takeReader()
        }
        reader?.resume(returning: .failure(LinkError(.cancelled, "closed")))
    }
}

/// Opens the shells that a test has ready, one after the other.
final class FakeShells: Sendable {
    private let state: Mutex<(shells: [FakeShell], sizes: [TerminalSize])>

    init(_ shells: [FakeShell]) { state = Mutex((shells, [])) }

    var openedSizes: [TerminalSize] { state.withLock { $0.sizes } }

    var opener: ShellOpener {
        ShellOpener(place: "mrs@uav1") { [self] (size, _) throws(LinkError) in
            let shell = state.withLock { state -> FakeShell? in
                state.sizes.append(size)
                return state.shells.isEmpty ? nil : state.shells.removeFirst()
            }
            guard let shell else { throw LinkError(.unreachable, "no route to host") }
            return shell
        }
    }
}

/// A command runner that a test plays: one command at a time.
final class FakeRunner: CommandRunner {
    private struct State {
        var lines: [String] = []
        var output: (@Sendable (CommandChunk) -> Void)?
        var end: CheckedContinuation<Result<ProgramEnding?, LinkError>, Never>?
        var interrupts = 0
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }
    var interrupts: Int { state.withLock { $0.interrupts } }

    func run(
        _ line: String, interrupt: AsyncStream<Void>, onOutput: @Sendable (CommandChunk) -> Void
    ) async throws(LinkError) -> ProgramEnding? {
        let watching = Task {
            for await _ in interrupt {}
            if !Task.isCancelled { state.withLock { $0.interrupts += 1 } }
        }
        defer { watching.cancel() }
        return try await withoutActuallyEscaping(onOutput) { (output) async -> Result<ProgramEnding?, LinkError> in
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    state.withLock { state in
                        state.lines.append(line)
                        state.output = output
                        state.end = continuation
                    }
                }
            } onCancel: {
                end(.failure(LinkError(.cancelled, "cancelled")))
            }
            state.withLock { $0.output = nil }
            return result
        }.get()
    }

    func write(_ text: String, isError: Bool = false) {
        let output = state.withLock { $0.output }
        output?(CommandChunk(isError: isError, bytes: Array(text.utf8)))
    }

    func end(_ result: Result<ProgramEnding?, LinkError>) {
        let end = state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
        end?.resume(returning: result)
    }
}
