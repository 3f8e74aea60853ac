import BenchmarkKit
import IntegrationKit
import SSHTransport
import Statistics

/// `true` over SSH on a session that is open already: ours beside OpenSSH's own client, paramiko and libssh2 from C.
enum ExecBenchmark {
    private static let peers = [
        ("ssh_control_master", "ssh with ControlMaster"), ("paramiko", "paramiko"), ("libssh2", "libssh2 in C"),
    ]

    /// - Parameter readsStartUpFiles: whether the remote login shell finds the user's own start-up files.
    static func run(_ setting: Setting, readsStartUpFiles: Bool) async throws -> Section {
        var section = Section(
            key: readsStartUpFiles ? "exec" : "exec_quiet_shell",
            title: readsStartUpFiles
                ? "exec of `true` on a warm session, the user's own login shell"
                : "exec of `true` on a warm session, a login shell that finds no start-up files")
        let plan = setting.plan(blocks: setting.amount(12, quick: 8), of: 1)
        try await withCrew { crew in
            let home = try TemporaryFolder()
            let server = try await SSHServer(
                environment: ["HOME": readsStartUpFiles ? ChildProcess.ownEnvironment["HOME"] ?? home.path : home.path])
            await crew.atEnd { await server.stop() }
            try await server.start()
            section.notes.append(plan.text)
            section.rows = try await plan.measure(contenders(setting, server))
            withExtendedLifetime(home) {}
        }
        let (ours, shell) = (section.series("uavlink"), section.series("warm_shell"))
        for (key, name) in peers {
            section.figures.append(
                Figure(
                    "exec: median against \(name)", ours, over: section.series(key), at: .p50, limit: .atMost(1.05)))
        }
        let start = ours.compared(with: shell, at: .p50) { ($0 - $1) / 1e6 }
        section.notes.append(
            "each exec, of every contender, starts the user's shell on the server: with its channel "
                + "\(Figure.short(start.value)) ms (\(start.spreadText)), which is exec less warm shell; "
                + "the warm shell starts nothing")
        let medians = peers.map { section.series($0.0).byRun(.p50) }
        let faster = Estimate(
            byRun: shell.byRun(.p50).enumerated().map { run, own in
                medians.reduce(Double.infinity) { min($0, run < $1.count ? $1[run] : .nan) } / own
            })
        // Against a shell that costs nothing the promise is not made; the ratio is still worth knowing.
        if readsStartUpFiles {
            section.figures.append(
                Figure(
                    name: "warm shell: times faster than the fastest of them", estimate: faster, unit: "times",
                    limit: .atLeast(20)))
        } else {
            section.notes.append(
                "warm shell: \(Figure.short(faster.value)) times faster than the fastest peer (\(faster.spreadText))")
        }
        return section
    }

    private static func contenders(_ setting: Setting, _ server: SSHServer) -> [Contender] {
        [
            ours("uavlink", "uavlink (exec)", server) { crew in
                let session = try await server.warmSession()
                await crew.atEnd { await session.close() }
                return { try await session.run("true", within: .seconds(10)) }
            },
            controlMaster(setting, server),
            .peer(
                "paramiko", "paramiko",
                [
                    Setting.python, setting.scripts + "/paramiko_exec.py", "\(server.port)", server.user,
                    server.userKey, "true",
                ]),
            .peer(
                "libssh2", "libssh2 in C, TCP_NODELAY",
                [setting.peers + "/libssh2_exec", "\(server.port)", server.user, server.userKey, "true"]),
            ours("warm_shell", "uavlink (warm shell)", server) { crew in
                let session = try await server.warmSession()
                await crew.atEnd { await session.close() }
                let warm = SSHWarmShell(session)
                await crew.atEnd { warm.close() }
                return { try await warm.run("true", within: .seconds(10)) }
            },
        ]
    }

    private static func ours(
        _ key: String, _ name: String, _ server: SSHServer,
        _ open: @escaping (Crew) async throws -> () async throws -> SSHCommandResult
    ) -> Contender {
        Contender(key: key, name: name) { crew in
            let operation = try await open(crew)
            return { count, period in
                try await Pace.run(count, every: period) {
                    let result = try await operation()
                    guard result.isSuccess else { throw ProcessFailure("`true` failed: \(result.errorText)") }
                }
            }
        }
    }

    /// Each call is a process of OpenSSH's client, which speaks to one that has the session.
    private static func controlMaster(_ setting: Setting, _ server: SSHServer) -> Contender {
        let spawn = setting.peers + "/spawn_loop"
        var contender = Contender.peer(
            "ssh_control_master", "ssh with ControlMaster", [], startsProcess: true,
            startAlone: [spawn, "/usr/bin/ssh", "-V"])
        contender.start = { crew in
            // Of this run: the last one's may still be there.
            let socket = "control\(UInt32.random(in: 0...UInt32.max))"
            let options = server.clientOptions + ["-o", "ControlPath=\(server.folder.path)/\(socket)"]
            let master = try await crew.process(
                ["/usr/bin/ssh", "-M", "-N"] + options + ["127.0.0.1"], environment: Setting.environment)
            let isThere = try await eventually(within: .seconds(20)) {
                if let status = master.exitStatus { throw ProcessFailure("ssh ended with \(status): \(master.errors)") }
                return server.folder.has(socket)
            }
            guard isThere else { throw ProcessFailure("ssh made no control socket: \(master.errors)") }
            let peer = try await crew.peer(
                "ssh with ControlMaster",
                [spawn, "/usr/bin/ssh", "-o", "ControlMaster=no"] + options + ["127.0.0.1", "true"],
                environment: Setting.environment)
            return { try await peer.run($0, every: $1) }
        }
        return contender
    }
}

extension SSHServer {
    /// A session of ours that is open.
    func warmSession() async throws -> SSHSession {
        try await SSHSession.connect(
            to: SSHEndpoint(host: "127.0.0.1", port: port, user: user), authentication: [.keyFile(path: userKey)],
            hostKeys: HostKeyPolicy(files: [knownHosts]), within: .seconds(20))
    }

    /// What OpenSSH's client needs to log in here and nowhere else.
    var clientOptions: [String] {
        [
            "-F", "none", "-p", "\(port)", "-l", user, "-i", userKey, "-o", "IdentitiesOnly=yes", "-o",
            "IdentityAgent=none", "-o", "UserKnownHostsFile=\(knownHosts)", "-o", "BatchMode=yes", "-o",
            "StrictHostKeyChecking=yes",
        ]
    }
}
