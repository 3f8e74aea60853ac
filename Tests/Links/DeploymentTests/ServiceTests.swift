import Testing
import UAVLink
import VehicleAccess

@testable import Deployment

@Suite struct ServiceTests {
    private let deployed = "~/.local/bin/uavlink-companion"
    private let found = "\(SampleFacts.home)/.local/bin/uavlink-companion"
    private let wanted = DeploymentOptions(wantsService: true)

    private let service = SampleFacts().with("manager user").deployed

    @Test func `a service is written, enabled and started`() async throws {
        let rig = try DeploymentRig(service.running().text)
        rig.target.change {
            $0.programs["variables"] = ProgramResult(status: 0, output: "uavlink variable ROS_IP=10.0.0.7\n")
        }
        let report = try await rig.run(DeploymentOptions(wantsService: true))
        #expect(
            rig.target.asked.suffix(8) == [
                "variables", "facts", "flight of a companion", "\(found) status", "\(deployed) stop", "await 4711",
                "service", "prove",
            ], "\(rig.target.asked)")
        #expect(report.service == "enabled" && report.warnings.contains { $0.contains("enable-linger mrs") })
    }

    @Test func `a service that runs is restarted by its manager`() async throws {
        let rig = try DeploymentRig(service.running(unit: ServiceUnit.name).with("unit ours uav1", "lingers").text)
        let report = try await rig.run()
        #expect(rig.target.asked.suffix(2) == ["restart", "prove"] && report.hasRestarted)
        rig.target.change { $0.answers["restart"] = FakeTarget.answer("failed Job failed") }
        #expect(await rig.failure()?.what == "the service did not start: Job failed")
    }

    @Test func `while another deployment changes the home, the service is left, and what is in its place is said`()
        async throws
    {
        let running = service.running(unit: ServiceUnit.name).with("unit ours uav1")
        for (name, options) in [("restart", DeploymentOptions()), ("service", wanted)] {
            let rig = try DeploymentRig(running.text)
            rig.target.change { $0.answers[name] = FakeTarget.answer("busy process 7, for 3 s") }
            let failure = try #require(await rig.failure(options))
            #expect(failure.what.hasPrefix("another deployment is under way on the vehicle (process 7, for 3 s)"))
            #expect(failure.hint.hasSuffix("the deployed one is used from its next start on"), "\(failure.hint)")
            #expect(rig.target.asked.last == name)
        }
    }

    @Test(arguments: [nil, "absent no bus"])
    func `without a service manager the unit for the system is printed`(answer: String?) async throws {
        let rig = try DeploymentRig(answer == nil ? SampleFacts().text : service.text)
        if let answer { rig.target.change { $0.answers["service"] = FakeTarget.answer(answer) } }
        let report = try await rig.run(DeploymentOptions(wantsService: true))
        #expect(report.service == "printed" && report.instructions.contains("[Install]"))
        #expect(rig.target.asked.last == "prove")
    }

    @Test func `a service is looked at again too`() async throws {
        let facts = service.running(unit: ServiceUnit.name).with("unit ours uav1")
        for options in [DeploymentOptions(), DeploymentOptions(wantsService: true)] {
            let rig = try DeploymentRig(facts.text)
            rig.target.change { $0.flight = [.onGround, .airborne(.flying)] }
            #expect(await rig.failure(options)?.what.hasSuffix("was not restarted") == true)
            #expect(!rig.target.asked.contains("restart") && !rig.target.asked.contains("service"))
        }
    }

    // MARK: Refused before anything is changed

    @Test func `a unit of another origin`() async throws {
        let rig = try DeploymentRig(service.with("unit foreign").text)
        #expect(await rig.failure(wanted)?.what.contains("not written by") == true)
        #expect(rig.target.asked == ["facts"])
    }

    @Test(arguments: [("unit ours uav2", "is the service of uav2, not of uav1"), ("unit ours", "does not say")])
    func `a unit of another vehicle, which may fly`(line: String, words: String) async throws {
        let rig = try DeploymentRig(service.with(line).text)
        for options in [
            wanted, DeploymentOptions(isForced: true, wantsService: true), DeploymentOptions(.remove, isForced: true),
        ] {
            let error = await rig.failure(options)
            #expect(error?.what.contains(words) == true, "\(error as Any)")
            #expect(error?.hint.isEmpty == false)
        }
        #expect(Set(rig.target.asked) == ["facts"])
        // Without the service the unit is not touched.
        #expect(await rig.failure() == nil)
        #expect(!rig.target.asked.contains("service") && !rig.target.asked.contains("restart"))
    }

    @Test func `a unit that another vehicle got meanwhile`() async throws {
        for (script, options) in [("service", wanted), ("remove", DeploymentOptions(.remove))] {
            let rig = try DeploymentRig(service.text)
            rig.target.change { $0.answers[script] = FakeTarget.answer("other uav2") }
            #expect(await rig.failure(options)?.what.contains("is the service of uav2, not of uav1") == true)
        }
    }

    @Test(arguments: [
        ("other", "-", "another user's process 4711"),
        ("own", "mrs-companion.service", "the service mrs-companion.service"),
        ("own", ServiceUnit.name, "the service \(ServiceUnit.name)"),
    ])
    func `a companion of somebody else`(owner: String, unit: String, words: String) async throws {
        let program = "\(SampleFacts.folder)/\(SampleFacts.new)"
        let rig = try DeploymentRig(service.running(program, owner: owner, unit: unit).text)
        let error = await rig.failure(wanted)
        #expect(error?.what.contains("\(words): a second one cannot serve uav1") == true, "\(error as Any)")
        #expect(rig.target.asked == ["facts"])
    }

    @Test(arguments: ["m rs", "mrs;reboot", "-mrs", "m$(id)"])
    func `a user whose name cannot be part of a command for root`(name: String) async throws {
        for facts in [SampleFacts(), service] {
            let rig = try DeploymentRig(facts.with("user \(name)").text)
            let error = await rig.failure(wanted)
            #expect(error?.what.contains("the user's name '\(name)'") == true && error?.hint.isEmpty == false)
            #expect(rig.target.asked == ["facts"])
            #expect(await rig.failure() == nil)
        }
    }
}
