#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CChildProcess
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
        let logged = logSize
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
                    .companionUnavailable,
                    "the companion ended at once\(Self.ending(status)): \(lastLogLine(after: logged))",
                    hint: "its log is \(runtime.logPath(vehicle: vehicle))")
            }
            usleep(Self.pollMicroseconds)
        }
        throw LinkError(
            .companionUnavailable,
            "the companion was started but did not answer within \(Int(timeout.inSeconds)) s; last log line: \(lastLogLine(after: logged))",
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

    /// Starts it in a session of its own, so that the end of the SSH channel that started it does not end it, and with no descriptor of
    /// this program: one that held the pipes of that channel would keep it from ending. Shells pass on more than three (csh, and
    /// `exec 5>&1` in a start-up file).
    private func spawn(_ program: Program) throws(LinkError) -> pid_t {
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let log = open(runtime.logPath(vehicle: vehicle), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { for descriptor in [input, log] where descriptor >= 0 { close(descriptor) } }
        guard input >= 0, log >= 0 else {
            throw LinkError(
                .companionUnavailable,
                "cannot start \(program.path): its log \(runtime.logPath(vehicle: vehicle)): \(SystemError.text(errno))"
            )
        }
        var words = ([program.path] + program.arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let outcome = child_process_start(&process, program.path, &words, environ, nil, nil, input, log, log)
        guard outcome == 0 else {
            throw LinkError(
                .companionUnavailable, "cannot start \(program.path): \(SystemError.text(outcome))")
        }
        return process
    }

    /// How a process ended that was ended by a signal, which its log does not say.
    private static func ending(_ status: Int32) -> String {
        let signal = status & 0x7f
        guard signal != 0, signal != 0x7f else { return "" }
        return " by signal \(signal)\(strsignal(signal).map { " (\(String(cString: $0)))" } ?? "")"
    }

    private var logSize: Int {
        var facts = stat()
        return stat(runtime.logPath(vehicle: vehicle), &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// The last line that was logged behind so many bytes: those before are of earlier companions.
    private func lastLogLine(after size: Int) -> String {
        guard let file = fopen(runtime.logPath(vehicle: vehicle), "r") else { return "no log" }
        defer { fclose(file) }
        fseek(file, max(size, logSize - 2048), SEEK_SET)
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = fread(&buffer, 1, buffer.count, file)
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last.map(String.init) ?? "it logged nothing"
    }
}
