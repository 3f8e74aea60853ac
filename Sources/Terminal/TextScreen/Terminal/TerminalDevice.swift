internal import CTerminalRescue
internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads

/// The terminal that a full-screen program runs in: takes it over, gives it back, tells what comes from it.
///
/// It is given back on ``leave()``, and by ``CTerminalRescue`` when the program crashes. Only SIGKILL leaves it as it is.
public final class TerminalDevice: Sendable {
    /// Why a terminal cannot be taken over.
    public enum Failure: Error, Sendable, CustomStringConvertible {
        /// Standard input or output is a file or a pipe.
        case noTerminal
        /// A system call failed, with its number of the error.
        case system(String, code: Int32)
        /// The system has no thread left for what is named.
        case noThread(String)

        /// One line for people.
        public var description: String {
            switch self {
            case .noTerminal: "the text front end needs a terminal at its standard input and output"
            case .system(let call, let code): "the terminal refuses \(call): \(String(cString: strerror(code)))"
            case .noThread(let what): "the system has no thread left for the \(what)"
            }
        }

        /// What to do about it.
        public var hint: String {
            switch self {
            case .noTerminal: "'uavlink --help' lists the subcommands for scripts"
            case .system: "try another terminal, or a subcommand"
            case .noThread: "end other programs, or raise the limit of 'ulimit -u'"
            }
        }
    }

    private struct State {
        var original: termios?
        var isTaken = false
        var isEnded = false
    }

    private let input: Int32
    private let output: Int32
    private let state = Mutex(State())

    /// The terminal at standard input and output; nothing is changed yet.
    ///
    /// - Throws: ``Failure/noTerminal``.
    public init(input: Int32 = 0, output: Int32 = 1) throws(Failure) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .noTerminal }
        self.input = input
        self.output = output
    }

    /// The size as the terminal tells it; 80x24 where it tells none.
    public var size: ScreenSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
            return ScreenSize(rows: 24, columns: 80)
        }
        return ScreenSize(rows: Int(window.ws_row), columns: Int(window.ws_col))
    }

    /// Takes the terminal over: no echo, no line editing, no signals from keys, another screen.
    ///
    /// - Throws: ``Failure/system(_:code:)``.
    public func enter() throws(Failure) {
        var attributes = termios()
        guard tcgetattr(input, &attributes) == 0 else { throw .system("to tell its settings", code: errno) }
        let original = state.withLock { state in
            if state.original == nil { state.original = attributes }
            state.isTaken = true
            return state.original ?? attributes
        }
        var raw = original
        cfmakeraw(&raw)
        guard tcsetattr(input, TCSADRAIN, &raw) == 0 else { throw .system("new settings", code: errno) }
        var kept = original
        _ = TerminalModes.leave.withCString { terminal_rescue_arm(output, &kept, $0, TerminalModes.leave.utf8.count) }
        write(Array(TerminalModes.enter.utf8))
    }

    /// Gives the terminal back as it was. Safe to call twice.
    public func leave() {
        let original: termios? = state.withLock { state in
            defer { state.isTaken = false }
            return state.isTaken ? state.original : nil
        }
        guard var original else { return }
        write(Array(TerminalModes.leave.utf8))
        terminal_rescue_disarm()
        tcsetattr(input, TCSADRAIN, &original)
    }

    /// Stops the program as Ctrl-Z does in a shell, with the terminal given back; returns when it goes on, with the
    /// terminal taken over again.
    ///
    /// - Throws: ``Failure/system(_:code:)`` when the terminal cannot be taken over again.
    public func suspend() throws(Failure) {
        leave()
        // The whole group, as the terminal would: a script that started the program stops with it.
        kill(0, SIGSTOP)
        try enter()
    }

    /// Writes all of it. A terminal that takes nothing for ``stuckWait`` loses the rest.
    public func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                var poll = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                guard systemPoll(&poll, 1, Self.stuckMilliseconds) > 0 else { return }
            } else {
                return
            }
        }
    }

    private static let stuckMilliseconds: Int32 = 1000

    /// What comes from the terminal from now on, a change of its size too. It ends when the terminal is gone.
    ///
    /// - Throws: ``Failure/noThread(_:)``.
    public func events() throws(Failure) -> AsyncStream<InputEvent> {
        let (stream, continuation) = AsyncStream<InputEvent>.makeStream(bufferingPolicy: .bufferingNewest(4096))
        let resizes = SignalSource(SIGWINCH) { [weak self] in
            if let size = self?.size { continuation.yield(.resize(size)) }
        }
        continuation.onTermination = { [weak self] _ in
            withExtendedLifetime(resizes) {}
            self?.state.withLock { $0.isEnded = true }
        }
        let hasStarted = OwnThread.start { [weak self] in
            self?.read(into: continuation)
            continuation.finish()
        }
        guard hasStarted else {
            continuation.finish()
            throw .noThread("keyboard")
        }
        return stream
    }

    private func read(into continuation: AsyncStream<InputEvent>.Continuation) {
        var parser = InputParser()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while !state.withLock({ $0.isEnded }) {
            var poll = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let wait = parser.isWaiting ? Self.escapeMilliseconds : Self.idleMilliseconds
            let ready = systemPoll(&poll, 1, wait)
            if ready == 0 {
                for event in parser.flush() { continuation.yield(event) }
            } else if ready < 0 {
                guard errno == EINTR else { return }
            } else {
                let count = systemRead(input, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                for event in parser.feed(buffer[..<count]) { continuation.yield(event) }
            }
        }
    }

    private static let escapeMilliseconds = Int32(InputParser.escapeWait.components.attoseconds / 1_000_000_000_000_000)
    /// How often the reader looks whether it is still wanted.
    private static let idleMilliseconds: Int32 = 250
}

/// A signal told to a closure, on a thread of Dispatch's. Unchecked: sources are safe to use from any thread, only their
/// Swift type does not say so here.
final class SignalSource: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        source.setEventHandler(handler: body)
        source.resume()
    }

    deinit { source.cancel() }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &buffer, count)
}

private func systemPoll(_ descriptors: inout pollfd, _ count: Int, _ milliseconds: Int32) -> Int32 {
    poll(&descriptors, nfds_t(count), milliseconds)
}
