internal import CChildProcess
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import Threads
internal import UAVLink

/// A program on this machine in a session of its own, so that it and what it starts can be ended together.
final class LocalProcess: Sendable {
    private let pid: pid_t
    private let end = Mutex<ProgramEnding?>(nil)

    /// Where a program's three standard descriptors come from.
    enum Surroundings {
        /// A terminal's other end, by its path: opened after the session began, it becomes the session's terminal.
        case terminal(String)
        /// Open descriptors.
        case descriptors(input: Int32, output: Int32, errors: Int32)
    }

    /// Starts a program; it inherits nothing but what is named.
    ///
    /// - Throws: ``LinkError`` `remoteFailed`.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], folder: String?,
        _ surroundings: Surroundings
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
            throw LinkError(.remoteFailed, "cannot start \(program): \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    deinit { endForGood() }

    /// Sends a signal to everything in the program's session that is in its first process group.
    func signal(_ number: Int32) {
        guard end.withLock({ $0 == nil }) else { return }
        kill(-pid, number)
    }

    /// How it ended; `nil` while it runs.
    var ending: ProgramEnding? {
        end.withLock { end in
            if let end { return end }
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
            end = ending
            return ending
        }
    }

    /// Waits for its end, in a thread of the caller's own.
    func waitForEnd(milliseconds: Int) -> ProgramEnding? {
        for _ in 0..<max(1, milliseconds / 5) {
            if let ending { return ending }
            usleep(5000)
        }
        return ending
    }

    /// A hang-up; two seconds later what still runs is killed.
    func endForGood() {
        guard ending == nil else { return }
        kill(-pid, SIGHUP)
        kill(-pid, SIGCONT)
        let pid = pid
        // Without a thread it stays a zombie until this program ends; it holds nothing.
        _ = OwnThread.start {
            var status: Int32 = 0
            for _ in 0..<200 {
                if waitpid(pid, &status, WNOHANG) != 0 { return }
                usleep(10_000)
            }
            kill(-pid, SIGKILL)
            waitpid(pid, &status, 0)
        }
    }

    /// The home folder, where it can be gone to.
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

/// Signals by the names that SSH gives them (RFC 4254, 6.10).
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
