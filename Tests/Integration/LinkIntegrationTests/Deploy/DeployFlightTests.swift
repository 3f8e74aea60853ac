import FlightTestKit
import Foundation
import IntegrationKit
import Testing

/// A vehicle in the air keeps the companion that it has.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct DeployFlightTests {
    @Test func `nothing is deployed while the vehicle flies, with a companion and without`() async throws {
        let stack = try await sharedStack()
        let program = try stack.folder.write("#!/bin/sh\necho uavlink-companion 9.9.9\n", to: "other", mode: 0o755)
        let deploy = ["deploy", "--program", program, "--quiet", "--timeout", "\(Int(20 * MachinePace.factor))s"]
        let up = try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", within: .seconds(120))
        #expect(up.status == 0, "\(up)")
        let flying = try await stack.uavlink(deploy + ["--force"], within: .seconds(120))
        expectFailure(flying, code: 1, saying: ["uav1 flies (flying)", "when it has landed"], within: .seconds(60))
        await stack.endCompanion()
        let overSSH = try await stack.uavlink(deploy, within: .seconds(120))
        expectFailure(overSSH, code: 1, saying: ["uav1 flies (flying)"], within: .seconds(90))
        #expect(!stack.ssh.folder.has(".local"))
        let down = try await stack.uavlink("land", "--wait", "--link", "udp", within: .seconds(120))
        #expect(down.status == 0, "\(down)")
        // On the ground it goes, and what the profile names is used in its place.
        let report = try json(try await stack.uavlink(deploy + ["--dry-run", "--json"], within: .seconds(120)))
        #expect(report["ok"] as? Bool == true)
        #expect((report["warnings"] as? [String])?.contains { $0.contains("companion:") } == true, "\(report)")
        #expect(!stack.ssh.folder.has(".local"))
    }
}
