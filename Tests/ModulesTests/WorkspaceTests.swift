import Modules
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
private final class FakeWorkspaceView: WorkspaceView {
    var shown = WorkspaceState()
    var put: [any ModuleView] = []
    var hasEnded = false
    func show(_ state: WorkspaceState) { shown = state }
    func put(_ view: any ModuleView) { put.append(view) }
    func end() { hasEnded = true }
}

@MainActor
private final class PlainView: ModuleView {}

@MainActor
@Suite("The frame around every screen")
struct WorkspaceTests {
    private let pacemaker = ManualPacemaker()
    private let fleet = Fleet()
    private let view = FakeWorkspaceView()
    private let log = StopLog()

    @MainActor
    final class StopLog {
        var stops: [StopCause] = []
        var detached = 0
    }

    private func build() -> WorkspaceBuilder.Workspace {
        let log = log
        let builder = WorkspaceBuilder(
            .init(fleet: fleet, pacemaker: pacemaker) { mode, _ in
                Module(mode, view: PlainView(), onStop: { log.stops.append($0) }, onDetach: { log.detached += 1 })
            })
        return builder.build { _ in view }
    }

    private func connected(_ vehicle: FakeVehicle = FakeVehicle()) async throws -> FakeLink {
        let link = FakeLink(vehicle, clock: pacemaker.fake)
        try await link.connect(within: .seconds(1))
        return link
    }

    @Test("hover goes out at once, stops what the module moves, and its answer is said")
    func hover() async throws {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.hover)
        #expect(log.stops == [.person])
        await settle()
        #expect(link.asked == [.command(.hover)])
        #expect(view.shown.notice?.text.contains("hover") == true)
        #expect(view.shown.notice?.weight != .information)
    }

    @Test("an emergency landing is asked for first; no leaves everything as it is")
    func emergencyLand() async throws {
        let link = try await connected()
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
        #expect(log.stops == [.person])
    }

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

    private func hears(_ link: FakeLink, _ isSo: (Telemetry) -> Bool) async -> Bool {
        for _ in 0..<50 {
            if let telemetry = link.latestTelemetry, isSo(telemetry) { return true }
            await pacemaker.beat(.milliseconds(20))
        }
        return false
    }

    @Test("a terminal that falls silent and a program that is suspended stop what the module moves")
    func outsideStops() {
        let workspace = build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.terminalSilent)
        workspace.presenter.handle(.suspend)
        #expect(log.stops == [.terminalSilent, .suspended])
    }

    @Test("whose setpoints go to the vehicle has control, until they fade")
    func control() async throws {
        let link = try await connected()
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.stage.open(.menu)
        await pacemaker.beat()
        #expect(view.shown.vehicle?.control != "you")
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: pacemaker.fake.now))
        await pacemaker.beat()
        #expect(view.shown.vehicle?.control == "you")
        await pacemaker.beat(.seconds(3))
        #expect(view.shown.vehicle?.control != "you")
    }

    @Test("a line goes by itself")
    func notice() async {
        let workspace = build()
        workspace.stage.say(Notice(.error, "no\u{1B}[2J way"))
        #expect(view.shown.notice?.text == "no␛[2J way")
        await pacemaker.beat(.seconds(9))
        #expect(view.shown.notice == nil)
    }

    @Test("the frame is let go of, and its tasks end")
    func release() async {
        weak var presenter: WorkspacePresenter?
        do {
            let workspace = build()
            workspace.stage.open(.menu)
            presenter = workspace.presenter
            await settle()
            #expect(pacemaker.pauses == 1)
            await workspace.presenter.finish()
        }
        await settle()
        #expect(log.detached == 1)
        #expect(pacemaker.pauses == 0)
        #expect(presenter == nil)
    }
}

@Suite("Link score")
struct LinkScoreTests {
    @Test("fresh and lossless is 100, stale is 0, and losses count")
    func score() {
        var quality = LinkQuality(isConnected: true)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: nil) == nil)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .milliseconds(20)) == 100)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .seconds(3)) == 0)
        #expect(LinkScore.percent(quality, link: .ssh, telemetryAge: .milliseconds(400)) == 100)
        quality.lossUp = 0.1
        quality.lossDown = 0.2
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 72)
        quality.isConnected = false
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 0)
    }
}
