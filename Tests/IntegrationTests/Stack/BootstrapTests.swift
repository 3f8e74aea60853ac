import CompanionControl
import Foundation
import IntegrationKit
import Testing
import UAVLink

/// The bootstrap of a companion on this machine, with a simulated vehicle behind it.
@Suite("Bootstrap", .timeLimit(.minutes(MachinePace.minutes(2)))) struct BootstrapTests {
    private func bootstrap(_ folder: TemporaryFolder) throws -> ChildProcess {
        try ChildProcess([
            BuiltPrograms.path("uavlink-companion"), "bootstrap", "--uav", "uav1", "--runtime-dir", folder.path,
            "--backend", "simulated",
        ])
    }

    private func stop(_ folder: TemporaryFolder) async throws {
        let child = try ChildProcess([
            BuiltPrograms.path("uavlink-companion"), "stop", "--uav", "uav1", "--runtime-dir", folder.path,
        ])
        _ = try await child.exit()
    }

    /// A companion that ends has no control socket any more, but its lock until the vehicle hovers.
    @Test func `a companion that is just ending is waited for`() async throws {
        let folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        var ending = try InstanceLock(path: runtime.lockPath(vehicle: "uav1"))
        #expect(ending != nil)
        let child = try bootstrap(folder)
        let log = runtime.logPath(vehicle: "uav1")
        #expect(
            try await eventually { try folder.has("uav1.log") && !String(contentsOfFile: log, encoding: .utf8).isEmpty }
        )
        ending = nil
        #expect(try await child.exit() == 0, "\(child.errors)")
        #expect(child.output.hasPrefix("uavlink-channel 1 "), "\(child.output)")
        try await stop(folder)
    }
}
