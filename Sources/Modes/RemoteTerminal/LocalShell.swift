#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
public import TerminalEmulation
internal import Threads
public import UAVLink

/// A login shell on this machine in a terminal of its own: for a vehicle that is reached without SSH, such as the one of
/// `uavlink sim`.
///
/// Every call that may block runs on a thread of its own and looks several times a second whether it is still wanted.
public final class LocalShell: ShellChannel {
    private let process: LocalProcess
    private let master: OpenDescriptor
    private let closed = Atomic<Bool>(false)

    /// Starts the shell: `SHELL`, else the user's own, else `sh`.
    ///
    /// - Parameter command: what it is to run instead of taking commands; for tests.
    /// - Throws: ``LinkError``: `remoteFailed` when there is no terminal or no shell.
    public init(
        size: TerminalSize, environment: [String: String], terminalType: String = "xterm-256color",
        command: String? = nil
    ) throws(LinkError) {
        var (masterNumber, slaveNumber) = (Int32(-1), Int32(-1))
        var window = Self.window(size)
        var path = [CChar](repeating: 0, count: 1024)
        guard openpty(&masterNumber, &slaveNumber, &path, nil, &window) == 0 else {
            throw LinkError(.remoteFailed, "this machine gives no terminal: \(String(cString: strerror(errno)))")
        }
        let master = OpenDescriptor(masterNumber)
        let slave = OpenDescriptor(slaveNumber)
        _ = fcntl(master.number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave.number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master.number, F_SETFL, fcntl(master.number, F_GETFL) | O_NONBLOCK)
        let shell = Self.shell(environment)
        let name = "-" + (shell.split(separator: "/").last ?? "sh")
        process = try LocalProcess(
            shell, command.map { [shell, "-c", $0] } ?? [name],
            environment: Self.surroundings(environment, terminalType),
            folder: LocalProcess.home(environment),
            .terminal(String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)))
        self.master = master
        withExtendedLifetime(slave) {}
    }

    deinit { process.endForGood(keeping: master) }

    /// The next bytes for the screen; `nil` when the shell has ended.
    public func read(within timeout: Duration) async throws(LinkError) -> [UInt8]? {
        let result = await OwnThread.run { [self] in readHere(deadline: SystemMonotonicClock().now + timeout) }
        guard let result else { throw Self.noThread }
        if Task.isCancelled { throw LinkError(.cancelled, "the caller cancelled the shell") }
        return try result.get()
    }

    private static let noThread = LinkError(.internalFault, "this machine has no more threads to give")
    private static let closedError = LinkError(.closed, "the shell was hung up")
    /// How often a waiting thread looks whether it is still wanted.
    private static let sliceMilliseconds: Int32 = 100
    /// The most that is handed over in one piece.
    private static let chunk = 64 * 1024

    private func readHere(deadline: MonotonicTime) -> Result<[UInt8]?, LinkError> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while !closed.load(ordering: .relaxed) {
            let count = Glue.read(master.number, &buffer)
            if count > 0 {
                bytes += buffer[..<count]
                if bytes.count >= Self.chunk { return .success(bytes) }
                continue
            }
            if !bytes.isEmpty { return .success(bytes) }
            if count < 0, errno == EINTR { continue }
            // EIO says that nobody has the other end open any more.
            if count == 0 || errno != EAGAIN {
                if process.waitForEnd(milliseconds: 1000) == nil { process.endForGood(keeping: master) }
                return .success(nil)
            }
            // What the shell has started may hold the terminal open; it is the shell that counts.
            if process.ending != nil, !Glue.waits(master.number, for: POLLIN, milliseconds: 20) { return .success(nil) }
            guard SystemMonotonicClock().now < deadline else {
                return .failure(LinkError(.timedOut, "the shell wrote nothing in the time given"))
            }
            _ = Glue.waits(master.number, for: POLLIN, milliseconds: Self.sliceMilliseconds)
        }
        return .failure(Self.closedError)
    }

    /// Sends what was typed.
    public func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        let deadline = SystemMonotonicClock().now + timeout
        let result: Result<Void, LinkError>? = await OwnThread.run { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard !closed.load(ordering: .relaxed) else { return .failure(Self.closedError) }
                let count = Glue.write(master.number, rest)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN || errno == EINTR {
                    guard SystemMonotonicClock().now < deadline else {
                        return .failure(LinkError(.timedOut, "the shell takes no more keys"))
                    }
                    _ = Glue.waits(master.number, for: POLLOUT, milliseconds: Self.sliceMilliseconds)
                } else {
                    return .failure(Self.closedError)
                }
            }
            return .success(())
        }
        guard let result else { throw Self.noThread }
        try result.get()
    }

    /// Tells the shell the terminal's size.
    public func resize(_ size: TerminalSize) {
        var window = Self.window(size)
        _ = ioctl(master.number, UInt(TIOCSWINSZ), &window)
    }

    /// How the shell ended.
    public var ending: ProgramEnding? { process.ending }

    /// Hangs up.
    public func close() {
        guard !closed.exchange(true, ordering: .relaxed) else { return }
        process.endForGood(keeping: master)
    }

    private static func window(_ size: TerminalSize) -> winsize {
        winsize(ws_row: UInt16(clamping: size.rows), ws_col: UInt16(clamping: size.columns), ws_xpixel: 0, ws_ypixel: 0)
    }

    static func shell(_ environment: [String: String]) -> String {
        if let shell = environment["SHELL"], access(shell, X_OK) == 0 { return shell }
        let own = getpwuid(getuid()).flatMap { $0.pointee.pw_shell }.map { String(cString: $0) }
        return own.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/bin/sh"
    }

    /// What describes the terminal that this program runs in is not true of the new one.
    private static func surroundings(_ environment: [String: String], _ terminalType: String) -> [String: String] {
        var environment = environment
        for name in ["TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "COLORTERM", "TERM_PROGRAM", "NO_COLOR"] {
            environment[name] = nil
        }
        environment["TERM"] = terminalType
        return environment
    }
}

/// A file descriptor that is closed when nobody holds it any more.
final class OpenDescriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { close(number) }
}

/// System calls whose names a type of ours has too.
enum Glue {
    static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in systemRead(descriptor, bytes.baseAddress, bytes.count) }
    }

    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    }

    static func waits(_ descriptor: Int32, for events: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
