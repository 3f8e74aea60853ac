import FlightControl
import ModeKit
import ModeTestKit
import TelemetryMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// Added topics outlive their screen, and nothing watches them meanwhile.
extension TelemetryModeTests {
    @Test func `an added topic is there when the screen is opened again, and is not watched meanwhile`() async {
        let fleet = Fleet.withFake(FakeLink(), timeSource: timeSource)
        let (first, presenter) = build(fleet)
        presenter.handle(.addTopic("imu"))
        presenter.handle(.addTopic("/tf"))
        await settle()
        #expect(watch.watched == ["/tf", "/uav1/imu"])
        first.detach()
        await settle()
        #expect(watch.watched.isEmpty && watch.isClosed)
        let (second, again) = build(fleet)
        await settle()
        #expect(view.shown.topics.map(\.name) == ["/uav1/imu", "/tf"])
        #expect(watch.watched == ["/tf", "/uav1/imu"])
        // A removed one is not.
        again.handle(.removeTopic)
        second.detach()
        let (third, _) = build(fleet)
        #expect(view.shown.topics.map(\.name) == ["/tf"])
        third.detach()
    }

    @Test func `each vehicle keeps its topics, until it is logged out of`() async {
        let fleet = Fleet.withFake(FakeLink(), timeSource: timeSource)
        let (instance, presenter) = build(fleet)
        presenter.handle(.addTopic("imu"))
        let second = fleet.add(profile: VehicleProfile(name: "second"), link: FakeLink())
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.isEmpty)
        presenter.handle(.addTopic("/tf"))
        fleet.selectNext()
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.map(\.name) == ["/uav1/imu"])
        fleet.selectNext()
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.map(\.name) == ["/tf"])
        await fleet.remove(second.id)
        fleet.add(profile: VehicleProfile(name: "second"), link: FakeLink())
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.isEmpty)
        instance.detach()
    }
}
