import Foundation
import IntegrationKit
import MRS
import Testing

/// Command lines that say how long they took, run by the shells of this machine with a `rosservice` of ours.
@Suite struct TimedCommandLineTests {
    /// A folder in which `rosservice` takes 0.3 s and `python3` is one that has no ROS, as on many machines.
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uavlink-timed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, script) in [
            ("rosservice", "sleep 0.3; echo 'usage: rosservice' >&2; exit 64"), ("python3", "exit 1"),
        ] {
            let file = folder.appendingPathComponent(name)
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        return folder
    }

    /// It once timed an import in whatever `python3` came first: where that has no ROS, the start of `rosservice` took 90 ms.
    @Test(arguments: ShellQuotingTests.shells)
    func `the start that is timed is that of rosservice`(_ shell: String) async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = ROSCommandLines(
            names: try VehicleNames(vehicle: "uav1"), setup: "export PATH=\(folder.path):$PATH; sleep 0.1")
        let child = try ChildProcess([shell, "-c", lines.timedStart().line])
        _ = try await child.exit()
        let times = try #require(RemoteTimes(standardError: child.errors), "\(child.errors)")
        #expect(times.setupNanoseconds >= 100_000_000)
        #expect(times.programNanoseconds >= 300_000_000)
    }
}
