import Foundation
import IntegrationKit
import Testing

/// Ctrl-Z and `fg` in a shell with job control.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is not installed"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not installed"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct SuspendedFrontEndTests {
    @Test func `after each Ctrl-Z and fg the front end takes keys without Enter`() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await TmuxTerminal(
            ["/bin/bash", "--norc", "--noprofile", "-i"],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path,
                "LC_ALL": "C.UTF-8", "PS1": "ready> ",
            ], columns: 110, rows: 34)
        do {
            try await terminal.sees("ready>")
            try await terminal.type("\(BuiltPrograms.path("uavlink")) --link sim\n")
            try await terminal.sees("What do you want to do?")
            for _ in 0..<10 {
                try await terminal.press("C-z")
                try await terminal.sees("Stopped")
                // The terminal's answers are no commands for the shell.
                let shell = try await terminal.screen()
                #expect(!shell.contains { $0.contains("1;2c") }, "\(shell)")
                try await terminal.type("clear; fg\n")
                try await terminal.sees("What do you want to do?")
                try await terminal.press("1")
                try await terminal.sees("RELEASED")
                try await terminal.press("Escape")
                try await terminal.sees("What do you want to do?")
            }
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }
}
