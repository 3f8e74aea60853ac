#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
public import Secrets
internal import SystemIO
public import UAVLink

/// Reaches the companion for a vehicle on this machine, and starts one if none runs.
///
/// ```
///   ask the control socket ──answers──▶ done
///          │ no listener
///          ▼
///   ask the holder of the host's lock, if it runs as the same user ──answers──▶ done
///          │ no holder, or another user's
///          ▼
///   start the companion in its own session, with its log in the runtime directory
///          ▼
///   ask again until it answers, it ends, or the timeout passes
/// ```
/// A companion that is ending does not listen any more: the new one waits for it by itself.
public struct CompanionLauncher: Sendable {
    /// How a companion is started.
    public struct Program: Sendable {
        /// The program's path.
        public var path: String
        /// Its arguments, without its name.
        public var arguments: [String]

        /// Creates a program.
        public init(path: String, arguments: [String]) {
            self.path = path
            self.arguments = arguments
        }

        /// The same program under the user's service manager, which outlives the login session: see ``LogoutPolicy``.
        public var outsideLoginSession: Program {
            Program(
                path: "/usr/bin/env",
                arguments: ["systemd-run", "--user", "--scope", "--quiet", "--", path] + arguments)
        }
    }

    private let runtime: RuntimeDirectory
    private let vehicle: String
    private let hostLock: HostLock.Name?
    private let clock: any MonotonicClock

    /// Creates a launcher for a vehicle's companion.
    ///
    /// - Parameter hostLock: the name of the lock on the host, by which a companion of this user with another directory is
    ///   found.
    public init(
        runtime: RuntimeDirectory, vehicle: String, hostLock: HostLock.Name? = nil,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.runtime = runtime
        self.vehicle = vehicle
        self.hostLock = hostLock
        self.clock = clock
    }

    /// Asks the companion; starts it first if none runs.
    ///
    /// Blocks: call it from a short-lived program or a dedicated thread.
    ///
    /// - Parameter programs: how to start it, tried in order when one ends at once; empty: it is not started.
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionMissing`` if none runs and none is to be started, else with
    ///   ``LinkError/Code/companionUnavailable``; for a companion that ended it contains the last line of its log.
    public func ask(
        _ request: ControlRequest, starting programs: () -> [Program] = { [] }, within timeout: Duration
    ) throws(LinkError) -> SecretBytes {
        let client = ControlClient(path: runtime.controlSocketPath(vehicle: vehicle))
        if let answer = try client.ask(request) { return answer }
        if let answer = try askHolder(request) { return answer }
        var ways = programs()[...]
        guard let first = ways.popFirst() else {
            throw LinkError(
                .companionMissing, "no companion for \(vehicle) runs on this machine",
                hint: "start one: uavlink-companion run --uav \(vehicle), or uavlink sim")
        }
        var process = try spawn(first)
        let deadline = clock.now + timeout
        while clock.now < deadline {
            if let answer = try client.ask(request) { return answer }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                // Another bootstrap may have been faster: then its companion holds the lock and answers.
                if let answer = try client.ask(request) { return answer }
                if let answer = try askHolder(request) { return answer }
                if let next = ways.popFirst() {
                    process = try spawn(next)
                    continue
                }
                throw LinkError(
                    .companionUnavailable, "the companion ended at once: \(lastLogLine())",
                    hint: "its log is \(runtime.logPath(vehicle: vehicle))")
            }
            usleep(Self.pollMicroseconds)
        }
        throw LinkError(
            .companionUnavailable,
            "the companion was started but did not answer within \(Int(timeout.inSeconds)) s; last log line: \(lastLogLine())",
            hint: "its log is \(runtime.logPath(vehicle: vehicle))")
    }

    /// Asks a companion of this user that has another runtime directory. Another user's process is not trusted: with a forged
    /// ticket it would redirect the ground to a channel of its own.
    private func askHolder(_ request: ControlRequest) throws(LinkError) -> SecretBytes? {
        guard let hostLock, let holder = HostLock.holder(of: hostLock), holder.isSameUser,
            let path = holder.controlSocket
        else { return nil }
        return try ControlClient(path: path).ask(request)
    }

    /// A companion listens 5 to 20 ms after its start: polling every 2 ms adds little to the login.
    private static let pollMicroseconds: UInt32 = 2_000

    /// `POSIX_SPAWN_SETSID` of spawn.h, which the C importer does not show.
    #if canImport(Glibc)
        private static let newSession: Int16 = 0x80
    #else
        private static let newSession: Int16 = 0x0400
    #endif

    private func spawn(_ program: Program) throws(LinkError) -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let log = runtime.logPath(vehicle: vehicle)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        // A session of its own, so that the end of the SSH channel that started it does not end it.
        posix_spawnattr_setflags(&attributes, Self.newSession)
        var words = ([program.path] + program.arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let outcome = posix_spawn(&process, program.path, &actions, &attributes, &words, environ)
        guard outcome == 0 else {
            throw LinkError(
                .companionUnavailable, "cannot start \(program.path): \(SystemError.text(outcome))")
        }
        return process
    }

    private func lastLogLine() -> String {
        guard let file = fopen(runtime.logPath(vehicle: vehicle), "r") else { return "no log" }
        defer { fclose(file) }
        fseek(file, -2048, SEEK_END)
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last.map(String.init) ?? "no log"
    }
}
