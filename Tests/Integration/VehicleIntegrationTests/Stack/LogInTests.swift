import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// What a user sees when the vehicle's computer cannot be logged in to; each against a real server or a real lack of one.
@Suite(
    .enabled(if: SSHServer.isAvailable, "sshd is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct LogInFailureTests {
    /// Runs `uavlink status` against a server with these changes to its profile.
    ///
    /// - Parameter seconds: its timeout; short only where nothing but the timeout ends it.
    private func status(
        _ server: SSHServer, _ changes: [String: String] = [:], _ options: [String] = [], seconds: Double = 25
    ) async throws -> FlightStack.Outcome {
        let usual = [
            "host": "127.0.0.1", "port": "\(server.port)", "user": server.user, "identity": server.userKey,
            "known-hosts": server.knownHosts,
        ]
        let lines = usual.merging(changes) { _, new in new }.map { "    \($0.key): \($0.value)\n" }.joined()
        let file = try server.folder.write("default: x\nvehicles:\n  x:\n" + lines, to: "config.yaml")
        let begun = ContinuousClock.now
        let child = try ChildProcess(
            [
                BuiltPrograms.path("uavlink"), "status", "--config", file, "--timeout",
                "\(Int(seconds * MachinePace.factor))s",
            ] + options,
            environment: ["PATH": "/usr/bin:/bin", "HOME": server.folder.path, "USER": server.user])
        let code = try await child.exit(within: .seconds(90))
        return FlightStack.Outcome(child, status: code, since: begun)
    }

    @Test func `a wrong password`() async throws {
        try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
            let file = try server.folder.write("not the password\n", to: "password")
            let outcome = try await status(server, [:], ["--password-file", file])
            expectFailure(outcome, code: 3, saying: ["password"])
            #expect(!outcome.errors.contains("not the password"))
        }
    }

    @Test func `a key that is not let in`() async throws {
        try await withSSHServer { server in
            let stranger = server.folder.path + "/stranger"
            try await SSHServer.makeKey(stranger, type: "ed25519")
            expectFailure(try await status(server, ["identity": stranger]), code: 3, saying: [])
        }
    }

    @Test func `a host that has no such name`() async throws {
        try await withSSHServer { server in
            let outcome = try await status(server, ["host": "no-such-host.invalid"])
            expectFailure(outcome, code: 3, saying: ["no-such-host.invalid"])
        }
    }

    @Test func `a port where nothing listens`() async throws {
        try await withSSHServer { server in
            let port = try freePort()
            expectFailure(
                try await status(server, ["port": "\(port)"]), code: 3, saying: ["\(port)", "refused"])
        }
    }

    @Test(arguments: ["auto", "ssh", "udp"])
    func `a host that takes no connection and does not refuse one either`(link: String) async throws {
        // A full backlog: the system drops what comes, as a host behind a broken route does.
        let full = try ChildProcess([
            "/usr/bin/python3", "-c",
            """
            import socket, sys
            server = socket.socket()
            server.bind(('127.0.0.1', 0))
            server.listen(0)
            waiting = []
            for _ in range(4):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(server.getsockname())
                waiting.append(one)
            print('port %d' % server.getsockname()[1], flush=True)
            sys.stdin.readline()
            """,
        ])
        let port = try await full.line(containing: "port ").dropFirst(5)
        try await withSSHServer { server in
            let outcome = try await status(server, ["port": String(port), "link": link], seconds: 4)
            expectFailure(outcome, code: outcome.status, saying: [], within: .seconds(11))
            #expect([3, 4].contains(outcome.status), "\(outcome)")
        }
        await full.stop()
    }

    @Test func `something that listens and is no SSH server`() async throws {
        let talker = try ChildProcess([
            "/usr/bin/python3", "-c",
            """
            import socket
            server = socket.socket()
            server.bind(('127.0.0.1', 0))
            server.listen(8)
            print('port %d' % server.getsockname()[1], flush=True)
            while True:
                one, _ = server.accept()
                one.sendall(b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n')
                one.close()
            """,
        ])
        let port = try await talker.line(containing: "port ").dropFirst(5)
        try await withSSHServer { server in
            expectFailure(try await status(server, ["port": String(port)]), code: 3, saying: [])
        }
        await talker.stop()
    }

    @Test func `a companion that hangs`() async throws {
        try await withSSHServer { server in
            let program = try server.folder.write("#!/bin/sh\nsleep 100\n", to: "companion")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let outcome = try await status(server, ["companion": program], seconds: 4)
            expectFailure(
                outcome, code: 3,
                saying: ["'\(program)' did not answer within ", "udp", "tcp", "'--link ssh' bypasses it"])
        }
    }

    @Test func `a host whose key is not known`() async throws {
        try await withSSHServer { server in
            let empty = try server.folder.write("", to: "nobody")
            let outcome = try await status(server, ["known-hosts": empty])
            expectFailure(outcome, code: 3, saying: ["SHA256:", "--accept-new-host-key"])
            #expect(!outcome.errors.contains("changed"))
        }
    }

    @Test func `a host whose key has changed, whatever is accepted`() async throws {
        try await withSSHServer { server in
            let other = server.folder.path + "/other"
            try await SSHServer.makeKey(other, type: "ed25519")
            let known = try server.folder.write(
                SSHServer.line(publicKey: other, host: "[127.0.0.1]:\(server.port)"), to: "changed")
            let outcome = try await status(server, ["known-hosts": known], ["--accept-new-host-key"])
            expectFailure(outcome, code: 3, saying: ["changed", "SHA256:"])
        }
    }
}
