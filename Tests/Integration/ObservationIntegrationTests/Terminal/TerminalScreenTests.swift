import Foundation
import IntegrationKit
import Testing

/// The front end's terminal as a user has it, opened from the menu, with real programs in it.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct TerminalScreenTests {
    /// A front end with a simulated vehicle, in which the terminal was opened: a shell on this machine.
    private func withShell(_ body: (TemporaryFolder, TmuxTerminal) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        // After the system's own, which sets a prompt too.
        try folder.write("PS1='here> '\n", to: ".profile")
        let script = try folder.write(
            "cd \(folder.path)\n\(BuiltPrograms.path("uavlink")) --link sim\necho ended with $?.\nread line\n",
            to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path, "SHELL": "/bin/sh",
                "LC_ALL": "C.UTF-8",
            ])
        do {
            try await terminal.sees("What do you want to do?")
            try await terminal.press("3")
            try await terminal.sees("here>")
            try await body(folder, terminal)
            try await terminal.press("F9")
            try await terminal.sees("What do you want to do?")
            try await terminal.press("q")
            // With a shell that is open, it asks first.
            let lines = try await terminal.sees("the end, or the question") { lines in
                lines.contains { $0.contains("ended with 0.") || $0.contains("the open shell on ") }
            }
            if lines.contains(where: { $0.contains("the open shell on ") }) { try await terminal.press("y") }
            try await terminal.sees("ended with 0.")
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }

    private func enter(_ line: String, _ terminal: TmuxTerminal) async throws {
        try await terminal.type(line)
        try await terminal.press("Enter")
    }

    @Test(.enabled(if: access("/usr/bin/vi", X_OK) == 0))
    func `an editor, another size, and what was there before it`() async throws {
        try await withShell { folder, terminal in
            try await enter("echo before; stty size; echo $TERM", terminal)
            // Two lines above and two below are the frame's, one is the terminal's own bar.
            try await terminal.sees("a terminal") { lines in
                ["before", "19 80", "xterm-256color"].allSatisfy { line in lines.contains { $0.hasSuffix(line) } }
            }
            try await enter("vi -u NONE -N text", terminal)
            try await terminal.sees("an empty file") { lines in lines.filter { $0.hasPrefix("~") }.count > 15 }
            try await terminal.type("iwörld 日本")
            try await terminal.press("Escape")
            try await terminal.resize(columns: 100, rows: 30)
            try await terminal.sees("more lines") { lines in lines.filter { $0.hasPrefix("~") }.count > 22 }
            try await enter(":wq", terminal)
            let after = try await terminal.sees("the shell again") { lines in
                lines.contains { $0.hasSuffix("before") } && !lines.contains { $0.hasPrefix("~") }
            }
            #expect(!after.contains { $0.contains("wörld") }, "\(after)")
            try await enter("stty size", terminal)
            try await terminal.sees("25 100")
            #expect(try String(contentsOfFile: folder.path + "/text", encoding: .utf8) == "wörld 日本\n")
        }
    }

    @Test func `a table that is drawn anew, control C, search, the log, and the simple form`() async throws {
        try await withShell { folder, terminal in
            try await enter("top -d 1", terminal)
            try await terminal.sees("PID USER")
            try await terminal.type("q")
            // As top ends it discards what was typed meanwhile.
            try await terminal.sees("the prompt alone") { lines in
                lines.contains { $0.trimmingCharacters(in: .whitespaces).hasSuffix("here>") }
            }
            // Before the shell has started it, control C would reach the shell alone.
            try await enter("sh -c 'echo run\"\"ning; exec sleep 1000'; echo not reached", terminal)
            try await terminal.sees("running")
            try await terminal.press("C-c")
            try await enter("seq 1000 1200; echo la''st", terminal)
            try await terminal.sees("last")
            try await terminal.press("F3")
            try await terminal.type("1034")
            try await terminal.sees("the line found") { $0.contains("1034") }
            try await terminal.press("Escape")
            try await terminal.press("F4")
            try await terminal.sees("session log saved to")
            let log = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".log") })
            let text = try String(contentsOfFile: folder.path + "/" + log, encoding: .utf8)
            #expect(text.contains("1034") && text.contains("the shell is open"), "\(text)")
            try await terminal.press("F2")
            try await terminal.sees("one command at a time")
            try await enter("echo one; exit 3", terminal)
            try await terminal.sees("exit status 3")
            try await terminal.press("F2")
            // Any key for the shell goes back to the newest line.
            try await enter("echo st''ill here", terminal)
            try await terminal.sees("still here")
        }
    }
}
