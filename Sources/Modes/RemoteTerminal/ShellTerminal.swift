internal import Synchronization
package import TerminalEmulation

/// The emulated terminal of a shell, shared by the reading task and the main actor: each holds the lock only for one
/// small chunk, one picture or one key.
package final class ShellTerminal: Sendable {
    /// The largest chunk processed at once. libvterm processes about 10 MB/s, so a key waits less than a millisecond
    /// for the lock.
    static let piece = 4 * 1024

    /// `nil` if there was no memory for it: then only the display is missing.
    private let emulator: Mutex<TerminalEmulator?>

    package init(_ size: TerminalSize) { emulator = Mutex(TerminalEmulator(size)) }

    /// Processes output of the program.
    ///
    /// - Returns: the terminal's replies to the program.
    func feed(_ bytes: ArraySlice<UInt8>) -> [UInt8] { output { $0.feed(bytes) } }

    /// The visible lines.
    package func picture(linesBelow: Int) -> TerminalSnapshot {
        emulator.withLock { $0?.picture(linesBelow: linesBelow) } ?? TerminalSnapshot()
    }

    /// The modes that the program has set.
    package var modes: TerminalModes { emulator.withLock { $0?.modes } ?? TerminalModes() }

    /// The line number after the newest line.
    var lineCount: Int { emulator.withLock { $0?.lineCount } ?? 0 }

    func find(_ text: String, from line: Int, upwards: Bool) -> Int? {
        emulator.withLock { $0?.find(text, from: line, upwards: upwards) }
    }

    func resize(_ size: TerminalSize) { emulator.withLock { $0?.resize(size) } }
    func beginAnew() { emulator.withLock { $0?.beginAnew() } }
    var wantsBracketedPaste: Bool { emulator.withLock { $0?.wantsBracketedPaste } ?? false }

    func bytes(for key: TerminalKey) -> [UInt8] { output { $0.press(key) } }
    func bytes(forPaste text: String) -> [UInt8] { output { $0.paste(text) } }
    func bytes(for mouse: TerminalMouse) -> [UInt8] { output { $0.mouse(mouse) } }

    private func output(_ body: (TerminalEmulator) -> Void) -> [UInt8] {
        emulator.withLock { emulator in
            guard let emulator else { return [] }
            body(emulator)
            return emulator.takeOutput()
        }
    }
}
