import Testing
import TextScreen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A terminal of the system, of which the test holds the far end.
private final class TerminalPair {
    private var far: Int32
    let near: Int32

    init() throws {
        var (far, near): (Int32, Int32) = (-1, -1)
        let code = openpty(&far, &near, nil, nil, nil)
        try #require(code == 0)
        (self.far, self.near) = (far, near)
    }

    deinit {
        hangUp()
        close(near)
    }

    /// Closes the far end.
    func hangUp() {
        if far >= 0 { close(far) }
        far = -1
    }

    /// Whether keys arrive without Enter and are not echoed.
    var isRaw: Bool {
        var attributes = termios()
        return tcgetattr(near, &attributes) == 0 && attributes.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    /// As a shell does before it continues a program.
    func makeCooked() {
        var attributes = termios()
        guard tcgetattr(near, &attributes) == 0 else { return }
        attributes.c_lflag |= tcflag_t(ICANON | ECHO)
        tcsetattr(near, TCSANOW, &attributes)
    }

    func type(_ text: String) { _ = text.withCString { write(far, $0, strlen($0)) } }
}

@Suite("A terminal of the system", .serialized, .timeLimit(.minutes(1)))
struct TerminalDeviceLoopbackTests {
    private let pair: TerminalPair
    private let device: TerminalDevice

    init() throws {
        pair = try TerminalPair()
        device = try TerminalDevice(input: pair.near, output: pair.near, type: "xterm")
    }

    @Test("raw mode is set again whenever the program is continued, until the terminal is given back")
    func continued() throws {
        try device.enter()
        #expect(pair.isRaw)
        pair.makeCooked()
        #expect(!pair.isRaw)
        kill(getpid(), SIGCONT)
        for _ in 0..<5000 where !pair.isRaw { usleep(1000) }
        #expect(pair.isRaw)
        device.leave()
        #expect(!pair.isRaw)
        kill(getpid(), SIGCONT)
        usleep(50_000)
        #expect(!pair.isRaw)
    }

    #if os(Linux)
        @Test("what was typed and not read does not reach the shell")
        func leftOver() throws {
            try device.enter()
            pair.type("\u{1B}[?1;2c\n")
            var count: Int32 = 0
            for _ in 0..<5000 where count == 0 {
                _ = ioctl(pair.near, UInt(FIONREAD), &count)
                usleep(1000)
            }
            #expect(count > 0)
            device.leave()
            _ = ioctl(pair.near, UInt(FIONREAD), &count)
            #expect(count == 0)
        }
    #endif

    @Test("what is typed arrives with the newest frame, until the terminal is closed")
    func typed() async throws {
        let queue = InputQueue()
        try device.enter()
        try device.read(into: queue, after: { 7 }, at: { 12 })
        pair.type("a")
        #expect(await queue.next() == TerminalInput(.key(.typed("a")), frame: 7, readAt: 12))
        pair.hangUp()
        #expect(await queue.next() == nil)
        #expect(queue.isEnded)
    }
}
