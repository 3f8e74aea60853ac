#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Foundation

/// A real `sshd` of a test's own, on a free loopback port, with keys made on the spot, running as the current user.
///
/// Everything it needs lies in ``folder``, which goes with it. It lets the current user in with ``userKey``.
public final class SSHServer: Sendable {
    /// Where it listens: 127.0.0.1.
    public let port: UInt16
    /// Whom it lets in: whoever runs the tests.
    public let user: String
    /// What it needs and what tests put beside it.
    public let folder: TemporaryFolder
    /// The private key that it lets in.
    public let userKey: String
    /// A `known_hosts` file in which it is known.
    public let knownHosts: String
    private let options: [String]
    private let process = Holder()

    private actor Holder {
        var running: ChildProcess?
        func take(_ process: ChildProcess?) { running = process }
    }

    /// Whether there is an `sshd` on this machine to be started.
    public static var isAvailable: Bool { access("/usr/sbin/sshd", X_OK) == 0 }

    /// Makes keys and configuration; ``start()`` starts it.
    ///
    /// - Parameters:
    ///   - hostKeys: the types of its own keys, as `ssh-keygen -t` knows them.
    ///   - options: further lines of `sshd_config`, in place of the usual ones for the same settings.
    ///   - environment: what its shells have in theirs. Their `HOME` is ``folder`` unless said otherwise: a test must not
    ///     run, and when it kills sessions not break, what the tester's own start-up files do.
    public init(
        hostKeys: [String] = ["ed25519"], options: [String] = [], environment: [String: String] = [:]
    ) async throws {
        folder = try TemporaryFolder()
        port = try freePort()
        self.options = options
        user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "root"
        userKey = folder.path + "/user_ed25519"
        knownHosts = folder.path + "/known_hosts"
        // Only root's sshd separates privileges, and it insists on this folder of the system's.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        try await Self.makeKey(userKey, type: "ed25519")
        try authorize(userKey)
        var known = ""
        let settings = options.compactMap { $0.split(separator: " ").first }
        var configuration =
            [
                "Port \(port)", "ListenAddress 127.0.0.1", "PidFile none", "UsePAM no", "StrictModes no",
                "AuthorizedKeysFile \(folder.path)/authorized_keys", "PasswordAuthentication no",
                "KbdInteractiveAuthentication no", "PermitRootLogin yes", "Subsystem sftp internal-sftp",
                "LogLevel VERBOSE",
                "SetEnv "
                    + environment.merging(["HOME": folder.path]) { given, _ in given }
                    .map { "\($0.key)=\($0.value)" }.joined(separator: " "), "PrintMotd no", "PrintLastLog no",
            ].filter { line in !settings.contains { line.hasPrefix($0 + " ") } } + options
        for type in hostKeys {
            let path = "\(folder.path)/host_\(type)"
            try await Self.makeKey(path, type: type)
            configuration.append("HostKey \(path)")
            known += try Self.line(publicKey: path, host: "[127.0.0.1]:\(port)")
        }
        try folder.write(configuration.joined(separator: "\n") + "\n", to: "sshd_config")
        try folder.write(known, to: "known_hosts")
    }

    /// Starts it and returns when it listens.
    public func start() async throws {
        let started = try ChildProcess(
            ["/usr/sbin/sshd", "-D", "-e", "-f", folder.path + "/sshd_config"],
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": folder.path, "LC_ALL": "C.UTF-8"])
        await process.take(started)
        let isListening = try await eventually {
            if let status = started.exitStatus {
                throw ProcessFailure("sshd ended with \(status): \(started.output) \(started.errors)")
            }
            return started.errors.contains("Server listening")
        }
        guard isListening else { throw ProcessFailure("sshd does not listen: \(started.errors)") }
    }

    /// Ends it and every session.
    public func stop() async {
        await process.running?.stop()
        await process.take(nil)
    }

    /// What it has logged.
    public var log: String { get async { await process.running?.errors ?? "" } }

    /// Kills every process below the listening one where it stands, as a crash would: the sessions, and what runs in
    /// them. Returns how many.
    @discardableResult
    public func killSessions() async -> Int {
        guard let root = await process.running?.pid else { return 0 }
        let victims = descendants(of: root)
        // At once: a session that lives a moment longer than its command tells the client of the command's end.
        for victim in victims { kill(victim, SIGSTOP) }
        for victim in victims { kill(victim, SIGKILL) }
        return victims.count
    }

    /// Stops (or lets go on) every session process, as an overloaded or frozen vehicle would.
    public func freezeSessions(_ freeze: Bool) async {
        guard let root = await process.running?.pid else { return }
        for session in descendants(of: root) { kill(session, freeze ? SIGSTOP : SIGCONT) }
    }

    /// Lets a key's owner in: its public half is beside it with `.pub`.
    public func authorize(_ key: String) throws {
        let path = folder.path + "/authorized_keys"
        let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        try folder.write(before + String(contentsOfFile: key + ".pub", encoding: .utf8), to: "authorized_keys")
    }

    /// Makes a key pair.
    public static func makeKey(
        _ path: String, type: String, passphrase: String = "", options: [String] = []
    ) async throws {
        let maker = try ChildProcess(
            ["/usr/bin/ssh-keygen", "-q", "-t", type, "-N", passphrase, "-C", "uavlink-test", "-f", path] + options)
        let status = try await maker.exit(within: .seconds(60))
        guard status == 0 else { throw ProcessFailure("ssh-keygen: \(maker.output) \(maker.errors)") }
    }

    /// A `known_hosts` line for the key whose public half is beside it with `.pub`.
    public static func line(publicKey path: String, host: String) throws -> String {
        let parts = try String(contentsOfFile: path + ".pub", encoding: .utf8).split(separator: " ")
        guard parts.count >= 2 else { throw ProcessFailure("\(path).pub is no public key") }
        return "\(host) \(parts[0]) \(parts[1])\n"
    }

    private func descendants(of root: Int32) -> [Int32] {
        var parents: [Int32: [Int32]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let pid = Int32(name), let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { continue }
            let fields = text[text.index(after: end)...].split(separator: " ")
            if fields.count > 1, let parent = Int32(fields[1]) { parents[parent, default: []].append(pid) }
        }
        var found: [Int32] = []
        var open = [root]
        while let next = open.popLast() {
            found += parents[next] ?? []
            open += parents[next] ?? []
        }
        return found
    }
}

/// Runs `body` with a real `sshd` and ends the server whatever `body` does.
public func withSSHServer<Result: Sendable>(
    hostKeys: [String] = ["ed25519"], options: [String] = [], environment: [String: String] = [:],
    _ body: (SSHServer) async throws -> Result
) async throws -> Result {
    let server = try await SSHServer(hostKeys: hostKeys, options: options, environment: environment)
    do {
        try await server.start()
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
