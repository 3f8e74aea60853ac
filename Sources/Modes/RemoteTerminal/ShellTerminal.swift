internal import Synchronization
public import TerminalEmulation

/// The emulated terminal of a shell, shared by the task that reads and the main actor that shows and types: each holds it
/// only for one small piece of bytes, one picture or one key.
public final class ShellTerminal: Sendable {
    /// What is taken in at once. libvterm takes some 10 MB/s, so that a key waits under a millisecond for its turn.
    static let piece = 4 * 1024

    /// Absent when there was no memory for it: then nothing is shown, and nothing is lost but that.
    private let emulator: Mutex<TerminalEmulator?>

    /// A terminal of that size.
    public init(_ size: TerminalSize) { emulator = Mutex(TerminalEmulator(size)) }

    /// Takes what the program wrote.
    ///
    /// - Returns: what the program is to be answered.
    func feed(_ bytes: ArraySlice<UInt8>) -> [UInt8] { output { $0.feed(bytes) } }

    /// What is in view.
    public func picture(linesBelow: Int) -> TerminalPicture {
        emulator.withLock { $0?.picture(linesBelow: linesBelow) } ?? TerminalPicture()
    }

    /// What the program has asked for.
    public var modes: TerminalModes { emulator.withLock { $0?.modes } ?? TerminalModes() }

    /// The number of the line after the newest.
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
