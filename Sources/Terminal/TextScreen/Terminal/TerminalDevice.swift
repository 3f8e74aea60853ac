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
/// It is restored by ``leave()``, and by ``CTerminalRescue`` when the program crashes; not after SIGKILL. Whenever the program is
/// continued after it was stopped, by Ctrl-Z or from outside, it is set up again.
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
        var raw = Self.raw(original)
        guard tcsetattr(input, TCSADRAIN, &raw) == 0 else { throw .system("change the terminal settings", code: errno) }
        terminal_rescue_keep(input, &raw)
        var kept = original
        _ = TerminalModes.leave.withCString { terminal_rescue_arm(output, &kept, $0, TerminalModes.leave.utf8.count) }
        write(Array(TerminalModes.enter.utf8))
    }

    private static func raw(_ original: termios) -> termios {
        var raw = original
        cfmakeraw(&raw)
        return raw
    }

    /// Restores the terminal. May be called more than once. What was typed and not read is discarded: the terminal's answer to a
    /// question would be a command for the shell.
    public func leave() {
        let original: termios? = state.withLock { state in
            defer { state.isTaken = false }
            return state.isTaken ? state.original : nil
        }
        guard var original else { return }
        write(Array(TerminalModes.leave.utf8))
        terminal_rescue_disarm()
        terminal_rescue_let_go()
        tcflush(input, TCIFLUSH)
        // It must not wait for a terminal that takes no output.
        tcsetattr(input, TCSANOW, &original)
    }

    /// Stops the process group like Ctrl-Z in a shell, with the terminal restored; returns after SIGCONT, with the terminal
    /// set up again.
    ///
    /// - Throws: ``Failure/system(_:code:)`` when the terminal cannot be set up again.
    public func suspend() throws(Failure) {
        leave()
        let before = terminal_rescue_continued()
        // The whole process group, as the terminal does, so that a script that started the program stops too.
        kill(0, SIGSTOP)
        // The other threads are stopped at once, this one perhaps a moment later: without waiting, the terminal would be set up before
        // the shell sets its own modes, and stay as the shell left it. The time while it is stopped does not count.
        for _ in 0..<Self.stopMilliseconds where terminal_rescue_continued() == before { usleep(1000) }
        try enter()
    }

    /// How long this thread waits to be stopped and continued; the former takes less than a millisecond on an idle machine.
    private static let stopMilliseconds = 1000

    /// Sets the terminal up again if the program was continued, or if somebody else has left raw mode; returns whether it did.
    private func setUpAgain(after continuations: inout Int32) -> Bool {
        let now = terminal_rescue_continued()
        let wasContinued = now != continuations
        continuations = now
        // In one step with the check: once ``leave()`` has begun, the terminal is the shell's.
        let isSet = state.withLock { state in
            guard state.isTaken, let taken = state.original else { return false }
            var attributes = termios()
            let isCooked =
                tcgetattr(input, &attributes) == 0 && attributes.c_lflag & tcflag_t(ICANON | ECHO) != 0
            guard wasContinued || isCooked, tcgetpgrp(input) == getpgrp() else { return false }
            var raw = Self.raw(taken)
            return tcsetattr(input, TCSANOW, &raw) == 0
        }
        guard isSet else { return false }
        write(Array((TerminalModes.leave + TerminalModes.enter).utf8))
        return true
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

    /// Reads the input into a queue from now on, including changes of size. The queue ends when the terminal is closed.
    ///
    /// - Parameters:
    ///   - newestFrame: the number of the newest frame that was written; called on the reader's thread, once
    ///     for each read, so that all events of a read have the same number.
    ///   - now: nanoseconds of the caller's clock; called as soon as bytes were read.
    /// - Throws: ``Failure/noThread(_:)``.
    public func read(
        into queue: InputQueue, after newestFrame: @escaping @Sendable () -> Int,
        at now: @escaping @Sendable () -> Int64
    ) throws(Failure) {
        let resizes = SignalSource(SIGWINCH) { [weak self] in
            if let size = self?.size { queue.push(TerminalInput(.resize(size), frame: newestFrame())) }
        }
        let hasStarted = DedicatedThread.start { [weak self] in
            self?.readAll(into: queue, after: newestFrame, at: now)
            queue.end()
            withExtendedLifetime(resizes) {}
        }
        guard hasStarted else {
            queue.end()
            throw .noThread("keyboard")
        }
    }

    private func readAll(
        into queue: InputQueue, after newestFrame: @Sendable () -> Int, at now: @Sendable () -> Int64
    ) {
        var parser = InputParser()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var continuations = terminal_rescue_continued()
        while !queue.isEnded {
            let wait = parser.isWaiting ? InputParser.escapeTimeout : Self.idleInterval
            let readiness = Poller.wait(for: input, .readable, within: wait)
            // Before the bytes are read: a frame that is written meanwhile does not count as seen.
            let frame = newestFrame()
            // A change of size paints everything anew.
            if setUpAgain(after: &continuations) { queue.push(TerminalInput(.resize(size), frame: frame)) }
            if readiness.isEmpty {
                for event in parser.flush() { queue.push(TerminalInput(event, frame: frame)) }
            } else {
                // Without either of these, reading might wait for ever.
                guard !readiness.isDisjoint(with: [.readable, .hungUp]) else { return }
                let count = systemRead(input, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                let readAt = now()
                for event in parser.feed(buffer[..<count]) {
                    queue.push(TerminalInput(event, frame: frame, readAt: readAt))
                }
            }
        }
    }

    /// How often the reader checks whether the queue has ended, and the terminal is still set up.
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
