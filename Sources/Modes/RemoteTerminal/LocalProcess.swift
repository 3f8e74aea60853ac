internal import CChildProcess
internal import SystemIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads
internal import UAVLink

/// A program on this machine in its own session, so that it and its child processes can be ended together.
final class LocalProcess: Sendable {
    private let child: Child

    /// The source of a program's three standard descriptors.
    enum DescriptorSource {
        /// The slave of a terminal, by its path: opened after the session was created, it becomes the session's
        /// terminal.
        case terminal(String)
        /// Open descriptors.
        case descriptors(input: Int32, output: Int32, errors: Int32)
    }

    /// Starts a program; it inherits only the given descriptors, environment and folder.
    ///
    /// - Throws: ``LinkError`` `remoteFailed`.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], folder: String?,
        _ surroundings: DescriptorSource
    ) throws(LinkError) {
        var pid: pid_t = 0
        let code = Self.withCStrings(arguments) { words in
            Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                switch surroundings {
                case .terminal(let path):
                    child_process_start(&pid, program, words, variables, folder, path, -1, -1, -1)
                case .descriptors(let input, let output, let errors):
                    child_process_start(&pid, program, words, variables, folder, nil, input, output, errors)
                }
            }
        }
        guard code == 0 else {
            throw LinkError(.remoteFailed, "cannot start \(program): \(SystemError.text(code))")
        }
        child = Child(pid)
    }

    deinit { terminateProcess() }

    /// Sends a signal to the first process group of the program's session.
    func signal(_ number: Int32) { child.signal(number) }

    /// How it ended; `nil` while it runs.
    var ending: ProgramEnding? { child.ending }

    /// Waits for its end; blocks, so to be called on a dedicated thread.
    func waitForEnd(milliseconds: Int) -> ProgramEnding? {
        for _ in 0..<max(1, milliseconds / 5) {
            if let ending { return ending }
            usleep(5000)
        }
        return ending
    }

    /// Sends SIGHUP, and SIGKILL two seconds later if it still runs.
    ///
    /// SIGHUP is repeated every half second: bash notes one that arrives just before it waits for a key, and keeps
    /// waiting. If its terminal is gone by then, it exits as at the end of its input, and its background jobs stay.
    ///
    /// - Parameter terminal: kept open until the program has ended.
    func terminateProcess(keeping terminal: OwnedDescriptor? = nil) {
        let child = child
        guard child.beginTermination() else { return }
        child.signal(SIGHUP)
        child.signal(SIGCONT)
        // Without a thread it stays a zombie until this program ends; it holds no resources.
        _ = DedicatedThread.start {
            for hundredth in 1...200 {
                guard child.ending == nil else { return withExtendedLifetime(terminal) {} }
                if hundredth.isMultiple(of: 50) { child.signal(SIGHUP) }
                usleep(10_000)
            }
            child.signal(SIGKILL)
            while child.ending == nil { usleep(10_000) }
            withExtendedLifetime(terminal) {}
        }
    }

    /// The home folder, if it is accessible.
    static func home(_ environment: [String: String]) -> String? {
        environment["HOME"].flatMap { access($0, X_OK) == 0 ? $0 : nil }
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

/// A child process until it has been waited for. After that its pid may belong to another process, so it is no longer
/// signalled.
private final class Child: Sendable {
    private struct State {
        var ending: ProgramEnding?
        var isTerminating = false
    }

    private let pid: pid_t
    private let state = Mutex(State())

    init(_ pid: pid_t) { self.pid = pid }

    /// Sends a signal to its process group.
    func signal(_ number: Int32) {
        state.withLock { state in
            if state.ending == nil { kill(-pid, number) }
        }
    }

    /// How it ended; `nil` while it runs.
    var ending: ProgramEnding? {
        state.withLock { state in
            if let ending = state.ending { return ending }
            var status: Int32 = 0
            let reaped = waitpid(pid, &status, WNOHANG)
            guard reaped != 0 else { return nil }
            let signal = status & 0x7F
            let ending =
                reaped < 0
                ? ProgramEnding(status: nil)
                : signal == 0
                    ? ProgramEnding(status: (status >> 8) & 0xFF)
                    : ProgramEnding(status: nil, signal: SignalNames.name(of: signal))
            state.ending = ending
            return ending
        }
    }

    /// Whether it runs and is not being ended yet; marks it as being ended.
    func beginTermination() -> Bool {
        guard ending == nil else { return false }
        return state.withLock { state in
            defer { state.isTerminating = true }
            return !state.isTerminating
        }
    }
}

/// Signal names as in SSH (RFC 4254, 6.10).
enum SignalNames {
    static func name(of number: Int32) -> String {
        switch number {
        case SIGHUP: "HUP"
        case SIGINT: "INT"
        case SIGQUIT: "QUIT"
        case SIGILL: "ILL"
        case SIGABRT: "ABRT"
        case SIGFPE: "FPE"
        case SIGKILL: "KILL"
        case SIGSEGV: "SEGV"
        case SIGPIPE: "PIPE"
        case SIGALRM: "ALRM"
        case SIGTERM: "TERM"
        default: "\(number)"
        }
    }
}
