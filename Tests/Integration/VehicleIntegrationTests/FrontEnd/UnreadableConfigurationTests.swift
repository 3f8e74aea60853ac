import Foundation
import IntegrationKit
import Testing

/// A simulated vehicle needs nothing of a configuration file; the front end has its keys, its bell and its colours from it.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .timeLimit(.minutes(MachinePace.minutes(2))))
struct UnreadableConfigurationTests {
    @Test(arguments: [("vehicles: [\n", "line"), ("bel: false\nkeys: {hover: Ctrl-O}\n", "unknown key 'bel'")])
    func `the front end refuses it, a command goes on without it`(_ text: String, _ words: String) async throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/.config/uavlink"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: place + "/config.yaml"))
        let program = try BuiltPrograms.path("uavlink")
        let script = try folder.write("\(program) --link sim\necho ended with $?.\nread line\n", to: "person.sh")
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path, "LC_ALL": "C.UTF-8",
        ]
        let command = try ChildProcess([program, "--link", "sim", "status"], environment: environment)
        #expect(try await command.exit(within: .seconds(30)) == 0)
        #expect(command.errors.contains(words) && command.errors.contains("going on without the configuration file"))
        let terminal = try await TmuxTerminal(["/bin/sh", script], environment: environment, columns: 110, rows: 34)
        do {
            let screen = try await terminal.sees("ended with").joined(separator: "\n")
            #expect(!screen.contains("ended with 0."))
            #expect(screen.contains(words))
            #expect(!screen.contains("going on without"))
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }
}
