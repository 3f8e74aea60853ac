import Testing
import UAVLink

@testable import Deployment

/// What was started while a program was uploaded is ended by the same rules as what ran before.
@Suite struct SecondLookTests {
    private let deployed = "~/.local/bin/uavlink-companion"
    private let wanted = DeploymentOptions(wantsService: true)
    private let nobody = ProgramResult(status: 0, output: "{\"vehicle\": \"uav1\", \"pilot\": null}\n")
    private let anna = ProgramResult(status: 0, output: "{\"vehicle\": \"uav1\", \"pilot\": \"anna\"}\n")

    /// Our service is enabled and stopped.
    private let stopped = SampleFacts().with("manager user").deployed.with("unit ours uav1", "lingers")
    private var started: SampleFacts { stopped.running(unit: ServiceUnit.name) }

    private func expectNothingEnded(_ rig: DeploymentRig, _ place: SourceLocation = #_sourceLocation) {
        let ending = ["service", "restart", "remove", "\(deployed) stop"]
        #expect(!rig.target.asked.contains { ending.contains($0) }, "\(rig.target.asked)", sourceLocation: place)
    }

    // MARK: A service that was started meanwhile

    @Test(arguments: [FlightCondition.airborne(.flying), .flownByRadio], [true, false])
    func `one whose vehicle flies is not ended, whoever forces it`(
        condition: FlightCondition, isForced: Bool
    ) async throws {
        for wantsService in [true, false] {
            let rig = try DeploymentRig()
            rig.target.change {
                $0.looks = [stopped.text, started.text]
                $0.flight = [.onGround, condition]
            }
            let error = await rig.failure(DeploymentOptions(isForced: isForced, wantsService: wantsService))
            let what = try #require(condition.obstacle(of: "uav1", endsCompanion: true)?.what)
            #expect(error?.what == "\(what): the running companion was not restarted")
            #expect(error?.hint.hasSuffix("; the deployed one is used from its next start on") == true)
            expectNothingEnded(rig)
        }
    }

    @Test func `one whose vehicle's state is not known is ended only by force`() async throws {
        let rig = try DeploymentRig()
        let change: (inout FakeTarget.State) -> Void = {
            $0.looks = [stopped.text, started.text]
            $0.flight = [.unknown("no ROS")]
        }
        rig.target.change(change)
        let error = await rig.failure(wanted)
        #expect(error?.what == "whether uav1 flies is not known (no ROS): the running companion was not restarted")
        expectNothingEnded(rig)
        rig.target.change(change)
        let report = try await rig.run(DeploymentOptions(isForced: true, wantsService: true))
        #expect(report.hasRestarted && report.warnings.contains("whether uav1 flies is not known (no ROS)"))
    }

    @Test func `one with a pilot is ended only by force`() async throws {
        let rig = try DeploymentRig()
        rig.target.change {
            $0.looks = [stopped.text, started.text]
            $0.statuses = [anna]
        }
        let error = await rig.failure(wanted)
        #expect(error?.what == "anna has control authority over uav1: the running companion was not restarted")
        expectNothingEnded(rig)
        rig.target.change {
            $0.looks = [stopped.text, started.text]
            $0.statuses = [anna]
        }
        let report = try await rig.run(DeploymentOptions(isForced: true, wantsService: true))
        #expect(report.hasRestarted && report.warnings == ["anna has control authority over uav1"])
    }

    @Test func `one on the ground is restarted, after one more look at all that runs`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.looks = [stopped.text, started.text] }
        let report = try await rig.run(wanted)
        #expect(
            rig.target.asked.suffix(6) == [
                "variables", "facts", "flight of a companion",
                "\(SampleFacts.home)/.local/bin/uavlink-companion status", "service", "prove",
            ], "\(rig.target.asked)")
        #expect(rig.target.asked.filter { $0 == "facts" }.count == 2)
        // The report says what was there before.
        #expect(report.hasRestarted && report.facts.running.isEmpty)
    }

    // MARK: A companion of somebody else

    @Test(arguments: [
        ("other", "-", "another user's process 4711"),
        ("own", "uavlink-companion@mrs.service", "the service uavlink-companion@mrs.service"),
    ])
    func `one that was started meanwhile is not ended for a service`(
        owner: String, unit: String, words: String
    ) async throws {
        let rig = try DeploymentRig()
        let foreign = stopped.running("/usr/local/bin/uavlink-companion", owner: owner, unit: unit)
        rig.target.change { $0.looks = [stopped.text, foreign.text] }
        let error = await rig.failure(DeploymentOptions(isForced: true, wantsService: true))
        #expect(
            error?.what
                == "the running companion is \(words): a second one cannot serve uav1; "
                + "the running companion was not restarted")
        #expect(error?.hint.hasPrefix("when the vehicle is on the ground, end it") == true)
        expectNothingEnded(rig)
        // Without a service it stays, and that is said, as where it ran before.
        rig.target.change { $0.looks = [stopped.text, foreign.text] }
        let report = try await rig.run()
        #expect(!report.hasRestarted && report.warnings.contains { $0.contains("it was not restarted") })
        expectNothingEnded(rig)
    }

    @Test func `it is not ended either where the service manager has gone meanwhile`() async throws {
        let rig = try DeploymentRig()
        let foreign = SampleFacts().deployed.running("/usr/local/bin/uavlink-companion", owner: "other")
        rig.target.change { $0.looks = [stopped.text, foreign.text] }
        let report = try await rig.run(wanted)
        #expect(report.service == "printed" && !report.hasRestarted)
        expectNothingEnded(rig)
    }

    @Test func `a unit that another vehicle got meanwhile is not replaced`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.looks = [stopped.text, stopped.with("unit ours uav2").text] }
        #expect(await rig.failure(wanted)?.what.contains("is the service of uav2, not of uav1") == true)
        expectNothingEnded(rig)
    }

    // MARK: A companion that was started on demand meanwhile, or has ended

    @Test(arguments: [DeploymentOptions.Action.install, .rollBack])
    func `one of the program before is ended on the ground only`(action: DeploymentOptions.Action) async throws {
        let rig = try DeploymentRig()
        rig.target.change {
            $0.looks = [SampleFacts().deployed.text, SampleFacts().deployed.running().text]
            $0.flight = [.onGround, .airborne(.takingOff)]
        }
        let error = await rig.failure(DeploymentOptions(action, isForced: true))
        #expect(error?.what.hasSuffix("the running companion was not restarted") == true)
        expectNothingEnded(rig)
        rig.target.change {
            $0.looks = [SampleFacts().deployed.text, SampleFacts().deployed.running().text]
            $0.flight = [.onGround]
        }
        let report = try await rig.run(DeploymentOptions(action))
        #expect(report.hasRestarted && rig.target.asked.suffix(3) == ["\(deployed) stop", "await 4711", "prove"])
    }

    @Test func `one of the deployed program stays`() async throws {
        let rig = try DeploymentRig()
        let new = SampleFacts().deployed.running("\(SampleFacts.folder)/\(SampleFacts.new)")
        rig.target.change { $0.looks = [SampleFacts().deployed.text, new.text] }
        #expect(try await !rig.run().hasRestarted)
        expectNothingEnded(rig)
    }

    @Test func `one that has ended meanwhile needs no end`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.looks = [SampleFacts().deployed.running().text, SampleFacts().deployed.text] }
        #expect(try await !rig.run().hasRestarted)
        #expect(rig.target.asked.suffix(2) == ["facts", "prove"])
        expectNothingEnded(rig)
    }

    @Test func `without a second look nothing is ended`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.looks = [SampleFacts().deployed.running().text, "sh: out of memory\n"] }
        let error = await rig.failure(DeploymentOptions(isForced: true))
        #expect(
            error?.what
                == "the running companion was not restarted: the vehicle's computer could not be examined: "
                + "sh: out of memory")
        #expect(error?.hint.hasSuffix("; the deployed one is used from its next start on") == true)
        expectNothingEnded(rig)
    }

    // MARK: A removal

    @Test func `a companion that was started since is not ended by a removal in the air`() async throws {
        for after in [SampleFacts().deployed.running(), started] {
            let rig = try DeploymentRig()
            rig.target.change {
                $0.looks = [stopped.text, after.text]
                $0.flight = [.onGround, .airborne(.flying)]
            }
            let error = await rig.failure(DeploymentOptions(.remove, isForced: true))
            #expect(error?.what == "uav1 flies (flying): nothing was changed")
            expectNothingEnded(rig)
        }
    }

    @Test func `it is ended by a removal on the ground, and a pilot keeps it`() async throws {
        let rig = try DeploymentRig()
        rig.target.change {
            $0.looks = [SampleFacts().deployed.text, SampleFacts().deployed.running().text]
            $0.statuses = [anna]
        }
        let error = await rig.failure(DeploymentOptions(.remove))
        #expect(error?.what == "anna has control authority over uav1: nothing was changed")
        expectNothingEnded(rig)
        rig.target.change {
            $0.looks = [SampleFacts().deployed.text, SampleFacts().deployed.running().text]
            $0.statuses = [nobody]
        }
        let report = try await rig.run(DeploymentOptions(.remove))
        #expect(rig.target.asked.suffix(3) == ["\(deployed) stop", "await 4711", "remove"])
        #expect(report.steps.first == "end the companion (process 4711)")
    }

    @Test func `a companion of another vehicle that was started since keeps what it runs from`() async throws {
        let rig = try DeploymentRig()
        let other = SampleFacts().deployed.with(
            "running 4712 own - uav2 \(SampleFacts.folder)/\(SampleFacts.old)")
        rig.target.change { $0.looks = [SampleFacts().deployed.text, other.text] }
        #expect(await rig.failure(DeploymentOptions(.remove))?.what.contains("uav2 (process 4712)") == true)
        expectNothingEnded(rig)
    }
}
