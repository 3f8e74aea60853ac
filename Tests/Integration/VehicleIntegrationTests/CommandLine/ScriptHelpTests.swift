import IntegrationKit
import Testing

/// What the scripts of the repository say about themselves; nothing is built or started for it.
@Suite(.timeLimit(.minutes(MachinePace.minutes(1)))) struct ScriptHelpTests {
    @Test(
        arguments: ["bench", "demo", "fuzz", "install", "latency", "package", "pictures", "setup"], ["--help", "-h"])
    func `a script that is asked for help says what it does, and how it is called`(
        _ script: String, _ option: String
    ) async throws {
        let child = try ChildProcess([BuiltPrograms.repository + "/scripts/\(script)", option])
        let status = try await child.exit(within: .seconds(30))
        #expect(status == 0, "\(child.errors)")
        #expect(child.output.contains("scripts/\(script)"), "\(child.output)")
        #expect(child.errors.isEmpty, "\(child.errors)")
        // No code of it.
        #expect(!child.output.contains("set -"), "\(child.output)")
    }
}
