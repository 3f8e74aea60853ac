import FlightControl
import ModeKit
@testable import Workspace
import Synchronization
import Testing
import TextScreen
import UAVLink
import UAVTestKit
import VehicleAccess

@Suite("Link score")
struct LinkScoreTests {
    @MainActor @Test func `a machine that promises no rate has no percent, and is not called poor`() {
        let begin = MonotonicTime(nanoseconds: 1_000_000_000)
        var telemetry = Telemetry(vehicle: "robot")
        telemetry.battery = Sample(Battery(remaining: 0.95), at: begin)
        var snapshot = VehicleSnapshot(
            vehicle: "robot", link: .direct, telemetry: telemetry, quality: LinkQuality(isConnected: true),
            now: begin + .milliseconds(900))
        #expect(WorkspacePresenter.linkBar(snapshot).percent != 100)
        snapshot.hasTelemetryRate = false
        let bar = WorkspacePresenter.linkBar(snapshot)
        #expect(bar.percent == nil && bar.grade == .good)
        snapshot.telemetry = nil
        #expect(WorkspacePresenter.linkBar(snapshot).grade == .silent)
        snapshot.quality.isConnected = false
        #expect(WorkspacePresenter.linkBar(snapshot).grade == .lost)
    }

    @Test("fresh and lossless is 100, stale is 0, and losses count")
    func score() {
        var quality = LinkQuality(isConnected: true)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: nil) == nil)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .milliseconds(20)) == 100)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .seconds(3)) == 0)
        #expect(LinkScore.percent(quality, link: .ssh, telemetryAge: .milliseconds(400)) == 100)
        #expect(LinkScore.percent(quality, link: .sshShell, telemetryAge: .milliseconds(400)) == 100)
        quality.lossUp = 0.1
        quality.lossDown = 0.2
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 72)
        #expect(LinkScore.grade(72, isConnected: true) == .fair)
        #expect(LinkScore.grade(0, isConnected: true) == .silent)
        #expect(LinkScore.grade(nil, isConnected: true) == .silent)
        #expect(LinkScore.grade(72, isConnected: false) == .lost)
        quality.isConnected = false
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 0)
    }

    /// A link that works is not said to be lost because the stack on the vehicle is silent.
    @Test @MainActor func `of a link over which nothing is heard of the vehicle the bar says just that`() async throws {
        let timeSource = FakeTimeSource()
        let (fleet, view) = (Fleet(timeSource: timeSource), FakeWorkspaceView())
        let link = FakeLink(clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = WorkspaceBuilder(
            .init(fleet: fleet, timeSource: timeSource) { mode, _ in
                ModeInstance(mode, view: PlainView(), onDetach: {})
            }
        ).build { _ in view }
        workspace.stage.open(.menu)
        link.setVehicleSilent(true)
        await timeSource.beat(.seconds(5))
        workspace.presenter.refresh()
        #expect(view.shown.link?.grade == .silent)

        let frame = WorkspaceScreen { _ in }
        frame.show(view.shown)
        frame.resize(to: ScreenSize(rows: 24, columns: 80))
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        frame.draw(on: &canvas, in: canvas.area)
        let bar = canvas.lines.first ?? ""
        #expect(bar.contains("✗ sim NO TELEMETRY") && !bar.contains("LOST"), "\(bar)")

        // What was measured before it fell silent is not of now; what a channel's heartbeat measures is.
        await timeSource.fake.run(for: .seconds(1))
        var quality = link.quality
        for (age, text) in [(Duration.seconds(6), nil), (.seconds(1), "20 ms")] as [(Duration, String?)] {
            (quality.roundTripMedian, quality.roundTripAt) = (.milliseconds(20), timeSource.fake.now - age)
            link.setQuality(quality)
            workspace.presenter.refresh()
            #expect(view.shown.link?.roundTrip == text)
        }
        quality.isConnected = false
        link.setQuality(quality)
        quality.roundTripMedian = .milliseconds(20)
        (quality.lossUp, quality.lossDown) = (0.1, 0.2)
        link.setQuality(quality)
        workspace.presenter.refresh()
        #expect(view.shown.link?.grade == .lost)
        // They are those of before.
        #expect(view.shown.link?.roundTrip == nil && view.shown.link?.lossUp == nil && view.shown.link?.lossDown == nil)
    }
}
