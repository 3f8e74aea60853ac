import Testing
import UAVLink

@testable import Deployment

@Suite struct RollbackTests {
    private let back = DeploymentOptions(.rollBack)
    private let away = DeploymentOptions(.remove)

    @Test func `the one before is used again`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change {
            $0.proof = .success(ChannelProof(link: .udp, roundTrip: .milliseconds(1), version: "0.0.9"))
        }
        let report = try await rig.run(back, named: false)
        #expect(rig.target.asked.contains("rollback") && report.hasRestarted && report.warnings.isEmpty)
        #expect(report.name == SampleFacts.older && report.previous == SampleFacts.old && report.version == "0.0.9")
        #expect(report.lines.first?.contains("is back") == true)
    }

    @Test func `what is not there cannot come back`() async throws {
        let none = try DeploymentRig()
        #expect(await none.failure(back)?.what == "no companion is deployed there")
        let first = try DeploymentRig(
            SampleFacts().with("link \(SampleFacts.folder)/\(SampleFacts.old)", "stored \(SampleFacts.old)").text)
        #expect(await first.failure(back)?.what == "no earlier companion is kept there")
        let cut = try DeploymentRig(
            SampleFacts().deployed.with("previous \(SampleFacts.folder)/\(SampleFacts.old)").text)
        #expect(await cut.failure(back)?.what == "no earlier companion is kept there")
        #expect(none.target.asked == ["facts"] && first.target.asked == ["facts"])
    }

    @Test(arguments: [DeploymentOptions.Action.rollBack, .remove])
    func `not while the vehicle flies`(action: DeploymentOptions.Action) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.flight = [.airborne(.flying)] }
        #expect(await rig.failure(DeploymentOptions(action, isForced: true))?.what.contains("flies") == true)
        #expect(rig.target.asked == ["facts", "flight of a companion"])
    }

    @Test(arguments: [DeploymentOptions.Action.rollBack, .remove])
    func `a dry run only looks`(action: DeploymentOptions.Action) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let report = try await rig.run(DeploymentOptions(action, isDryRun: true))
        #expect(!rig.target.asked.contains("rollback") && !rig.target.asked.contains("remove"))
        #expect(!report.steps.isEmpty && report.isDryRun)
    }

    @Test func `it is taken away, with the companion that runs from it`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let report = try await rig.run(away)
        #expect(rig.target.asked.suffix(3) == ["~/.local/bin/uavlink-companion stop", "await 4711", "remove"])
        #expect(report.removed == [".local/bin/uavlink-companion"])
    }

    @Test func `a service that cannot be stopped is an error`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.with("unit ours uav1").text)
        rig.target.change { $0.answers["remove"] = FakeTarget.answer("failed Job timed out") }
        let error = await rig.failure(away)
        #expect(error?.what.contains("could not be stopped: Job timed out") == true)
        #expect(error?.hint.contains("systemctl --user stop") == true)
    }

    @Test func `a companion of another vehicle that runs from it keeps it`() async throws {
        let rig = try DeploymentRig(
            SampleFacts().deployed.with("running 4712 own - uav2 \(SampleFacts.folder)/\(SampleFacts.old)").text)
        let error = await rig.failure(DeploymentOptions(.remove, isForced: true))
        #expect(error?.what.contains("uav2 (process 4712)") == true && error?.hint.contains("--uav uav2 stop") == true)
        #expect(rig.target.asked == ["facts"])
    }

    @Test func `the program that was there before goes on too`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running("\(SampleFacts.folder)/original").text)
        _ = try await rig.run(away)
        #expect(rig.target.asked.last == "remove" && !rig.target.asked.contains { $0.hasSuffix("stop") })
    }

    @Test func `a companion from elsewhere goes on`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running("/usr/local/bin/uavlink-companion").text)
        _ = try await rig.run(away)
        #expect(rig.target.asked.last == "remove" && !rig.target.asked.contains { $0.hasSuffix("stop") })
    }

    @Test func `where nothing was deployed nothing is done`() async throws {
        let rig = try DeploymentRig(SampleFacts().with("file").text)
        let report = try await rig.run(away)
        #expect(rig.target.asked == ["facts"] && report.removed.isEmpty)
        #expect(report.lines.first?.contains("nothing to remove") == true)
    }
}
