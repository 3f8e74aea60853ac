import Foundation
import IntegrationKit
import MRS
import Testing

/// Command lines that say how long they took, run by the shells of this machine with a `rosservice` of ours.
@Suite struct TimedCommandLinePeerTests {
    static let shells = ["/bin/sh", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/usr/bin/tcsh"].filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What a start says in a folder in which `rosservice` takes 0.3 s, `login`, a shell, 0.2 s outside of other shells, and `python3` is
    /// one that has no ROS, as on many machines.
    private func times(_ shell: String, withShell: Bool) async throws -> RemoteTimes {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for (name, script) in [
            ("rosservice", "sleep 0.3; echo 'usage: rosservice' >&2; exit 64"), ("python3", "exit 1"),
            ("login", #"[ "${SHLVL:-0}" -gt 1 ] || sleep 0.2; exec /bin/sh "$@""#),
        ] {
            try folder.write("#!/bin/sh\n\(script)\n", to: name, mode: 0o755)
        }
        let lines = ROSCommandLines(
            names: try VehicleNames(vehicle: "uav1"), setup: "export PATH=\(folder.path):$PATH; sleep 0.1")
        let child = try ChildProcess(
            [shell, "-c", lines.timedStart(withShell: withShell).line],
            environment: ChildProcess.ownEnvironment.merging(["SHELL": folder.path + "/login", "SHLVL": "1"]) { $1 })
        _ = try await child.exit()
        return try #require(RemoteTimes(standardError: child.errors), "\(child.errors)")
    }

    /// It once timed an import in whatever `python3` came first: where that has no ROS, the start of `rosservice` took 90 ms.
    @Test(arguments: shells)
    func `the start that is timed is that of rosservice`(_ shell: String) async throws {
        let times = try await times(shell, withShell: false)
        #expect(times.shellNanoseconds == nil)
        #expect(times.setupNanoseconds >= 100_000_000 && times.programNanoseconds >= 300_000_000)
    }

    @Test(arguments: shells)
    func `the login shell is started as sshd does, and timed apart`(_ shell: String) async throws {
        let times = try await times(shell, withShell: true)
        #expect(try #require(times.shellNanoseconds) >= 200_000_000)
        #expect(times.setupNanoseconds >= 100_000_000 && times.programNanoseconds >= 300_000_000)
    }
}
