import CTerminalRescue
import Dispatch
import ProgramKit
import Synchronization
import SystemIO
import TerminalEmulation
import Threads
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The user's terminal in raw mode for a remote shell: no echo, no line editing, no signals from keys. The settings are restored
/// on deinit, and by `CTerminalRescue` when the program crashes.
final class RawTerminal: Sendable {
    private let original: termios
    private let isRestored = Atomic<Bool>(false)

    /// - Throws: ``LinkError`` when there is no terminal.
    init() throws(LinkError) {
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else {
            throw LinkError(
                .unsupported, "cannot read the terminal's settings: \(SystemError.text(errno))")
        }
        original = attributes
        var raw = attributes
        cfmakeraw(&raw)
        // A crash does not know what was on.
        _ = (Self.leaveAlternateScreen + Self.leave).withUnsafeBufferPointer { farewell in
            farewell.withMemoryRebound(to: CChar.self) {
                terminal_rescue_arm(STDIN_FILENO, &attributes, $0.baseAddress, $0.count)
            }
        }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    }

    deinit { restore(isClean: false) }

    /// Restores the terminal; safe to call twice.
    ///
    /// - Parameters:
    ///   - isClean: whether the shell ended by itself, so that its programs have reset the terminal.
    ///   - isAlternate: whether a program has left the alternate screen on.
    func restore(isClean: Bool, isAlternate: Bool = false) {
        guard !isRestored.exchange(true, ordering: .relaxed) else { return }
        terminal_rescue_disarm()
        if isAlternate { StandardStream.output.write(Self.leaveAlternateScreen) }
        if !isClean { StandardStream.output.write(Self.leave) }
        var attributes = original
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
        if !isClean { StandardStream.output.write("\r\n") }
    }

    private static let leaveAlternateScreen = Array("\u{1B}[?1049l".utf8)
    /// Resets what else an interrupted program may have left on: mouse, focus and paste reports, colours, hidden
    /// cursor.
    private static let leave = Array(
        "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h"
            .utf8)

    /// The size that the terminal reports; 80x24 when it reports none.
    static var size: TerminalSize {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
            return TerminalSize(rows: 24, columns: 80)
        }
        return TerminalSize(rows: Int(window.ws_row), columns: Int(window.ws_col))
    }

    /// Calls `body` with each new size, as long as the returned source is retained.
    static func onResize(_ body: @escaping @Sendable (TerminalSize) -> Void) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global(qos: .userInteractive))
        source.setEventHandler { body(size) }
        source.resume()
        return source
    }

    /// Writes on a thread that may block: a slow terminal throttles the shell.
    static func write(_ bytes: [UInt8]) async {
        _ = await DedicatedThread.run { StandardStream.output.write(bytes) }
    }
}

/// Whether the user hung up.
final class HangUp: Sendable {
    private let wanted = Atomic<Bool>(false)
    var isWanted: Bool {
        get { wanted.load(ordering: .relaxed) }
        set { wanted.store(newValue, ordering: .relaxed) }
    }
}
