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

    @Test(arguments: ["-", "uavlink-companion@mrs.service", ServiceUnit.name])
    func `a deployed program, whoever started it, is ended only by force while the state is not known`(
        unit: String
    ) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running(unit: unit).text)
        rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
        let error = await rig.failure(away)
        #expect(error?.what.contains("not known (no telemetry over udp): nothing was changed") == true)
        #expect(!rig.target.asked.contains("remove") && !rig.target.asked.contains { $0.hasSuffix(" stop") })
        let report = try await rig.run(DeploymentOptions(.remove, isForced: true))
        #expect(rig.target.asked.suffix(3) == ["~/.local/bin/uavlink-companion stop", "await 4711", "remove"])
        #expect(report.warnings == ["whether uav1 flies is not known (no telemetry over udp)"])
    }

    @Test func `our service is ended only by force while the state is not known, and by its manager`() async throws {
        let rig = try DeploymentRig(
            SampleFacts().deployed.running("/opt/companion", unit: ServiceUnit.name).with("unit ours uav1").text)
        rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
        #expect(await rig.failure(away)?.what.hasSuffix(": nothing was changed") == true)
        #expect(!rig.target.asked.contains("remove"))
        _ = try await rig.run(DeploymentOptions(.remove, isForced: true))
        #expect(rig.target.asked.last == "remove" && !rig.target.asked.contains { $0.hasSuffix(" stop") })
    }

    @Test func `a deployed program beside another one is the one that is ended`() async throws {
        let facts = SampleFacts().deployed.with(
            "running 4710 own - uav1 /usr/local/bin/uavlink-companion",
            "running 4711 own - uav1 \(SampleFacts.folder)/\(SampleFacts.old)")
        let rig = try DeploymentRig(facts.text)
        rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
        #expect(await rig.failure(away)?.hint.contains("--force") == true)
        _ = try await rig.run(DeploymentOptions(.remove, isForced: true))
        #expect(rig.target.asked.suffix(3) == ["~/.local/bin/uavlink-companion stop", "await 4711", "remove"])
    }

    @Test func `where no companion is ended a state that is not known is only warned of`() async throws {
        for program in ["/usr/local/bin/uavlink-companion", "\(SampleFacts.folder)/original"] {
            let rig = try DeploymentRig(SampleFacts().deployed.running(program).text)
            rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
            let report = try await rig.run(away)
            #expect(rig.target.asked.last == "remove" && !rig.target.asked.contains { $0.hasSuffix(" stop") })
            #expect(report.warnings.count == 1 && report.warnings[0].contains("assumed that it is on the ground"))
        }
    }

    @Test func `a companion from elsewhere goes on`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running("/usr/local/bin/uavlink-companion").text)
        _ = try await rig.run(away)
        #expect(rig.target.asked.last == "remove" && !rig.target.asked.contains { $0.hasSuffix("stop") })
    }

    @Test func `folders that a first upload has left are removed`() async throws {
        let rig = try DeploymentRig(SampleFacts().with("made").text)
        rig.target.change { $0.answers["remove"] = FakeTarget.answer("removed .local/lib/uavlink") }
        let report = try await rig.run(away)
        #expect(rig.target.asked.last == "remove" && report.removed == [".local/lib/uavlink"])
    }

    @Test func `a rollback without a channel does not advise another one`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.proof = .failure(.link(LinkError(.remoteFailed, "no answer", hint: "look"))) }
        #expect(await rig.failure(back)?.hint == "look")
    }

    @Test func `where nothing was deployed nothing is done`() async throws {
        let rig = try DeploymentRig(SampleFacts().with("file").text)
        let report = try await rig.run(away)
        #expect(rig.target.asked == ["facts"] && report.removed.isEmpty)
        #expect(report.lines.first?.contains("nothing to remove") == true)
    }
}
