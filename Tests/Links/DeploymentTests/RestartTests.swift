import Testing
import UAVLink
import VehicleAccess

@testable import Deployment

@Suite struct RestartTests {
    private let deployed = "~/.local/bin/uavlink-companion"
    private let found = "\(SampleFacts.home)/.local/bin/uavlink-companion"

    @Test func `a companion that was started on demand is ended, and the bootstrap starts the new one`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let report = try await rig.run()
        #expect(
            rig.target.asked.suffix(6) == [
                "facts", "flight of a companion", "\(found) status", "\(deployed) stop", "await 4711", "prove",
            ], "\(rig.target.asked)")
        #expect(report.hasRestarted)
    }

    @Test func `the deployed one that runs already stays`() async throws {
        let rig = try DeploymentRig(
            SampleFacts().deployed.running("\(SampleFacts.folder)/\(SampleFacts.new)").text)
        let report = try await rig.run()
        #expect(!report.hasRestarted && !rig.target.asked.contains("\(deployed) stop"))
    }

    @Test(arguments: [
        ("other", "-", "another user"), ("own", "uavlink-companion@mrs.service", "uavlink-companion@mrs.service"),
    ])
    func `one of somebody else stays, and that is said`(owner: String, unit: String, word: String) async throws {
        let rig = try DeploymentRig(
            SampleFacts().deployed.running("/usr/local/bin/uavlink-companion", owner: owner, unit: unit).text)
        rig.target.change {
            $0.proof = .success(ChannelProof(link: .tcp, roundTrip: .milliseconds(3), version: "0.1.0"))
        }
        let report = try await rig.run()
        #expect(!report.hasRestarted && report.warnings.count == 2, "\(report.warnings)")
        #expect(report.warnings[0].contains(word) && report.warnings[1].contains("0.1.0"))
    }

    // MARK: The second look, before a companion is ended

    @Test(arguments: [FlightCondition.airborne(.takingOff), .flownByRadio], [true, false])
    func `a vehicle that took off meanwhile keeps its companion, whoever forces it`(
        condition: FlightCondition, isForced: Bool
    ) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.flight = [.onGround, condition] }
        let error = await rig.failure(DeploymentOptions(isForced: isForced))
        #expect(error?.what.hasSuffix("the running companion was not restarted") == true)
        #expect(error?.hint.contains("when it has landed; the deployed one is used from its next start on") == true)
        #expect(!rig.target.asked.contains("\(deployed) stop"))
    }

    @Test(arguments: [FlightCondition.armed, .mayBeFlownByRadio, .unknown("no telemetry over udp")])
    func `what changed meanwhile needs force, is called what it is, and is warned of`(
        condition: FlightCondition
    ) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.flight = [.onGround, condition] }
        let error = await rig.failure()
        let what = try #require(condition.obstacle(of: "uav1", endsCompanion: true)?.what)
        #expect(error?.what == "\(what): the running companion was not restarted")
        #expect(!rig.target.asked.contains("\(deployed) stop"))
        rig.target.change { $0.flight = [.onGround, condition] }
        let report = try await rig.run(DeploymentOptions(isForced: true))
        #expect(report.hasRestarted && report.warnings == [what])
        #expect(rig.told.contains(.warning(what)))
    }

    @Test func `a pilot who took control authority meanwhile keeps the companion, unless forced`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let nobody = ProgramResult(status: 0, output: "{\"vehicle\": \"uav1\", \"pilot\": null}\n")
        let anna = ProgramResult(status: 0, output: "{\"vehicle\": \"uav1\", \"pilot\": \"anna\"}\n")
        rig.target.change { $0.statuses = [nobody, anna] }
        let error = await rig.failure()
        #expect(error?.what == "anna has control authority over uav1: the running companion was not restarted")
        #expect(!rig.target.asked.contains("\(deployed) stop"))
        rig.target.change { $0.statuses = [nobody, anna] }
        let report = try await rig.run(DeploymentOptions(isForced: true))
        #expect(report.hasRestarted && report.warnings == ["anna has control authority over uav1"])
    }

    @Test(arguments: [DeploymentOptions.Action.install, .rollBack])
    func `a network that is cut after the end leaves open whether one runs, and that is said`(
        action: DeploymentOptions.Action
    ) async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let cut = DeploymentFailure.link(LinkError(.notConnected, "the connection was lost"))
        rig.target.change { $0.proof = .failure(cut) }
        let error = await rig.failure(DeploymentOptions(action))
        let name = action == .install ? SampleFacts.new : SampleFacts.older
        let end = "could not be opened, and perhaps no companion runs now: the connection was lost"
        #expect(error?.what == "\(name) is deployed, but the channel to it \(end)")
        #expect(error?.hint.contains("repeat the command") == (action == .install))
        #expect(error?.hint.contains("--rollback") == false)
        rig.target.change { $0.failures["await"] = cut }
        let early = await rig.failure(DeploymentOptions(action))
        #expect(
            early?.what == "\(name) is in its place, but perhaps no companion runs now: the connection was lost")
    }

    @Test func `one that does not end is an error`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.answers["await"] = FakeTarget.answer("alive") }
        #expect(await rig.failure()?.what.contains("could not be ended: it still runs") == true)
        rig.target.change { $0.programs["stop"] = ProgramResult(status: 3, output: "", errors: "no answer\n") }
        #expect(await rig.failure()?.what.contains("could not be ended: no answer") == true)
    }

    @Test func `a companion for another vehicle of the same computer is left alone`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let report = try await rig.run { $0.vehicle = "uav2" }
        #expect(!report.hasRestarted && rig.target.asked.contains("flight"))
    }
}
