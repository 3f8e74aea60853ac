#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a short program printed.
public struct ProgramOutput: Sendable {
    /// Its standard output.
    public var bytes: [UInt8]
    /// Its exit status; `nil` when a signal ended it.
    public var exitStatus: Int32?

    /// The output as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Runs a program to its end, without input and without its errors; blocks.
    ///
    /// - Parameters:
    ///   - program: the program's path.
    ///   - environment: its environment.
    ///   - timeout: when it has not closed its output and ended by then, it is killed.
    ///   - limit: the most bytes accepted; a program that prints more is killed.
    /// - Returns: `nil` if it could not be started or was killed.
    public static func of(
        _ program: String, _ arguments: [String], environment: [String: String], within timeout: Duration,
        limit: Int = 1 << 20
    ) -> ProgramOutput? {
        guard let (process, output) = start(program, arguments, environment) else { return nil }
        let deadline = ContinuousClock.now + timeout
        var bytes = withExtendedLifetime(output) { readToEnd(output.number, until: deadline, limit: limit) }
        var status: Int32 = 0
        while bytes != nil, waitpid(process, &status, WNOHANG) == 0 {
            // It has closed its output, and goes on.
            if ContinuousClock.now >= deadline { bytes = nil } else { usleep(endPollMicroseconds) }
        }
        if bytes == nil {
            kill(process, SIGKILL)
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        // The macros WIFEXITED and WEXITSTATUS.
        return bytes.map { ProgramOutput(bytes: $0, exitStatus: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil) }
    }

    /// Between two looks whether a program that has closed its output has ended: most have by then.
    private static let endPollMicroseconds: UInt32 = 1000

    /// Starts a program; returns its number, and the pipe that it prints to, of which only the program has the other end.
    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) -> (process: pid_t, output: OwnedDescriptor)? {
        guard let (reading, writing) = try? OwnedDescriptor.pipe() else { return nil }
        let process = spawn(program, arguments, environment, output: writing.number)
        withExtendedLifetime(writing) {}
        return process.map { (process: $0, output: reading) }
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], output: Int32
    ) -> pid_t? {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // First: where this process has no standard input or errors, the pipe may have their numbers.
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        return posix_spawn(&process, program, &actions, nil, &words, &variables) == 0 ? process : nil
    }

    private static func readToEnd(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant, limit: Int
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            // A program that prints without end is not waited for either.
            guard ContinuousClock.now < deadline,
                !Poller.wait(for: descriptor, .readable, until: deadline).isEmpty
            else { return nil }
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes += piece[..<count]
        }
    }
}
