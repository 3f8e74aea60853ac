import ProgramKit
import SystemIO
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Questions at a real pseudo-terminal.
@Suite(.timeLimit(.minutes(1))) struct TerminalPromptLoopbackTests {
    @Test func `a secret is asked for without echo, and the terminal is as before afterwards`() async throws {
        let seat = try Seat()
        let question = Task { await seat.prompt.ask("password: ", echoes: false, text) }
        #expect(await seat.shown(until: "password: ") == "password: ")
        #expect(!seat.showsTyping && !seat.canBeStopped)
        seat.type("open sesame\nthe next line\n")
        #expect(await question.value == "open sesame")
        #expect(await seat.shown(until: "\n") == "\r\n")
        #expect(seat.showsTyping && seat.canBeStopped)
        // What was typed for others is still there.
        #expect(await seat.prompt.ask("", echoes: true, text) == "the next line")
    }

    @Test func `an answer that may be seen is shown`() async throws {
        let seat = try Seat()
        let question = Task { await seat.prompt.ask("trust it? ", echoes: true, text) }
        #expect(await seat.shown(until: "it? ") == "trust it? ")
        seat.type("yes\n")
        #expect(await question.value == "yes")
        #expect(await seat.shown(until: "\n") == "yes\r\n")
    }

    @Test(arguments: [false, true])
    func `a cancelled question gives the terminal back`(echoes: Bool) async throws {
        let seat = try Seat()
        let question = Task { await seat.prompt.ask("secret: ", echoes: echoes, text) }
        #expect(await seat.shown(until: "secret: ") == "secret: ")
        question.cancel()
        #expect(await question.value == nil)
        #expect(seat.showsTyping && seat.canBeStopped)
    }

    @Test func `the end of the input is no answer, an empty line is one`() async throws {
        let seat = try Seat()
        let first = Task { await seat.prompt.ask("? ", echoes: false, text) }
        _ = await seat.shown(until: "? ")
        seat.type("\u{04}")
        #expect(await first.value == nil)
        let second = Task { await seat.prompt.ask("again? ", echoes: false, text) }
        _ = await seat.shown(until: "again? ")
        seat.type("\n")
        #expect(await second.value?.isEmpty == true)
    }

    @Test func `what is no terminal is not asked for secrets`() async throws {
        let (reading, writing) = try OwnedDescriptor.pipe()
        let prompt = TerminalPrompt(input: reading, output: writing)
        #expect(await prompt.ask("password: ", echoes: false, text) == nil)
        #expect(Poller.wait(for: reading.number, .readable, within: .zero).isEmpty)
    }
}

/// A pseudo-terminal: the program asks at one end, the test sits at the other.
private struct Seat {
    private let keyboard: OwnedDescriptor
    private let terminal: OwnedDescriptor
    let prompt: TerminalPrompt

    init() throws {
        var (near, far) = (Int32(-1), Int32(-1))
        try #require(openpty(&near, &far, nil, nil, nil) == 0)
        keyboard = OwnedDescriptor(near)
        terminal = OwnedDescriptor(far)
        prompt = TerminalPrompt(input: terminal, output: terminal)
    }

    private var attributes: termios {
        var attributes = termios()
        tcgetattr(terminal.number, &attributes)
        return attributes
    }

    var showsTyping: Bool { attributes.c_lflag & tcflag_t(ECHO) != 0 }

    /// Whether Ctrl-Z stops the terminal's program.
    var canBeStopped: Bool { withUnsafeBytes(of: attributes.c_cc) { $0[Int(VSUSP)] } == 0x1A }

    /// What the screen shows from now on until it ends so.
    func shown(until end: String) async -> String {
        let keyboard = keyboard
        let shown = await DedicatedThread.run { () -> String in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 256)
            while !String(decoding: bytes, as: UTF8.self).hasSuffix(end) {
                let ready = Poller.wait(for: keyboard.number, .readable, within: .seconds(20))
                let count = ready.isEmpty ? 0 : read(keyboard.number, &piece, piece.count)
                guard count > 0 else { break }
                bytes += piece[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return shown ?? ""
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        let count = write(keyboard.number, bytes, bytes.count)
        #expect(count == bytes.count)
    }
}

@Sendable private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
