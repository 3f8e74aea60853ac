import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import Deployment

/// A deployment to a vehicle's computer that answers as the test says.
struct DeploymentRig {
    let target: FakeTarget
    let folder: TemporaryFolder
    let file: CompanionFile
    private let events = EventList()

    private final class EventList: Sendable {
        let all = Mutex<[DeploymentEvent]>([])
    }

    /// - Parameter program: the contents of the program on this machine.
    init(_ facts: String = SampleFacts().text, program: String = "#!/bin/sh\n") throws {
        target = FakeTarget(facts)
        folder = try TemporaryFolder()
        file = CompanionFile(path: try folder.write(program, to: "uavlink-companion"), bytes: Array(program.utf8))
    }

    var incoming: String { "incoming-\(file.checksum.prefix(12))" }
    var told: [DeploymentEvent] { events.all.withLock { $0 } }
    var steps: [String] { told.compactMap { if case .step(let text) = $0 { text } else { nil } } }

    /// Runs it for a vehicle whose profile is changed so.
    func run(
        _ options: DeploymentOptions = DeploymentOptions(), named: Bool = true,
        _ change: (inout VehicleProfile) -> Void = { _ in }
    ) async throws -> DeploymentReport {
        var profile = VehicleProfile(name: "hexa1")
        profile.host = "10.0.0.7"
        change(&profile)
        let deployment = Deployment(
            to: target, Deployment.Settings(profile, timeout: .seconds(15)),
            files: CompanionFiles(named: named ? file.path : nil, environment: [:], executable: nil),
            clock: FakeClock())
        let events = events
        defer {
            #expect(!target.isWatching, "the link that watches the vehicle is still open")
            #expect(target.doneWhileWatching.isEmpty)
        }
        return try await deployment.run(options) { event in events.all.withLock { $0.append(event) } }
    }

    /// The failure of a run.
    func failure(
        _ options: DeploymentOptions = DeploymentOptions(), named: Bool = true
    ) async -> DeploymentFailure? {
        do {
            _ = try await run(options, named: named)
            return nil
        } catch {
            return error as? DeploymentFailure
        }
    }
}

@Suite struct InstallationTests {
    @Test func `a companion is uploaded, checked, started and proved, in this order`() async throws {
        let rig = try DeploymentRig()
        let report = try await rig.run()
        #expect(
            rig.target.asked == [
                "facts", "flight", "prepare", "upload \(SampleFacts.folder)/\(rig.incoming)", "install \(rig.incoming)",
                "facts", "prove",
            ])
        #expect(report.version == "0.2.0" && report.name == SampleFacts.new && report.checksum == rig.file.checksum)
        #expect(report.upload?.bytes == rig.file.bytes.count && !report.hasRestarted && report.warnings.isEmpty)
        #expect(report.proof?.roundTrip == .milliseconds(2))
        #expect(report.lines.count == 1 && report.lines[0].contains("round trip 2.00 ms over udp"))
        let sizes = rig.told.compactMap { if case .uploaded(let bytes, _, _) = $0 { bytes } else { nil } }
        #expect(sizes.last == rig.file.bytes.count)
    }

    @Test func `the same program is not uploaded again`() async throws {
        let probe = try DeploymentRig()
        let name = "companion-0.2.0-\(probe.file.checksum.prefix(12))"
        let rig = try DeploymentRig(SampleFacts().deployed.with("stored \(name)").text)
        rig.target.change { $0.answers["install"] = FakeTarget.answer("name \(name)", "version 0.2.0") }
        let report = try await rig.run()
        #expect(rig.target.asked == ["facts", "flight", "prepare", "install \(name)", "facts", "prove"])
        #expect(report.upload == nil)
        // One whose contents have changed since is uploaded.
        rig.target.change { $0.answers["install"] = FakeTarget.answer("damaged \(name)") }
        let error = await rig.failure()
        #expect(error?.what.contains("checksum") == true)
        #expect(
            rig.target.asked.suffix(2) == ["upload \(SampleFacts.folder)/\(rig.incoming)", "install \(rig.incoming)"])
    }

    @Test(arguments: [
        ("system Darwin", "Darwin"), ("homeless", "no home"), ("blocked /home/mrs/.local", "place of a folder"),
        ("unwritable /home/mrs", "cannot write"), ("folder", "is a folder, or a link to one"),
        ("dangling /home/mrs/.local/lib/uavlink -> x", "leads nowhere"), ("mount rw,noexec", "noexec"),
        ("free 3", "free"), ("machine sparc64", "sparc64"),
    ])
    func `a computer that cannot have it is refused before anything is changed`(line: String, word: String) async throws
    {
        let rig = try DeploymentRig(SampleFacts().with(line).text)
        let error = await rig.failure(named: !line.hasPrefix("machine"))
        #expect(error?.what.contains(word) == true, "\(error as Any)")
        #expect(error?.hint.isEmpty == false)
        #expect(rig.target.asked == ["facts"])
    }

    @Test func `an answer that is none is an error with what the shell said`() async throws {
        let rig = try DeploymentRig("sh: permission denied\n")
        #expect(await rig.failure()?.what.contains("could not be examined: sh: permission denied") == true)
    }

    @Test func `a program for another architecture is refused`() async throws {
        let rig = try DeploymentRig(program: "\u{7F}ELF" + String(repeating: "\u{1}", count: 20))
        #expect(await rig.failure()?.what.contains("is built for another architecture") == true)
        #expect(rig.target.asked == ["facts"])
    }

    @Test(arguments: [
        (FlightCondition.airborne(.flying), false), (.flownByRadio, false), (.armed, true), (.mayBeFlownByRadio, true),
    ])
    func `a vehicle in the air or armed is left alone`(condition: FlightCondition, canBeForced: Bool) async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.flight = [condition] }
        let error = await rig.failure()
        #expect(rig.target.asked == ["facts", "flight"])
        #expect(error?.what.hasSuffix(": nothing was changed") == true)
        #expect(error?.hint.contains("--force") == canBeForced)
        let forced = await rig.failure(DeploymentOptions(isForced: true))
        #expect((forced == nil) == canBeForced)
    }

    @Test func `a companion of a vehicle whose state is not known is ended only by force`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change { $0.flight = [.unknown("no telemetry over udp")] }
        let error = await rig.failure()
        #expect(error?.what.contains("not known (no telemetry over udp): nothing was changed") == true)
        #expect(error?.hint.contains("--force") == true && !rig.target.asked.contains("prepare"))
        let report = try await rig.run(DeploymentOptions(isForced: true))
        #expect(report.hasRestarted && report.warnings.count == 1 && report.warnings[0].contains("not known"))
    }

    @Test func `what was assumed is said`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.flight = [.unknown("no ROS")] }
        let report = try await rig.run()
        #expect(report.warnings.count == 1 && report.warnings[0].contains("no ROS"))
    }

    @Test func `a pilot keeps the companion from being replaced, unless forced`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        rig.target.change {
            $0.programs["status"] = ProgramResult(
                status: 0, output: "hello\n{\"vehicle\": \"uav1\", \"pilot\": \"anna\"}\n")
        }
        #expect(await rig.failure()?.what == "anna has control authority over uav1: nothing was changed")
        #expect(!rig.target.asked.contains("prepare"))
        let report = try await rig.run(DeploymentOptions(isForced: true))
        #expect(report.hasRestarted && report.warnings.count == 1)
    }

    @Test func `an upload that was cut says how far it came, and changes nothing`() async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.uploadFailure = .link(LinkError(.notConnected, "the connection was lost")) }
        let error = await rig.failure()
        #expect(error?.what.hasPrefix("the upload ended after 0.0 MB of 0.0 MB: the connection was lost") == true)
        #expect(error?.hint.contains("nothing is deployed") == true)
        guard case .link(let link) = error, link.code == .notConnected else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(rig.target.asked.last?.hasPrefix("upload") == true)
        #expect(rig.told.contains(.uploadEnded))
    }

    @Test func `what another deployment did to an upload is called that`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.text)
        rig.target.change {
            $0.uploadFailure = .link(
                LinkError(
                    .remoteFailed, "the vehicle could not move x to y (no such file or directory)",
                    hint: "create the directory first"))
        }
        let error = await rig.failure()
        #expect(error?.what == "another deployment removed the upload")
        #expect(error?.hint.hasPrefix("what was deployed before is unchanged; repeat the command") == true)
    }

    @Test func `a stored program that another deployment removed is uploaded`() async throws {
        let probe = try DeploymentRig()
        let name = "companion-0.2.0-\(probe.file.checksum.prefix(12))"
        let rig = try DeploymentRig(SampleFacts().deployed.with("stored \(name)").text)
        rig.target.change { $0.answers["install"] = FakeTarget.answer("gone \(name)") }
        #expect(await rig.failure()?.what == "another deployment removed the upload")
        #expect(rig.target.asked.last == "install \(rig.incoming)")
    }

    @Test(arguments: [
        ("broken 126 sh: 1: /x: Permission denied", "Permission denied"), ("broken 0 hello", "hello"),
        ("broken 139 ", "(exit status 139: signal 11, SIGSEGV): it printed nothing"),
        ("hung 5", "did not end within 5 s when it was asked for its version: nothing was changed"),
        ("gone incoming-1", "another deployment removed the upload"),
        ("busy process 7, for 3 s", "another deployment is under way on the vehicle (process 7, for 3 s)"),
        ("damaged incoming-1", "checksum"), ("failed original", "original"), ("name ../../x", "no reason given"),
    ])
    func `a program that does not run there is not switched to`(answer: String, word: String) async throws {
        let rig = try DeploymentRig()
        rig.target.change { $0.answers["install"] = FakeTarget.answer(answer) }
        let error = await rig.failure()
        #expect(error?.what.contains(word) == true, "\(error as Any)")
        #expect(!rig.target.asked.contains("prove"))
    }

    @Test func `without a channel it says so, and how to go back`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.text)
        rig.target.change {
            $0.answers["install"] = FakeTarget.answer(
                "name \(SampleFacts.new)", "version 0.2.0", "previous \(SampleFacts.old)")
            $0.proof = .failure(.link(LinkError(.timedOut, "no answer", hint: "is a firewall in the way?")))
        }
        let error = await rig.failure()
        #expect(error?.what == "\(SampleFacts.new) is deployed, but the channel to it could not be opened: no answer")
        #expect(error?.hint == "is a firewall in the way?; 'uavlink deploy hexa1 --rollback' returns to the one before")
    }

    @Test func `a dry run only looks`() async throws {
        let rig = try DeploymentRig(SampleFacts().deployed.running().text)
        let report = try await rig.run(DeploymentOptions(isDryRun: true))
        #expect(
            rig.target.asked == [
                "facts", "flight of a companion", "\(SampleFacts.home)/.local/bin/uavlink-companion status",
            ])
        #expect(
            report.steps.suffix(4) == [
                "keep \(SampleFacts.old) for --rollback", "remove \(SampleFacts.older)",
                "restart the running companion (process 4711)", "open the channel and measure a round trip",
            ])
        #expect(report.lines.contains { $0.contains("nothing was changed") })
    }

    @Test func `a profile that names another program is warned of`() async throws {
        let rig = try DeploymentRig()
        let report = try await rig.run { $0.companion = "/opt/uavlink-companion" }
        #expect(report.warnings.count == 1 && report.warnings[0].contains("/opt/uavlink-companion"))
        #expect(try await rig.run { $0.companion = VehicleProfile.deployedCompanion }.warnings.isEmpty)
    }
}
