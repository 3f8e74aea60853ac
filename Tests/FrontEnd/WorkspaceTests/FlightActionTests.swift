import FlightControl
import FlightRecorder
import IntegrationKit
@testable import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
@testable import Workspace

@MainActor
@Suite("Flight commands of the palette")
struct FlightActionTests {
    let timeSource = FakeTimeSource()
    private let fleet: Fleet
    let view = FakeWorkspaceView()
    private let log = WorkspaceTests.StopLog()

    init() { fleet = Fleet(timeSource: timeSource) }

    func build(_ recordings: Recordings? = nil) -> WorkspaceBuilder.Workspace {
        let log = log
        let builder = WorkspaceBuilder(
            .init(fleet: fleet, timeSource: timeSource, recordings: recordings) { mode, _ in
                ModeInstance(mode, view: PlainView(), onStop: { log.stops.append($0) }, onDetach: {})
            })
        let workspace = builder.build { _ in view }
        workspace.stage.open(.menu)
        return workspace
    }

    func add(_ vehicle: FakeVehicle) async throws -> FakeLink {
        let link = FakeLink(vehicle, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        return link
    }

    private var flying: FakeVehicle {
        var vehicle = FakeVehicle()
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] { _ = vehicle.handle(command) }
        for _ in 0..<100 { vehicle.step(seconds: 0.1) }
        return vehicle
    }

    /// Lets time pass until a notice is shown.
    private func notice() async -> Notice? {
        _ = await timeSource.fake.run { view.shown.notice != nil }
        return view.shown.notice
    }

    @Test("a goto ends steering, shows what is waited for, and says where it arrived")
    func goto() async throws {
        let link = try await add(flying)
        let workspace = build()
        workspace.presenter.handle(
            .fly(.goTo(GoalInput(reference: .frame(.current), position: Vector3(x: 4, y: 0, z: 2), headingRadians: 0))))
        #expect(view.shown.activity == "goto" && view.shown.notice == nil)
        #expect(await notice()?.text.contains("goto arrived at 4.0 0.0 2.0") == true)
        #expect(view.shown.notice?.weight == .success)
        #expect(await timeSource.fake.run { view.shown.activity == nil })
        #expect(
            link.asked == [
                .command(.goTo(.init(.frame(.current), position: Vector3(x: 4, y: 0, z: 2), headingRadians: 0)))
            ])
        guard case .command(.goTo)? = log.stops.first, log.stops.count == 1 else {
            Issue.record("steering was not ended for the goto: \(log.stops)")
            return
        }
    }

    @Test("a newer goto replaces an older one, without a word of failure")
    func replaced() async throws {
        let link = try await add(flying)
        let workspace = build()
        func go(_ x: Double) {
            workspace.presenter.handle(
                .fly(
                    .goTo(
                        GoalInput(reference: .frame(.current), position: Vector3(x: x, y: 0, z: 2), headingRadians: 0)))
            )
        }
        go(100)
        await timeSource.beat(.seconds(1))
        go(-2)
        #expect(await notice()?.text.contains("goto arrived at -2.0 0.0 2.0") == true)
        #expect(link.asked.count == 2 && view.shown.history.count == 1)
    }

    @Test func `the answer to a stop says which flight it ends`() async throws {
        _ = try await add(flying)
        let workspace = build()
        let far = GoalInput(reference: .frame(.current), position: Vector3(x: 100, y: 0, z: 2), headingRadians: 0)
        workspace.presenter.handle(.fly(.goTo(far)))
        await timeSource.beat(.seconds(1))
        workspace.presenter.handle(.hover)
        #expect(await timeSource.fake.run { view.shown.notice?.text.hasSuffix("; it ends the goto") == true })
        #expect(view.shown.notice?.weight == .success)
    }

    @Test(
        "what moves far or stops motors is asked first",
        arguments: [FlightAction.takeOff, .landHome])
    func asked(_ action: FlightAction) async throws {
        let link = try await add(FakeVehicle())
        let workspace = build()
        workspace.presenter.handle(.fly(action))
        #expect(view.shown.confirmation?.question == .fly(action))
        workspace.presenter.handle(.decline)
        await settle()
        #expect(link.asked.isEmpty && log.stops.isEmpty)
        workspace.presenter.handle(.fly(action))
        workspace.presenter.handle(.confirm)
        #expect(await notice() != nil)
        #expect(log.stops == [.command(action.command)])
    }

    @Test func `disarming is asked about, and not of a vehicle whose motors are off`() async throws {
        let link = try await add(FakeVehicle())
        let workspace = build()
        workspace.presenter.handle(.fly(.disarm))
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "hexa:uav1: the motors are off already")
        _ = try await link.perform(.arm(true), within: .seconds(1))
        _ = try await link.perform(.offboard, within: .seconds(1))
        #expect(await timeSource.fake.run { link.latestTelemetry?.flight?.value.isOffboard == true })
        workspace.presenter.handle(.fly(.disarm))
        #expect(view.shown.confirmation?.question == .fly(.disarm))
        workspace.presenter.handle(.decline)
        await settle()
        #expect(log.stops.isEmpty)
        workspace.presenter.handle(.fly(.disarm))
        workspace.presenter.handle(.confirm)
        #expect(await timeSource.fake.run { link.asked.last == .command(.arm(false)) })
        #expect(log.stops == [.command(.arm(false))])
    }

    @Test("a vehicle in the air is not disarmed, and not taken off again")
    func inTheAir() async throws {
        let link = try await add(flying)
        let workspace = build()
        workspace.presenter.handle(.fly(.takeOff))
        #expect(view.shown.confirmation == nil && view.shown.notice?.text.contains("already in the air") == true)
        workspace.presenter.handle(.fly(.disarm))
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text.contains("it falls") == true)
        #expect(link.asked.isEmpty)
    }

    @Test("without a vehicle nothing is sent, and a mode that it cannot be used with is not opened")
    func lacks() {
        let workspace = build()
        workspace.presenter.handle(.fly(.land))
        #expect(view.shown.notice?.text == "no vehicle is logged in")
        workspace.presenter.handle(.record(""))
        #expect(view.shown.notice?.text == "no vehicle is logged in" && !view.shown.history.isEmpty)
        workspace.presenter.handle(.open(.telemetry))
        #expect(view.shown.mode == .telemetry)
    }

    @Test("a recording is started and stopped, and names its file")
    func record() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: nil, clock: timeSource.fake)
        let link = FakeLink(flying, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(
            profile: VehicleProfile(name: "hexa"),
            link: try recordings.around(link, vehicle: VehicleProfile(name: "hexa").vehicle))
        let workspace = build(recordings)
        #expect(view.shown.vehicle?.isRecorded == false)
        workspace.presenter.handle(.record(folder.file("f.bag")))
        #expect(view.shown.vehicle?.isRecorded == true)
        #expect(view.shown.notice?.text.contains(folder.file("f.bag")) == true)
        workspace.presenter.handle(.record(""))
        #expect(view.shown.notice?.text.contains("is already being recorded") == true)
        workspace.presenter.handle(.stopRecording)
        _ = await timeSource.fake.run { view.shown.notice?.weight == .success }
        #expect(view.shown.notice?.text.contains("messages in \(folder.file("f.bag"))") == true)
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.isRecorded == false)
        workspace.presenter.handle(.stopRecording)
        _ = await timeSource.fake.run { view.shown.notice?.weight == .warning }
        #expect(view.shown.notice?.text == "no recording is running")
    }

    @Test("a path at which no recording can be created stays in the palette, with the reason, until one can")
    func refusedPath() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: nil, clock: timeSource.fake)
        let link = FakeLink(flying, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(
            profile: VehicleProfile(name: "hexa"),
            link: try recordings.around(link, vehicle: VehicleProfile(name: "hexa").vehicle))
        let workspace = build(recordings)
        let wrong = folder.file("none/f.bag")
        for number in 1...2 {
            workspace.presenter.handle(.record(wrong))
            #expect(view.shown.refusedLine?.text == "record \(wrong)" && view.shown.refusedLine?.number == number)
            #expect(view.shown.refusedLine?.reason.contains("none/f.bag") == true)
            #expect(view.shown.notice == nil && view.shown.vehicle?.isRecorded == false)
        }
        workspace.presenter.handle(.record(folder.file("f.bag")))
        #expect(view.shown.refusedLine == nil && view.shown.vehicle?.isRecorded == true)
        workspace.presenter.handle(.stopRecording)
        _ = await timeSource.fake.run { view.shown.notice?.text.contains("messages in") == true }
    }

    @Test("a lost link and a low battery ring the bell")
    func rings() async throws {
        let link = try await add(flying)
        let workspace = build()
        #expect(view.rings == 0)
        var quality = link.quality
        quality.isConnected = false
        link.setQuality(quality)
        workspace.presenter.refresh()
        #expect(view.rings == 1 && view.shown.notice?.text == "hexa:uav1: link lost")
        quality.isConnected = true
        link.setQuality(quality)
        workspace.presenter.refresh()
        #expect(view.rings == 1 && view.shown.notice?.text == "hexa:uav1: link restored")
    }
}

extension FlightActionTests {
    @Test(
        "what is typed reaches the vehicle as it was meant",
        arguments: [
            (FlightAction.altitude(3), Command.altitude(metres: 3)), (.heading(.pi / 2), .heading(radians: .pi / 2)),
            (.land, .land),
        ])
    func sent(_ action: FlightAction, _ command: Command) async throws {
        let link = try await add(flying)
        let workspace = build()
        workspace.presenter.handle(.fly(action))
        #expect(await timeSource.fake.run { !link.asked.isEmpty })
        #expect(link.asked == [.command(command)] && log.stops == [.command(command)])
        #expect(view.shown.confirmation == nil)
    }

    @Test("a new height is waited for, and how long it took is said")
    func altitude() async throws {
        _ = try await add(flying)
        let workspace = build()
        workspace.presenter.handle(.fly(.altitude(3)))
        #expect(await notice()?.text.contains("altitude reached after ") == true)
        #expect(view.shown.notice?.weight == .success)
    }

    @Test("telemetry of long ago, or of a lost link, does not show that motors run")
    func oldTelemetry() async throws {
        let link = try await add(FakeVehicle())
        let workspace = build()
        // In offboard mode nobody can be flying it by radio, which would be an obstacle.
        for step in [Command.arm(true), .offboard] { _ = try await link.perform(step, within: .seconds(1)) }
        #expect(await timeSource.fake.run { link.latestTelemetry?.flight?.value.isOffboard == true })
        func title() -> String? {
            workspace.presenter.handle(.fly(.takeOff))
            defer { workspace.presenter.handle(.decline) }
            return view.shown.confirmation?.title
        }
        #expect(title() == "Take off with hexa:uav1?")
        let quality = link.quality
        var lost = quality
        lost.isConnected = false
        link.setQuality(lost)
        #expect(title() == "Arm the motors of hexa:uav1 and take off?")
        link.setQuality(quality)
        #expect(title() == "Take off with hexa:uav1?")
        link.setVehicleSilent(true)
        await timeSource.fake.run(for: .seconds(3))
        #expect(link.latestTelemetry?.flight?.value.isArmed == true)
        #expect(title() == "Arm the motors of hexa:uav1 and take off?")
    }

    @Test("a stop ends a take-off whose steps are not all sent, from whatever screen it was begun")
    func stopEndsTakeOff() async throws {
        let link = try await add(FakeVehicle())
        let workspace = build()
        workspace.presenter.handle(.fly(.takeOff))
        workspace.presenter.handle(.confirm)
        workspace.presenter.handle(.hover)
        _ = await timeSource.fake.run { view.shown.activity == nil }
        await timeSource.fake.run(for: .seconds(20))
        #expect(!link.asked.contains(.command(.takeoff)), "\(link.asked)")
        #expect(link.asked.contains(.command(.hover)))
    }
}
