import CompanionControl
import Foundation
import IntegrationKit
import Testing
import UAVLink

/// The bootstrap of a companion on this machine, with a simulated vehicle behind it.
@Suite("Bootstrap", .timeLimit(.minutes(MachinePace.minutes(2)))) struct BootstrapTests {
    private func bootstrap(_ folder: TemporaryFolder, environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(
            [
                BuiltPrograms.path("uavlink-companion"), "bootstrap", "--uav", "uav1", "--runtime-dir", folder.path,
                "--backend", "simulated",
            ], environment: ChildProcess.ownEnvironment.merging(environment) { $1 })
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

    /// Nothing rotates the log of a companion that was started on demand.
    @Test func `one that is started on demand keeps its log within its bounds`() async throws {
        let folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        let path = runtime.logPath(vehicle: "uav1")
        // As much as one file may have, from those before.
        let old = String(repeating: "an old line\n", count: (1 << 20) / 12 + 1)
        try old.write(toFile: path, atomically: false, encoding: .utf8)
        // What `bootstrap` has started ends here with it: this has both wait until the log was read.
        var ending = try InstanceLock(path: runtime.lockPath(vehicle: "uav1"))
        #expect(ending != nil)
        let child = try bootstrap(folder)
        // For a moment there is no file of that name.
        let isLogged = await eventually {
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            return text?.contains("waiting for the previous companion to end") == true
        }
        #expect(isLogged, "\(child.errors)")
        let files = try [path, path + ".1"].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(!files[0].contains("an old line") && files[0].utf8.count < 10_000)
        #expect(files[1].hasPrefix(old))
        ending = nil
        #expect(try await child.exit() == 0, "\(child.errors)")
        try await stop(folder)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a companion whose disk is full serves its grounds without a log`() async throws {
        let folder = try TemporaryFolder()
        let program = [try BuiltPrograms.path("uavlink-companion")]
        let place = ["--uav", "uav1", "--runtime-dir", folder.path]
        let companion = try ChildProcess(
            program + ["run"] + place + ["--backend", "simulated", "--bind", "127.0.0.1", "--log-file", "/dev/full"])
        let answers = try await eventually {
            if companion.exitStatus != nil { return true }
            return try await ChildProcess(program + ["status"] + place).exit() == 0
        }
        #expect(answers && companion.exitStatus == nil, "\(companion.errors)")
        let ticket = try ChildProcess(program + ["bootstrap"] + place + ["--backend", "simulated"])
        #expect(try await ticket.exit() == 0, "\(ticket.errors)")
        #expect(ticket.output.hasPrefix("uavlink-channel 1 "), "\(ticket.output)")
        try await stop(folder)
        #expect(try await companion.exit() == 0, "\(companion.errors)")
    }

    /// A log-in of logind's, where processes end with it, and a `systemd-run` that works or does not.
    @Test(arguments: [true, false])
    func `where logind ends the processes of a log-in the companion is started outside of it`(runs: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            #!/bin/sh
            case "$*" in
            *login1.User*Linger*) echo 'b false' ;;
            *KillUserProcesses*) printf 'b true\nas 0\nas 0\n' ;;
            esac
            """, to: "busctl", mode: 0o700)
        try folder.write(
            """
            #!/bin/sh
            echo "$*" >> \(folder.path)/started
            \(runs ? "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"" : "exit 1")
            """, to: "systemd-run", mode: 0o700)
        let child = try bootstrap(
            folder, environment: ["XDG_SESSION_ID": "c7", "PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(try await child.exit() == 0, "\(child.errors)")
        #expect(child.output.hasPrefix("uavlink-channel 1 "), "\(child.output)")
        #expect(child.errors.contains("loginctl enable-linger"), "\(child.errors)")
        let started = try String(contentsOfFile: folder.path + "/started", encoding: .utf8)
        #expect(started.hasPrefix("--user --scope --quiet -- "), "\(started)")
        #expect(started.contains("uavlink-companion run --uav uav1"), "\(started)")
        try await stop(folder)
    }
}
