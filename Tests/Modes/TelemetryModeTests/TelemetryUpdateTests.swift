import ModeKit
import ModeTestKit
import FlightControl
import TelemetryMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What telemetry brings to its screen, and when.
extension TelemetryModeTests {
    @Test("a screen that is opened later shows what was before: trail and figures are recorded from log-in on")
    func openedLater() async throws {
        let link = FakeLink()
        let fleet = Fleet.withFake(link, timeSource: timeSource)
        for step in 0..<50 {
            var known = telemetry(east: Double(step))
            known.heightAboveGroundMetres = Sample(Double(step) / 10, at: timeSource.fake.now)
            link.publish(known)
            await timeSource.beat(.milliseconds(100))
        }
        let (instance, _) = build(fleet)
        #expect(view.shown.trail.places.map(\.east) == (0..<50).map(Double.init))
        let height = try #require(view.shown.sparklines.first { $0.label == "Height" })
        #expect(height.values.count == 11 && height.values.first == 0 && height.range == "0.0 m to 4.9 m")
        instance.detach()
        // Another one that is logged in to later has no part in it; back at the first one it is all there.
        fleet.add(profile: VehicleProfile(name: "second"), link: FakeLink())
        let (other, _) = build(fleet)
        #expect(view.shown.trail.places.isEmpty)
        fleet.select(1)
        await timeSource.beat(.zero)
        #expect(view.shown.trail.places.count == 50)
        await fleet.remove(1)
        await timeSource.beat(.zero)
        #expect(view.shown.trail.places.isEmpty)
        other.detach()
    }

    @Test("telemetry refreshes the screen ten times a second however often it arrives, and silence five times")
    func refreshes() async {
        let link = FakeLink()
        let (instance, _) = build(.withFake(link, timeSource: timeSource))
        await settle()
        var before = view.count
        for _ in 0..<500 {
            link.publish(telemetry())
            await timeSource.beat(.milliseconds(2))
        }
        #expect((9...10).contains(view.count - before))
        await timeSource.beat(.milliseconds(100))
        before = view.count
        await timeSource.beat(.seconds(2))
        #expect((9...10).contains(view.count - before))
        instance.detach()
        before = view.count
        link.publish(telemetry())
        await timeSource.beat(.seconds(2))
        #expect(view.count == before)
    }
}
