import Foundation
import IntegrationKit
import Testing

/// `uavlink terminal` as a user has it: in a real terminal, at a real `sshd`.
@Suite(
    .enabled(if: SSHServer.isAvailable && TmuxTerminal.isAvailable, "sshd and tmux are needed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(4))))
struct TerminalCommandTests {
    /// A terminal in which `uavlink terminal` has a shell's prompt; the terminal's settings before and after are written
    /// into the server's folder.
    private func withTerminal(_ body: (SSHServer, TmuxTerminal) async throws -> Void) async throws {
        let uavlink = try BuiltPrograms.path("uavlink")
        try await withSSHServer { server in
            let config = try server.folder.write(
                """
                default: x
                vehicles:
                  x:
                    host: 127.0.0.1
                    port: \(server.port)
                    user: \(server.user)
                    identity: \(server.userKey)
                    known-hosts: \(server.knownHosts)

                """, to: "config.yaml")
            let folder = server.folder.path
            // What the login shell, whichever it is, is to show before each line.
            try server.folder.write("PS1='at the vehicle> '\n", to: ".profile")
            let script = try server.folder.write(
                """
                stty -g > \(folder)/before
                \(uavlink) terminal --config \(config)
                code=$?
                stty -g > \(folder)/after
                echo "ended with $code."
                read line

                """, to: "person.sh")
            let terminal = try await TmuxTerminal(
                ["/bin/sh", script], environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "USER": server.user])
            do {
                try await terminal.sees("a prompt") { $0.contains { $0.hasPrefix("at the vehicle>") } }
                try await body(server, terminal)
            } catch {
                await terminal.stop()
                throw error
            }
            await terminal.stop()
        }
    }

    /// Sees the exit code, and that the terminal is as it was before; returns the screen.
    @discardableResult
    private func expectEnd(_ code: Int, _ terminal: TmuxTerminal, _ server: SSHServer) async throws -> [String] {
        // A terminal whose program has ended would tell nothing of the cursor: the script waits.
        let screen = try await terminal.sees("ended with \(code).", within: .seconds(40))
        let (isOnOtherScreen, hasCursor) = (
            try await terminal.isAlternateScreenOn(), try await terminal.isCursorShown()
        )
        #expect(!isOnOtherScreen)
        #expect(hasCursor)
        let before = try String(contentsOfFile: server.folder.path + "/before", encoding: .utf8)
        let after = try String(contentsOfFile: server.folder.path + "/after", encoding: .utf8)
        #expect(!before.isEmpty && before == after)
        return screen
    }

    @Test func `a command, another size, and the shell's exit status`() async throws {
        try await withTerminal { server, terminal in
            try await terminal.type("echo a''nswer $((6*7)); stty size; echo $TERM")
            try await terminal.press("Enter")
            try await terminal.sees("the answer, the size") { $0.contains("answer 42") && $0.contains("24 80") }
            try await terminal.resize(columns: 101, rows: 33)
            // The size is on its way for a moment: asked until it is there.
            let isReported = try await eventuallySees(terminal, asking: "stty size", for: "33 101")
            #expect(isReported)
            // A key that no line discipline of ours may take: it ends what runs there, and nothing here.
            // Before the shell has started it, control C would reach the shell alone.
            try await terminal.type("sh -c 'echo run\"\"ning; exec sleep 1000'; echo in''terrupted $?")
            try await terminal.press("Enter")
            try await terminal.sees("running")
            try await terminal.press("C-c")
            try await terminal.type("echo s''till there ~.")
            try await terminal.press("Enter")
            try await terminal.sees("still there ~.")
            try await terminal.type("exit 7")
            try await terminal.press("Enter")
            try await expectEnd(7, terminal, server)
        }
    }

    private func eventuallySees(_ terminal: TmuxTerminal, asking: String, for line: String) async throws -> Bool {
        try await eventually {
            try await terminal.type(asking)
            try await terminal.press("Enter")
            // As often as a user would ask; the answer to this question may be seen after the next.
            try await Task.sleep(for: .milliseconds(300))
            return try await terminal.screen().contains(line)
        }
    }

    @Test func `the escape keys explain themselves and hang up, out of a program that has the whole screen`()
        async throws
    {
        try await withTerminal { server, terminal in
            try await terminal.type("~?")
            try await terminal.sees("hang up")
            // On the other screen, with the cursor hidden and the mouse on, in a program that does not answer: said once it
            // would not.
            try await terminal.type("trap '' HUP INT; printf '\\033[?1049h\\033[?25l\\033[?1000h in fu''ll'; sleep 60")
            try await terminal.press("Enter")
            try await terminal.sees("in full")
            try await terminal.press("C-c")
            try await terminal.press("Enter")
            try await terminal.type("~.")
            let screen = try await expectEnd(130, terminal, server)
            #expect(screen.contains { $0.contains("hung up") }, "\(screen)")
        }
    }

    @Test func `the server goes away: said, and the terminal is given back`() async throws {
        try await withTerminal { server, terminal in
            try await terminal.type("kill -9 $PPID")
            try await terminal.press("Enter")
            try await expectEnd(3, terminal, server)
        }
    }

    @Test func `without a terminal it says so and does not connect`() async throws {
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink"), "terminal", "--host", "192.0.2.1", "--user", "nobody"],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await child.exit(within: .seconds(20)) == 2)
        #expect(child.errors.contains("needs a terminal"), "\(child.errors)")
        #expect(child.errors.contains(" exec"), "\(child.errors)")
        #expect(child.output.isEmpty)
    }
}
