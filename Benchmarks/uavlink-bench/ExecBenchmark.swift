import IntegrationKit
import SSHTransport

/// `true` over SSH on a session that is open already: ours beside OpenSSH's own client, paramiko and libssh2 from C.
enum ExecBenchmark {
    private struct Contender {
        var key: String
        var name: String
        var run: () async throws -> [Int64]
        var latencies: [Int64] = []
    }

    /// - Parameter readsStartUpFiles: whether the remote login shell finds the user's own start-up files.
    static func run(_ setting: Setting, readsStartUpFiles: Bool) async throws -> Section {
        var section = Section(
            key: readsStartUpFiles ? "exec" : "exec_quiet_shell",
            title: readsStartUpFiles
                ? "exec of `true` on a warm session, the user's own login shell"
                : "exec of `true` on a warm session, a login shell that finds no start-up files")
        try await withCrew { crew in
            let home = try TemporaryFolder()
            let server = try await SSHServer(
                environment: ["HOME": readsStartUpFiles ? ChildProcess.ownEnvironment["HOME"] ?? home.path : home.path])
            await crew.atEnd { await server.stop() }
            try await server.start()
            var contenders = try await contenders(setting, crew, server)
            let rounds = setting.amount(120, quick: 25)
            for round in 0..<rounds {
                // The first finds the caches as the last one left them: each does in turn.
                for place in contenders.indices {
                    let index = (place + round) % contenders.count
                    contenders[index].latencies += try await contenders[index].run()
                }
            }
            section.notes.append("back to back, \(rounds) rounds, one of each contender a round, in rotating order")
            for one in contenders { section.add(one.key, one.name, Latencies(nanoseconds: one.latencies)) }
            withExtendedLifetime(home) {}
        }
        func median(_ key: String) -> Double { section.rows.first { $0.key == key }?.latencies.median ?? .nan }
        let shell = median("warm_shell")
        for (key, name) in [
            ("ssh_control_master", "ssh with ControlMaster"), ("paramiko", "paramiko"), ("libssh2", "libssh2 in C"),
        ] {
            section.figures.append(
                Figure(
                    name: "exec: median against \(name)", value: median("uavlink") / median(key), unit: "times",
                    limit: .atMost(1.05)))
        }
        let fastest = min(median("ssh_control_master"), median("paramiko"), median("libssh2"))
        // Against a shell that costs nothing the promise is not made; the ratio is still worth knowing.
        if readsStartUpFiles {
            section.figures.append(
                Figure(
                    name: "warm shell: times faster than the fastest of them", value: fastest / shell, unit: "times",
                    limit: .atLeast(20)))
        } else {
            section.notes.append("warm shell: \(Figure.short(fastest / shell)) times faster than the fastest peer")
        }
        return section
    }

    private static func contenders(_ setting: Setting, _ crew: Crew, _ server: SSHServer) async throws -> [Contender] {
        let session = try await server.warmSession()
        await crew.atEnd { await session.close() }
        let warm = SSHWarmShell(session)
        await crew.atEnd { warm.close() }
        let socket = server.folder.path + "/control"
        let options = server.clientOptions + ["-o", "ControlPath=\(socket)"]
        let master = try await crew.process(
            ["/usr/bin/ssh", "-M", "-N"] + options + ["127.0.0.1"], environment: Setting.environment)
        let isThere = try await eventually(within: .seconds(20)) {
            if let status = master.exitStatus { throw ProcessFailure("ssh ended with \(status): \(master.errors)") }
            return server.folder.has("control")
        }
        guard isThere else { throw ProcessFailure("ssh made no control socket: \(master.errors)") }
        let control = try await crew.peer(
            "ssh with ControlMaster",
            [setting.peers + "/spawn_loop", "/usr/bin/ssh", "-o", "ControlMaster=no"] + options + [
                "127.0.0.1", "true",
            ],
            environment: Setting.environment)
        let paramiko = try await crew.peer(
            "paramiko",
            [
                Setting.python, setting.scripts + "/paramiko_exec.py", "\(server.port)", server.user, server.userKey,
                "true",
            ],
            environment: Setting.environment)
        let libssh2 = try await crew.peer(
            "libssh2",
            [setting.peers + "/libssh2_exec", "\(server.port)", server.user, server.userKey, "true"],
            environment: Setting.environment)
        func ours(_ operation: @escaping () async throws -> SSHCommandResult) -> () async throws -> [Int64] {
            {
                try await Pace.run(1) {
                    let result = try await operation()
                    guard result.isSuccess else { throw ProcessFailure("`true` failed: \(result.errorText)") }
                }
            }
        }
        return [
            Contender(
                key: "uavlink", name: "uavlink (exec)",
                run: ours { try await session.run("true", within: .seconds(10)) }),
            Contender(key: "ssh_control_master", name: control.name, run: { try await control.run(1) }),
            Contender(key: "paramiko", name: paramiko.name, run: { try await paramiko.run(1) }),
            Contender(key: "libssh2", name: "libssh2 in C, TCP_NODELAY", run: { try await libssh2.run(1) }),
            Contender(
                key: "warm_shell", name: "uavlink (warm shell)",
                run: ours { try await warm.run("true", within: .seconds(10)) }),
        ]
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
