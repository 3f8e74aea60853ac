import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink

/// A set-up that writes down each shell in which it is run, with what ends or confuses a shell that reads its script from its input.
private struct RecordedSetups {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func setup(after setup: String) -> String {
        """
        \(setup); echo $$ >>'\(folder.path)/pids'
        set -eu; trap 'echo bye' EXIT; TMOUT=1; export TMOUT; readonly TMOUT; exec >/dev/null
        """
    }

    /// The processes of the shells, in the order in which they were opened.
    var shells: [Int32] {
        let text = (try? String(contentsOfFile: folder.path + "/pids", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
    }

    func signal(_ signal: Int32) { for shell in shells { kill(shell, signal) } }
}

extension SSHTests {
    @Suite(
        .enabled(if: RospyVehicle.isPossible, "rospy is not installed"), .timeLimit(.minutes(MachinePace.minutes(4))))
    struct SSHShellLinkTests {
        @Test func `commands run in the shells that are open, and a stop goes out where they hang or have ended`()
            async throws
        {
            try await withCommandLinkBench { bench in
                let setups = try RecordedSetups()
                let link = try bench.link(.sshShell, setup: setups.setup(after: bench.setup))
                #expect(link.kind == .sshShell)
                try await link.connect(within: .patient(seconds: 30))
                // The topics of telemetry, the first command, and two shells.
                let areOpen = await eventually { setups.shells.count == 7 }
                #expect(areOpen, "\(setups.shells)")
                for _ in 0..<3 {
                    #expect(try await link.perform(.hover, within: .patient(seconds: 20)).message == "hover")
                }
                let refused = try await link.perform(.takeoff, within: .patient(seconds: 20))
                #expect(refused.message == "can not takeoff, UAV not armed!\n\u{1B}[31m\"quoted\" ü")
                #expect(setups.shells.count == 7, "\(setups.shells)")

                setups.signal(SIGSTOP)
                #expect(try await link.perform(.hover, within: .patient(seconds: 20)).message == "hover")
                #expect(setups.shells.count == 8, "\(setups.shells)")
                setups.signal(SIGKILL)
                #expect(try await link.perform(.hover, within: .patient(seconds: 20)).message == "hover")
                await link.close()
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
            }
        }

        @Test func `a command ends with its caller's patience, and the link goes on`() async throws {
            try await withCommandLinkBench("silent") { bench in
                let link = try bench.link(.sshShell)
                try await link.connect(within: .patient(seconds: 30))
                let error = await linkError { _ = try await link.perform(.hover, within: .seconds(4)) }
                #expect(error?.code == .timedOut)
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
                let waiting = Task { try await link.perform(.hover, within: .patient(seconds: 60)) }
                #expect(try await eventually { try await bench.running("rosservice call /uav1") > 0 })
                await link.close()
                #expect(await linkError { _ = try await waiting.value }?.code == .closed)
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
            }
        }
    }
}
