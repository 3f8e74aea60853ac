#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
package import TerminalEmulation
internal import Threads
package import UAVLink

/// A login shell on this machine in its own pseudo-terminal: for a vehicle without SSH, such as that of `uavlink sim`.
///
/// Every call that may block runs on a dedicated thread and checks several times a second whether it has been
/// cancelled.
package final class LocalShell: ShellChannel {
    private let process: LocalProcess
    private let master: OwnedDescriptor
    private let closed = Atomic<Bool>(false)

    /// Starts the shell: `SHELL`, else the user's own, else `sh`.
    ///
    /// - Parameter command: a command to run instead of an interactive shell; for tests.
    /// - Throws: ``LinkError``: `remoteFailed` if no terminal or shell can be opened.
    package init(
        size: TerminalSize, environment: [String: String], terminalType: String = "xterm-256color",
        command: String? = nil
    ) throws(LinkError) {
        var (masterNumber, slaveNumber) = (Int32(-1), Int32(-1))
        var window = Self.window(size)
        var path = [CChar](repeating: 0, count: 1024)
        guard openpty(&masterNumber, &slaveNumber, &path, nil, &window) == 0 else {
            throw LinkError(.remoteFailed, "cannot open a pseudo-terminal: \(SystemError.text(errno))")
        }
        let master = OwnedDescriptor(masterNumber)
        let slave = OwnedDescriptor(slaveNumber)
        master.closeOnExec()
        slave.closeOnExec()
        master.makeNonBlocking()
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

    deinit { process.terminateProcess(keeping: master) }

    /// The next bytes for the screen; `nil` if the shell has ended.
    package func read(within timeout: Duration) async throws(LinkError) -> [UInt8]? {
        let result = await DedicatedThread.run { [self] in readHere(deadline: SystemMonotonicClock().now + timeout) }
        guard let result else { throw Self.noThread }
        if Task.isCancelled { throw LinkError(.cancelled, "the shell was cancelled") }
        return try result.get()
    }

    private static let noThread = LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
    private static let closedError = LinkError(.closed, "the shell was closed")
    /// How often a waiting thread checks for cancellation.
    private static let slice: Duration = .milliseconds(100)
    /// The largest chunk passed on.
    private static let chunk = 64 * 1024

    private func readHere(deadline: MonotonicTime) -> Result<[UInt8]?, LinkError> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while !closed.load(ordering: .relaxed) {
            let count = SystemCalls.read(master.number, &buffer)
            if count > 0 {
                bytes += buffer[..<count]
                if bytes.count >= Self.chunk { return .success(bytes) }
                continue
            }
            if !bytes.isEmpty { return .success(bytes) }
            if count < 0, errno == EINTR { continue }
            // EIO means that no process has the other end open any more.
            if count == 0 || errno != EAGAIN {
                if process.waitForEnd(milliseconds: 1000) == nil { process.terminateProcess(keeping: master) }
                return .success(nil)
            }
            // Processes started by the shell may keep the terminal open; only the shell matters.
            if process.ending != nil, Poller.wait(for: master.number, .readable, within: .milliseconds(20)).isEmpty {
                return .success(nil)
            }
            guard SystemMonotonicClock().now < deadline else {
                return .failure(LinkError(.timedOut, "the shell wrote nothing in time"))
            }
            _ = Poller.wait(for: master.number, .readable, within: Self.slice)
        }
        return .failure(Self.closedError)
    }

    /// Sends what was typed.
    package func write(_ bytes: [UInt8], within timeout: Duration) async throws(LinkError) {
        let deadline = SystemMonotonicClock().now + timeout
        let result: Result<Void, LinkError>? = await DedicatedThread.run { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard !closed.load(ordering: .relaxed) else { return .failure(Self.closedError) }
                let count = SystemCalls.write(master.number, rest)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN || errno == EINTR {
                    guard SystemMonotonicClock().now < deadline else {
                        return .failure(LinkError(.timedOut, "the shell does not accept input"))
                    }
                    _ = Poller.wait(for: master.number, .writable, within: Self.slice)
                } else {
                    return .failure(Self.closedError)
                }
            }
            return .success(())
        }
        guard let result else { throw Self.noThread }
        try result.get()
    }

    /// Sets the size of the shell's terminal.
    package func resize(_ size: TerminalSize) {
        var window = Self.window(size)
        _ = ioctl(master.number, UInt(TIOCSWINSZ), &window)
    }

    /// How the shell ended.
    package var ending: ProgramEnding? { process.ending }

    /// Closes the shell.
    package func close() {
        guard !closed.exchange(true, ordering: .relaxed) else { return }
        process.terminateProcess(keeping: master)
    }

    private static func window(_ size: TerminalSize) -> winsize {
        winsize(ws_row: UInt16(clamping: size.rows), ws_col: UInt16(clamping: size.columns), ws_xpixel: 0, ws_ypixel: 0)
    }

    static func shell(_ environment: [String: String]) -> String {
        if let shell = environment["SHELL"], access(shell, X_OK) == 0 { return shell }
        let own = getpwuid(getuid()).flatMap { $0.pointee.pw_shell }.map { String(cString: $0) }
        return own.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/bin/sh"
    }

    /// Variables that describe this program's terminal do not apply to the new one.
    private static func surroundings(_ environment: [String: String], _ terminalType: String) -> [String: String] {
        var environment = environment
        for name in ["TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "COLORTERM", "TERM_PROGRAM", "NO_COLOR"] {
            environment[name] = nil
        }
        environment["TERM"] = terminalType
        return environment
    }
}

/// System calls whose names collide with methods of our types.
enum SystemCalls {
    static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in systemRead(descriptor, bytes.baseAddress, bytes.count) }
    }

    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
