internal import CTerminalRescue
internal import Dispatch
internal import SystemIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads

/// The terminal of a full-screen program: sets it up, restores it, and reads its input.
///
/// It is restored by ``leave()``, and by ``CTerminalRescue`` when the program crashes; not after SIGKILL.
public final class TerminalDevice: Sendable {
    /// Why a terminal cannot be used.
    public enum Failure: Error, Sendable, CustomStringConvertible {
        /// Standard input or output is a file or a pipe.
        case noTerminal
        /// The terminal says of itself that it can only print lines.
        case dumb
        /// Nothing says what the terminal can do.
        case unnamed
        /// A system call failed, with its `errno`.
        case system(String, code: Int32)
        /// The system cannot create a thread for the named purpose.
        case noThread(String)

        /// One line for the user.
        public var description: String {
            switch self {
            case .noTerminal: "the text front end needs a terminal as standard input and output"
            case .dumb: "the text front end needs a terminal with cursor addressing, and this one is TERM=dumb"
            case .unnamed:
                "the text front end needs a terminal with cursor addressing, and TERM, which names this one, is not set"
            case .system(let call, let code): "cannot \(call): \(SystemError.text(code))"
            case .noThread(let what): "cannot create a thread for the \(what)"
            }
        }

        /// What to do about it.
        public var hint: String {
            switch self {
            case .noTerminal: "'uavlink --help' lists the subcommands for scripts"
            case .dumb, .unnamed:
                "set TERM to its type, such as xterm-256color; 'uavlink --help' lists the subcommands for scripts"
            case .system: "try another terminal, or a subcommand"
            case .noThread: "raise 'ulimit -u'"
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

    /// Opens the terminal at standard input and output; changes nothing yet.
    ///
    /// - Parameter type: the value of `TERM`; `nil` if it is not set.
    /// - Throws: ``Failure/noTerminal``, ``Failure/dumb``, ``Failure/unnamed``.
    public init(input: Int32 = 0, output: Int32 = 1, type: String?) throws(Failure) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .noTerminal }
        if let failure = Self.failure(ofType: type) { throw failure }
        self.input = input
        self.output = output
    }

    /// Why a terminal of a type cannot be used; `nil` if it can.
    static func failure(ofType type: String?) -> Failure? {
        switch type {
        case nil, "": .unnamed
        case "dumb": .dumb
        default: nil
        }
    }

    /// The size that the terminal reports; 80x24 when it reports none.
    public var size: ScreenSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
            return ScreenSize(rows: 24, columns: 80)
        }
        return ScreenSize(rows: Int(window.ws_row), columns: Int(window.ws_col))
    }

    /// Sets up the terminal: raw mode (no echo, line editing or signals from keys) and the alternate screen.
    ///
    /// - Throws: ``Failure/system(_:code:)``.
    public func enter() throws(Failure) {
        var attributes = termios()
        guard tcgetattr(input, &attributes) == 0 else { throw .system("read the terminal settings", code: errno) }
        let original = state.withLock { state in
            if state.original == nil { state.original = attributes }
            state.isTaken = true
            return state.original ?? attributes
        }
        var raw = original
        cfmakeraw(&raw)
        guard tcsetattr(input, TCSADRAIN, &raw) == 0 else { throw .system("change the terminal settings", code: errno) }
        var kept = original
        _ = TerminalModes.leave.withCString { terminal_rescue_arm(output, &kept, $0, TerminalModes.leave.utf8.count) }
        write(Array(TerminalModes.enter.utf8))
    }

    /// Restores the terminal. May be called more than once.
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

    /// Stops the process group like Ctrl-Z in a shell, with the terminal restored; returns after SIGCONT, with the terminal
    /// set up again.
    ///
    /// - Throws: ``Failure/system(_:code:)`` when the terminal cannot be set up again.
    public func suspend() throws(Failure) {
        leave()
        // The whole process group, as the terminal does, so that a script that started the program stops too.
        kill(0, SIGSTOP)
        try enter()
    }

    /// Writes all bytes; drops the rest when the terminal accepts nothing for ``writeTimeout``.
    public func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                guard !Poller.wait(for: output, .writable, within: Self.writeTimeout).isEmpty else { return }
            } else {
                return
            }
        }
    }

    private static let writeTimeout: Duration = .seconds(1)

    /// The input events from now on, including changes of size. The stream ends when the terminal is closed.
    ///
    /// - Parameter newestFrame: the number of the newest frame that was written; called on the reader's thread, once
    ///   for each read, so that all events of a read have the same number.
    /// - Throws: ``Failure/noThread(_:)``.
    public func events(after newestFrame: @escaping @Sendable () -> Int) throws(Failure) -> AsyncStream<TerminalInput> {
        let (stream, continuation) = AsyncStream<TerminalInput>.makeStream(bufferingPolicy: .bufferingNewest(4096))
        let resizes = SignalSource(SIGWINCH) { [weak self] in
            if let size = self?.size { continuation.yield(TerminalInput(.resize(size), frame: newestFrame())) }
        }
        continuation.onTermination = { [weak self] _ in
            withExtendedLifetime(resizes) {}
            self?.state.withLock { $0.isEnded = true }
        }
        let hasStarted = DedicatedThread.start { [weak self] in
            self?.read(into: continuation, after: newestFrame)
            continuation.finish()
        }
        guard hasStarted else {
            continuation.finish()
            throw .noThread("keyboard")
        }
        return stream
    }

    private func read(
        into continuation: AsyncStream<TerminalInput>.Continuation, after newestFrame: @Sendable () -> Int
    ) {
        var parser = InputParser()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while !state.withLock({ $0.isEnded }) {
            let wait = parser.isWaiting ? InputParser.escapeTimeout : Self.idleInterval
            let readiness = Poller.wait(for: input, .readable, within: wait)
            // Before the bytes are read: a frame that is written meanwhile does not count as seen.
            let frame = newestFrame()
            if readiness.isEmpty {
                for event in parser.flush() { continuation.yield(TerminalInput(event, frame: frame)) }
            } else {
                // Without either of these, reading might wait for ever.
                guard !readiness.isDisjoint(with: [.readable, .hungUp]) else { return }
                let count = systemRead(input, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                for event in parser.feed(buffer[..<count]) { continuation.yield(TerminalInput(event, frame: frame)) }
            }
        }
    }

    /// How often the reader checks whether the stream was terminated.
    private static let idleInterval: Duration = .milliseconds(250)
}

/// Calls a closure on a Dispatch thread when a signal arrives. `@unchecked Sendable`: Dispatch sources are thread-safe, but
/// their Swift type is not declared `Sendable`.
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
