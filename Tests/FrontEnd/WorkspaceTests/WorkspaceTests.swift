import FlightControl
import ModeKit
import Workspace
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
final class FakeWorkspaceView: WorkspaceView {
    var shown = WorkspaceState()
    var put: [any ModeView] = []
    var hasEnded = false
    var rings = 0
    func show(_ state: WorkspaceState) { shown = state }
    func put(_ view: any ModeView) { put.append(view) }
    func ring() { rings += 1 }
    func end() { hasEnded = true }
}

@MainActor
final class PlainView: ModeView {}

@MainActor
@Suite("The frame around every screen")
struct WorkspaceTests {
    let timeSource = FakeTimeSource()
    let fleet: Fleet
    let view = FakeWorkspaceView()
    let log = StopLog()

    @MainActor
    final class StopLog {
        var stops: [StopCause] = []
        var detached = 0
    }

    init() { fleet = Fleet(timeSource: timeSource) }

    func build(losses: [String] = []) -> WorkspaceBuilder.Workspace {
        let log = log
        let builder = WorkspaceBuilder(
            .init(fleet: fleet, timeSource: timeSource, losses: { losses }) { mode, _ in
                ModeInstance(mode, view: PlainView(), onStop: { log.stops.append($0) }, onDetach: { log.detached += 1 })
            })
        return builder.build { _ in view }
    }

    func connected(_ vehicle: FakeVehicle = FakeVehicle()) async throws -> FakeLink {
        let link = FakeLink(vehicle, clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        return link
    }

    @Test("hover goes out at once, stops what the mode moves, and its answer is said")
    func hover() async throws {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.hover)
        #expect(log.stops == [.user])
        await settle()
        #expect(link.asked == [.command(.hover)])
        #expect(view.shown.notice?.text.contains("hover") == true)
        #expect(view.shown.notice?.weight != .information)
    }

    @Test("that the companion which runs is of another version is said once, and again of another companion")
    func companionOfAnotherVersion() async throws {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        #expect(view.shown.notice == nil)
        var quality = link.quality
        quality.companionVersion = "0.0.1"
        link.setQuality(quality)
        workspace.presenter.refresh()
        #expect(view.shown.notice?.weight == .warning)
        #expect(view.shown.notice?.text.contains(": the running companion is version 0.0.1") == true)
        timeSource.fake.advance(by: .seconds(9))
        workspace.presenter.refresh()
        workspace.presenter.refresh()
        #expect(view.shown.notice == nil)
        quality.companionVersion = ""
        link.setQuality(quality)
        workspace.presenter.refresh()
        #expect(view.shown.notice?.text.contains("older than this program") == true)
    }

    @Test("an emergency landing is asked for first; no leaves everything as it is")
    func emergencyLand() async throws {
        let link = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation?.question == .emergencyLand)
        workspace.presenter.handle(.decline)
        await settle()
        #expect(link.asked.isEmpty)
        #expect(view.shown.confirmation == nil)
        workspace.presenter.handle(.emergencyLand)
        workspace.presenter.handle(.confirm)
        await settle()
        #expect(link.asked == [.command(.emergencyLand)])
        #expect(log.stops == [.user])
    }

    @Test("on the ground, with its motors off, an emergency landing is not asked for; in doubt it is")
    func emergencyLandOnTheGround() async throws {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        #expect(await hears(link) { $0.flight?.value.state == .disarmed })
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "hexa:uav1: on the ground with its motors off, nothing to land")
        link.setVehicleSilent(true)
        await timeSource.beat(.seconds(3))
        workspace.presenter.handle(.emergencyLand)
        #expect(view.shown.confirmation?.question == .emergencyLand)
        await settle()
        #expect(link.asked.isEmpty)
    }

    // MARK: Command of the vehicle

    @Test("commands go to all vehicles only after a question, and to one again without")
    func commandAll() async throws {
        let (first, second) = (try await connected(), try await connected())
        fleet.add(profile: VehicleProfile(name: "a"), link: first)
        let workspace = build()
        workspace.presenter.handle(.commandAll)
        #expect(view.shown.confirmation == nil)
        fleet.add(profile: VehicleProfile(name: "b"), link: second)
        workspace.presenter.handle(.commandAll)
        #expect(!fleet.commandsAll)
        workspace.presenter.handle(.confirm)
        #expect(view.shown.commandsAll)
        workspace.presenter.handle(.hover)
        await settle()
        #expect(first.asked == [.command(.hover)])
        #expect(second.asked == [.command(.hover)])
        workspace.presenter.handle(.commandAll)
        workspace.presenter.handle(.hover)
        await settle()
        #expect(first.asked.count == 1)
        #expect(second.asked.count == 2)
    }

    @Test("the next vehicle is selected, and what moved is stopped first")
    func nextVehicle() async throws {
        fleet.add(profile: VehicleProfile(name: "a"), link: try await connected())
        fleet.add(profile: VehicleProfile(name: "b"), link: try await connected())
        let workspace = build()
        workspace.stage.open(.menu)
        #expect(view.shown.vehicle?.position == "2/2")
        workspace.presenter.handle(.nextVehicle)
        #expect(view.shown.vehicle?.position == "1/2")
        #expect(view.shown.vehicle?.title == "a:uav1")
        #expect(log.stops == [.otherVehicle])
    }

    @Test("quitting with a vehicle in the air is asked for; on the ground it is not")
    func quitting() async throws {
        let link = try await connected(.flying)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        #expect(await hears(link) { $0.flight?.value.state == .flying })
        workspace.stage.quit()
        #expect(view.shown.confirmation?.question == .quit)
        workspace.presenter.handle(.decline)
        #expect(!view.hasEnded)
        workspace.stage.quit()
        workspace.presenter.handle(.confirm)
        #expect(view.hasEnded)
        view.hasEnded = false
        await fleet.remove(try #require(fleet.selectedID))
        fleet.add(profile: VehicleProfile(name: "grounded"), link: try await connected())
        let another = build()
        another.stage.quit()
        #expect(view.shown.confirmation == nil)
        #expect(view.hasEnded)
    }

    @Test("quitting with a route that no file has is asked for, Ctrl-C too")
    func quittingWithoutSaving() async throws {
        let workspace = build(losses: ["the map's route of 3 points, not saved"])
        workspace.presenter.handle(.quit)
        #expect(view.shown.confirmation?.title == "Quit")
        #expect(view.shown.confirmation?.text == "Lost when you quit: the map's route of 3 points, not saved.")
        workspace.presenter.handle(.decline)
        #expect(!view.hasEnded)
        workspace.presenter.handle(.quit)
        workspace.presenter.handle(.confirm)
        #expect(view.hasEnded)
    }

    func hears(_ link: FakeLink, _ isSo: (Telemetry) -> Bool) async -> Bool {
        for _ in 0..<50 {
            if let telemetry = link.latestTelemetry, isSo(telemetry) { return true }
            await timeSource.beat(.milliseconds(20))
        }
        return false
    }

    @Test("a terminal that stops sending and a program that is suspended stop what the mode moves")
    func outsideStops() {
        let workspace = build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.terminalSilent)
        workspace.presenter.handle(.suspend)
        #expect(log.stops == [.terminalSilent, .suspended])
    }

    @Test("where the vehicle's end decides who flies, setpoints that it does not take are no control")
    func controlThatIsLost() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        await timeSource.beat()
        link.set(pilot: "anna", isYou: true, isSteering: true)
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: timeSource.fake.now))
        await timeSource.beat()
        #expect(view.shown.vehicle?.control.hasPrefix("you, ") == true)
        for pilot in [ControlStatus.Pilot(name: "ben", since: timeSource.fake.now, isYou: false), nil] {
            link.set(ControlStatus(pilot: pilot))
            try link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: timeSource.fake.now))
            await timeSource.beat()
            let control = try #require(view.shown.vehicle?.control)
            #expect(!control.contains("you") && (pilot == nil || control.hasPrefix("ben, ")), "\(control)")
        }
    }

    @Test func `the open screen's own measurement is not another pilot`() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        let vehicle = fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        link.set(pilot: ControlAuthorityClient.ownName, isYou: false, isSteering: true)
        await timeSource.beat()
        #expect(view.shown.vehicle?.isControlledByOther == true)
        fleet.measuredID = vehicle.id
        await timeSource.beat()
        #expect(view.shown.vehicle?.control == "this measurement" && view.shown.vehicle?.isControlledByOther == false)
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "the measurement on this screen has control; Esc ends it")
        link.set(pilot: ControlAuthorityClient.ownName + " #2", isYou: false, isSteering: true)
        await timeSource.beat()
        #expect(view.shown.vehicle?.control == "this measurement")
        link.set(pilot: "anna", isYou: false, isSteering: true)
        await timeSource.beat()
        #expect(view.shown.vehicle?.control.hasPrefix("anna") == true)
        await fleet.remove(vehicle.id)
        #expect(fleet.measuredID == nil)
    }

    @Test("a line goes by itself")
    func notice() async {
        let workspace = build()
        workspace.stage.say(Notice(.error, "no\u{1B}[2J way"))
        #expect(view.shown.notice?.text == "no␛[2J way")
        await timeSource.beat(.seconds(9))
        #expect(view.shown.notice == nil)
        // It can be read again.
        #expect(view.shown.history == [PastNotice(Notice(.error, "no\u{1B}[2J way"), at: "0:00:00")])
        workspace.stage.say(Notice(.information, "later"))
        #expect(view.shown.history.first?.notice.text == "later" && view.shown.history.first?.time != "0:00:00")
        for _ in 0..<200 { workspace.stage.say(Notice(.information, "many")) }
        #expect(view.shown.history.count == 100)
    }

    @Test("the frame is let go of, and its tasks end")
    func release() async {
        weak var presenter: WorkspacePresenter?
        do {
            let workspace = build()
            workspace.stage.open(.menu)
            presenter = workspace.presenter
            await settle()
            #expect(timeSource.pauses == 1)
            await workspace.presenter.finish()
        }
        await settle()
        #expect(log.detached == 1)
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
    }
}
