import Foundation
import IntegrationKit
import Testing

/// A user at a terminal whom the command line asks for what the log-in needs, at a real `sshd`.
@Suite(
    .enabled(if: SSHServer.isAvailable && TmuxTerminal.isAvailable, "sshd and tmux are needed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(4))))
struct PasswordPromptTests {
    /// Runs `uavlink exec` in a terminal; its results go to a file, as those of a script would.
    ///
    /// - Parameter options: how it is to log in.
    private func withTerminal(
        _ server: SSHServer, _ user: String, _ options: [String], _ body: (TmuxTerminal) async throws -> Void
    ) async throws {
        let folder = server.folder.path
        let config = try server.folder.write(
            """
            default: x
            vehicles:
              x:
                host: 127.0.0.1
                port: \(server.port)
                user: \(user)
                known-hosts: \(server.knownHosts)

            """, to: "config.yaml")
        let line = [try BuiltPrograms.path("uavlink"), "exec", "--config", config] + options + ["--", "echo", "in"]
        let script = try server.folder.write(
            """
            trap : INT
            stty -g > \(folder)/before
            \(line.joined(separator: " ")) > \(folder)/result
            code=$?
            stty -g > \(folder)/after
            echo "ended with $code."
            read line

            """, to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script], environment: ["PATH": "/usr/bin:/bin", "HOME": folder], columns: 120)
        do {
            try await body(terminal)
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    /// Sees the exit code, that the terminal is as it was before, and that no secret is on the screen.
    private func expectEnd(
        _ code: Int, _ terminal: TmuxTerminal, _ server: SSHServer, without secrets: [String]
    ) async throws -> [String] {
        let screen = try await terminal.sees("ended with \(code).", within: .seconds(40))
        let before = try String(contentsOfFile: server.folder.path + "/before", encoding: .utf8)
        let after = try String(contentsOfFile: server.folder.path + "/after", encoding: .utf8)
        #expect(!before.isEmpty && before == after)
        for secret in secrets { #expect(!screen.joined().contains(secret), "\(screen)") }
        return screen
    }

    private func result(_ server: SSHServer) throws -> String {
        try String(contentsOfFile: server.folder.path + "/result", encoding: .utf8)
    }

    private func answer(_ terminal: TmuxTerminal, _ text: String) async throws {
        try await terminal.type(text)
        try await terminal.press("Enter")
    }

    @Test(.enabled(if: TemporaryUser.canBeMade, "only root can make a user for it"), arguments: [[], ["--json"]])
    func `a wrong password and the right one`(options: [String]) async throws {
        try await TemporaryUser.with { user in
            try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                try await withTerminal(server, user.name, options) { terminal in
                    try await terminal.sees("password of \(user.name)@127.0.0.1")
                    try await answer(terminal, "wrong-word")
                    try await terminal.sees("That was not accepted; try again.")
                    try await terminal.sees("two questions") { lines in
                        lines.count { $0.hasPrefix("password of ") } == 2
                    }
                    try await answer(terminal, user.password)
                    _ = try await expectEnd(0, terminal, server, without: ["wrong-word", user.password])
                    let printed = try result(server)
                    #expect(options.isEmpty ? printed == "in\n" : printed.hasPrefix("{\"ok\": true"), "\(printed)")
                }
            }
        }
    }

    @Test(.enabled(if: TemporaryUser.canBeMade, "only root can make a user for it"))
    func `three wrong passwords`() async throws {
        try await TemporaryUser.with { user in
            try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                try await withTerminal(server, user.name, []) { terminal in
                    for number in 1...3 {
                        try await terminal.sees("question \(number)") { lines in
                            lines.count { $0.hasPrefix("password of ") } == number
                        }
                        try await answer(terminal, "wrong-word")
                    }
                    let screen = try await expectEnd(3, terminal, server, without: ["wrong-word"])
                    #expect(screen.joined().contains("refused the log-in"), "\(screen)")
                }
            }
        }
    }

    @Test(.enabled(if: TemporaryUser.canBeMade, "only root can make a user for it"))
    func `control C at the question`() async throws {
        try await TemporaryUser.with { user in
            try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                try await withTerminal(server, user.name, []) { terminal in
                    try await terminal.sees("password of ")
                    try await terminal.type("half-a-word")
                    try await terminal.press("C-c")
                    let screen = try await expectEnd(130, terminal, server, without: ["half-a-word"])
                    #expect(screen.joined().contains("the log-in to 127.0.0.1 was interrupted"), "\(screen)")
                }
            }
        }
    }

    @Test func `a key's passphrase`() async throws {
        try await withSSHServer { server in
            let key = server.folder.path + "/locked"
            try await SSHServer.makeKey(key, type: "ed25519", passphrase: "open sesame")
            try server.authorize(key)
            try await withTerminal(server, server.user, ["--identity", key]) { terminal in
                try await terminal.sees("passphrase of \(key):")
                try await answer(terminal, "open sesame")
                _ = try await expectEnd(0, terminal, server, without: ["open sesame"])
                #expect(try result(server) == "in\n")
            }
        }
    }

    @Test func `without a terminal nothing is asked`() async throws {
        try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
            let child = try ChildProcess(
                [
                    BuiltPrograms.path("uavlink"), "exec", "--host", "127.0.0.1", "--port", "\(server.port)", "--user",
                    server.user, "--accept-new-host-key", "--", "true",
                ], environment: ["PATH": "/usr/bin:/bin", "HOME": server.folder.path])
            #expect(try await child.exit(within: .seconds(60)) == 3)
            #expect(child.errors.contains("the server takes a password"), "\(child.errors)")
            #expect(!child.errors.contains("password of "))
        }
    }
}
