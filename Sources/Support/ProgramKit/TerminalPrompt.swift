#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
package import SystemIO
internal import Threads

/// Asks the user at the program's terminal, one question at a time; each is answered with a line.
///
/// Reading from a terminal blocks, so it runs on dedicated threads. A cancelled question gives the terminal back at once.
package struct TerminalPrompt: Sendable {
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor

    /// Asks at a terminal with these descriptors.
    package init(input: OwnedDescriptor, output: OwnedDescriptor) {
        self.input = input
        self.output = output
    }

    /// The terminal of this program; `nil` unless standard input and standard error are one.
    ///
    /// Questions never go to standard output, which has the results.
    package static var ofProgram: TerminalPrompt? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        // On macOS poll does not work with it.
        #if os(Linux)
            let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
            if terminal >= 0 {
                let both = OwnedDescriptor(terminal)
                return TerminalPrompt(input: both, output: both)
            }
        #endif
        guard let input = copy(of: STDIN_FILENO), let output = copy(of: STDERR_FILENO) else { return nil }
        return TerminalPrompt(input: input, output: output)
    }

    private static func copy(of descriptor: Int32) -> OwnedDescriptor? {
        let number = dup(descriptor)
        guard number >= 0 else { return nil }
        let copy = OwnedDescriptor(number)
        copy.closeOnExec()
        return copy
    }

    /// The longest answer, bytes; a terminal itself takes no longer line.
    private static let longestAnswer = 4096

    /// Shows text that is no question.
    package func show(_ text: String) { _ = writeAll(Array(text.utf8), to: output.number) }

    /// Asks, and waits for a line.
    ///
    /// - Parameters:
    ///   - prompt: the question, shown as it is.
    ///   - echoes: whether the terminal shows what is typed. If it cannot be kept from doing so, nothing is asked.
    ///   - take: makes the answer of the bytes of the line, which are wiped afterwards.
    /// - Returns: `nil` at the end of the input (Ctrl-D), when the task is cancelled, or when the terminal is gone.
    package func ask<Answer: Sendable>(
        _ prompt: String, echoes: Bool, _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Answer
    ) async -> Answer? {
        guard let stop = try? Waker() else { return nil }
        return await withTaskCancellationHandler {
            await DedicatedThread.run { () -> Answer? in
                Self.turn.withLock { _ in answer(to: prompt, echoes, until: stop, take) }
            } ?? nil
        } onCancel: {
            stop.wake()
        }
    }

    /// Held while a question is open.
    private static let turn = Mutex<Void>(())

    private func answer<Answer: Sendable>(
        to prompt: String, _ echoes: Bool, until stop: Waker, _ take: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer? {
        if !echoes { guard Self.silence(input.number) else { return nil } }
        show(prompt)
        let answer = line(until: stop, take)
        if !echoes { Self.restoreEcho() }
        // The terminal has shown the end of the line only with the line.
        if !echoes || answer == nil { show("\n") }
        return answer
    }

    private func line<Answer>(until stop: Waker, _ take: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        withUnsafeTemporaryAllocation(byteCount: Self.longestAnswer, alignment: 1) { buffer in
            defer { wipe(buffer) }
            var count = 0
            var poller = Poller()
            let typed = poller.add(input.number)
            let stopped = poller.add(stop.descriptor)
            while count < buffer.count {
                _ = poller.wait(Poller.longestWait)
                if poller.isReady(stopped) { return nil }
                guard poller.isReady(typed) else { continue }
                let more = systemRead(input.number, UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                if more < 0, errno == EINTR || errno == EAGAIN { continue }
                guard more > 0 else { return nil }
                count += more
                // A terminal hands over one line at a time; the next one stays for others.
                if let end = buffer[..<count].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                    return take(UnsafeRawBufferPointer(rebasing: buffer[..<end]))
                }
            }
            return nil
        }
    }
}

// MARK: Echo

extension TerminalPrompt {
    /// All zero at first: an optional with a `termios` in it, in a static `Mutex`, is not `nil` in an optimised program
    /// (Swift 6.3.1), and the terminal would be given attributes that it never had.
    private struct Echo {
        /// Whether the terminal does not show what is typed.
        var isHidden = false
        /// That terminal.
        var descriptor: Int32 = 0
        /// Its attributes before.
        var before = termios()
        var hasEnded = false
    }

    private static let echo = Mutex(Echo())

    /// Ends the questions of a program that is about to exit: its terminal shows again what is typed, and later questions are
    /// not asked.
    package static func end() {
        echo.withLock { echo in
            echo.hasEnded = true
            restore(&echo)
        }
    }

    /// - Returns: whether the terminal no longer shows what is typed.
    private static func silence(_ descriptor: Int32) -> Bool {
        echo.withLock { echo in
            var attributes = termios()
            guard !echo.hasEnded, tcgetattr(descriptor, &attributes) == 0 else { return false }
            (echo.isHidden, echo.descriptor, echo.before) = (true, descriptor, attributes)
            attributes.c_lflag &= ~tcflag_t(ECHO)
            // Ctrl-Z would leave the shell without echo.
            withUnsafeMutableBytes(of: &attributes.c_cc) { $0[Int(VSUSP)] = disabledKey }
            if tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0 { return true }
            echo.isHidden = false
            return false
        }
    }

    private static func restoreEcho() { echo.withLock { restore(&$0) } }

    private static func restore(_ echo: inout Echo) {
        guard echo.isHidden else { return }
        echo.isHidden = false
        tcsetattr(echo.descriptor, TCSANOW, &echo.before)
    }

    /// `_POSIX_VDISABLE`
    private static var disabledKey: UInt8 {
        #if canImport(Glibc)
            0
        #else
            0xFF
        #endif
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    #if canImport(Glibc)
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
    #else
        _ = buffer.baseAddress.map { memset_s($0, buffer.count, 0, buffer.count) }
    #endif
}
