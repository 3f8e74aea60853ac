import Testing
import UAVLink

@testable import Deployment

/// A companion that runs the deployed program already is not ended: an unknown state of the vehicle is only warned of.
@Suite struct KeptCompanionTests {
    private let deployed = "~/.local/bin/uavlink-companion"

    /// The name of the program that a rig deploys, once it is on the vehicle.
    private func name() throws -> String { "companion-0.2.0-\(try DeploymentRig().file.checksum.prefix(12))" }

    /// A vehicle whose flight stack is off, with this program, and a companion that runs from one.
    private func rig(_ facts: SampleFacts = SampleFacts(), running program: String? = nil) throws -> DeploymentRig {
        let name = try name()
        let stored = facts.deployed.with("stored \(name)", "link \(SampleFacts.folder)/\(name)")
        let rig = try DeploymentRig(stored.running("\(SampleFacts.folder)/\(program ?? name)").text)
        rig.target.change {
            $0.answers["install"] = FakeTarget.answer("name \(name)", "version 0.2.0")
            $0.flight = [.unknown("no telemetry over udp")]
        }
        return rig
    }

    @Test(arguments: [false, true]) func `a deployment is repeated without force`(isDryRun: Bool) async throws {
        let rig = try rig()
        let report = try await rig.run(DeploymentOptions(isDryRun: isDryRun))
        #expect(!report.hasRestarted && report.steps.contains("it runs already"))
        #expect(report.warnings.count == 1 && report.warnings[0].contains("assumed that it is on the ground"))
        #expect(!rig.target.asked.contains("\(deployed) stop"))
    }

    @Test func `so is a return to the program before`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running("\(SampleFacts.folder)/\(SampleFacts.older)").text)
        rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
        let report = try await rig.run(DeploymentOptions(.rollBack))
        #expect(!report.hasRestarted && report.warnings.contains { $0.contains("assumed") })
    }

    @Test func `one of another program needs force, and nothing is changed`() async throws {
        let rig = try rig(running: SampleFacts.old)
        #expect(await rig.failure()?.what.hasSuffix("(no telemetry over udp): nothing was changed") == true)
        #expect(!rig.target.asked.contains("prepare"))
    }

    @Test func `a service takes its place, which needs force`() async throws {
        let rig = try rig(SampleFacts().with("manager user"))
        let error = await rig.failure(DeploymentOptions(wantsService: true))
        #expect(error?.what.hasSuffix("(no telemetry over udp): nothing was changed") == true)
        // Without a service manager it stays.
        let report = try await self.rig().run(DeploymentOptions(wantsService: true))
        #expect(!report.hasRestarted && report.service == "printed")
    }

    @Test func `one of another program that was started meanwhile is not ended without force`() async throws {
        let rig = try rig()
        rig.target.change {
            $0.looks += [SampleFacts().deployed.running().text]
        }
        let error = await rig.failure()
        #expect(error?.what.hasSuffix(": the running companion was not restarted") == true)
        #expect(!rig.target.asked.contains("\(deployed) stop"))
    }
}
