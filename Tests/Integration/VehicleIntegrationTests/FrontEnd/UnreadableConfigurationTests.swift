import Foundation
import IntegrationKit
import Testing

/// A simulated vehicle needs nothing of a configuration file.
@Suite(
    .enabled(if: TmuxTerminal.isAvailable, "tmux is needed"), .timeLimit(.minutes(MachinePace.minutes(2))))
struct UnreadableConfigurationTests {
    @Test func `the front end goes on without a file that cannot be read, as the warning says`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/.config/uavlink"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data("vehicles: [\n".utf8).write(to: URL(fileURLWithPath: place + "/config.yaml"))
        let program = try BuiltPrograms.path("uavlink")
        let script = try folder.write("\(program) --link sim\necho ended with $?.\nread line\n", to: "person.sh")
        let terminal = try await TmuxTerminal(
            ["/bin/sh", script],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path, "LC_ALL": "C.UTF-8",
            ], columns: 110, rows: 34)
        do {
            try await terminal.sees("What do you want to do?")
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
    }
}
