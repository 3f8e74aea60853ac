import FlightControl
import ModeKit
import Workspace
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
private final class FakeWorkspaceView: WorkspaceView {
    var shown = WorkspaceState()
    var put: [any ModeView] = []
    var hasEnded = false
    func show(_ state: WorkspaceState) { shown = state }
    func put(_ view: any ModeView) { put.append(view) }
    func end() { hasEnded = true }
}

@MainActor
private final class PlainView: ModeView {}

@MainActor
@Suite("The frame around every screen")
struct WorkspaceTests {
    private let timeSource = FakeTimeSource()
    private let fleet: Fleet
    private let view = FakeWorkspaceView()
    private let log = StopLog()

    @MainActor
    final class StopLog {
        var stops: [StopCause] = []
        var detached = 0
    }

    init() { fleet = Fleet(timeSource: timeSource) }

    private func build() -> WorkspaceBuilder.Workspace {
        let log = log
        let builder = WorkspaceBuilder(
            .init(fleet: fleet, timeSource: timeSource) { mode, _ in
                ModeInstance(mode, view: PlainView(), onStop: { log.stops.append($0) }, onDetach: { log.detached += 1 })
            })
        return builder.build { _ in view }
    }

    private func connected(_ vehicle: FakeVehicle = FakeVehicle()) async throws -> FakeLink {
        let link = FakeLink(vehicle, clock: timeSource.fake)
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

    // MARK: Command of the vehicle

    @Test("where nobody decides who flies, or it is not known, that is said")
    func nobodyDecides() async throws {
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text == "no vehicle is logged in")
        fleet.add(profile: VehicleProfile(name: "hexa"), link: try await connected())
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text.hasSuffix("has no control authority") == true)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: PilotedLink(clock: timeSource.fake, status: nil))
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text == "no control authority status received yet")
        #expect(view.shown.confirmation == nil)
    }

    @Test("command that nobody has is taken at once, and given back by the same key unless it is used")
    func takeAndGiveBack() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes == [.take(name: ControlAuthorityClient.ownName)])
        #expect(view.shown.notice?.text == "you have control authority over hexa:uav1")
        link.set(pilot: "bob", isYou: true, isSteering: true)
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes.count == 1)
        link.set(pilot: "bob", isYou: true)
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes.last == .release(reason: "released"))
    }

    @Test("from another pilot command is taken after a question that names him, with a reason")
    func takeOver() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna@laptop", isYou: false, isSteering: true)
        await timeSource.fake.run(for: .seconds(12))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.isControlledByOther == true)
        workspace.presenter.handle(.takeCommand)
        let question = try #require(view.shown.confirmation)
        #expect(question.question == .takeCommand && question.reason?.isEmpty == false)
        #expect(
            question.text.hasPrefix(
                "anna@laptop has had control of hexa:uav1 for 12.0 s and is steering: the vehicle will stop"))
        // A plain yes is not one, nor is one without a reason.
        workspace.presenter.handle(.confirm)
        workspace.presenter.handle(.confirmWithReason("  "))
        #expect(view.shown.notice?.text.contains("enter a reason") == true && view.shown.confirmation != nil)
        workspace.presenter.handle(.decline)
        workspace.presenter.handle(.confirmWithReason("late"))
        await settle()
        #expect(link.wishes.isEmpty && view.shown.confirmation == nil)
        workspace.presenter.handle(.takeCommand)
        workspace.presenter.handle(.confirmWithReason(String(repeating: "ä", count: 200)))
        await settle()
        #expect(
            link.wishes == [
                .takeOver(name: ControlAuthorityClient.ownName, reason: String(repeating: "ä", count: 128))
            ])
        #expect(view.shown.notice?.weight == .success)
    }

    @Test("a pilot who came while the question was open is asked about anew")
    func anotherPilotMeanwhile() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna", isYou: false)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        link.set(pilot: "carl", isYou: false)
        workspace.presenter.handle(.confirmWithReason("it is my turn"))
        await settle()
        #expect(link.wishes.isEmpty)
        #expect(view.shown.confirmation?.text.hasPrefix("carl has had control") == true)
        // Nobody any more: then it is taken.
        link.set(ControlStatus())
        workspace.presenter.handle(.confirmWithReason("it is my turn"))
        await settle()
        #expect(link.wishes.count == 1)
    }

    @Test("a companion that refuses is quoted")
    func refusedCommand() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus(), refusal: "the companion is ending")
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(view.shown.notice == Notice(.error, "hexa:uav1: the companion is ending"))
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
            await timeSource.beat(.milliseconds(20))
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
        await timeSource.beat()
        #expect(view.shown.vehicle?.control != "you")
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: timeSource.fake.now))
        await timeSource.beat()
        #expect(view.shown.vehicle?.control == "you")
        await timeSource.beat(.seconds(3))
        #expect(view.shown.vehicle?.control != "you")
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

    @Test("a line goes by itself")
    func notice() async {
        let workspace = build()
        workspace.stage.say(Notice(.error, "no\u{1B}[2J way"))
        #expect(view.shown.notice?.text == "no␛[2J way")
        await timeSource.beat(.seconds(9))
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
            #expect(timeSource.pauses == 1)
            await workspace.presenter.finish()
        }
        await settle()
        #expect(log.detached == 1)
        #expect(timeSource.pauses == 0)
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

/// A link whose other end decides who flies; who that is stands as a test sets it.
private final class PilotedLink: ControlledLink {
    private let clock: FakeClock
    private let refusal: String?
    private let state: Mutex<(status: ControlStatus?, wishes: [ControlAuthorityRequest], setpoints: UInt64)>
    let kind = LinkKind.udp
    var capabilities: LinkCapabilities { LinkCapabilities(control: self) }
    var vehicleCapabilities: VehicleCapabilities { .mrs }

    init(clock: FakeClock, status: ControlStatus?, refusal: String? = nil) {
        self.clock = clock
        self.refusal = refusal
        state = Mutex((status, [], 0))
    }

    var wishes: [ControlAuthorityRequest] { state.withLock { $0.wishes } }

    func set(_ status: ControlStatus) { state.withLock { $0.status = status } }

    func set(pilot: String, isYou: Bool, isSteering: Bool = false) {
        set(ControlStatus(pilot: .init(name: pilot, since: clock.now, isYou: isYou), isSteering: isSteering))
    }

    var latestTelemetry: Telemetry? {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.control = state.withLock { $0.status }.map { Sample($0, at: clock.now) }
        return telemetry
    }

    func control(_ wish: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { $0.wishes.append(wish) }
        return CommandReply(accepted: refusal == nil, message: refusal ?? "you have control authority")
    }

    var quality: LinkQuality {
        var quality = LinkQuality(isConnected: true)
        quality.setpointsSent = state.withLock { $0.setpoints }
        return quality
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func close() async {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) { state.withLock { $0.setpoints += 1 } }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        CommandReply(accepted: true, message: "")
    }
}
