import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("The history of a logged-in vehicle")
struct FleetHistoryTests {
    private let timeSource = FakeTimeSource()
    private let fleet: Fleet

    init() { fleet = Fleet(timeSource: timeSource) }

    private func telemetry(east: Double) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = timeSource.fake.now
        telemetry.pose = Sample(
            Pose(frame: .worldOrigin, positionMetres: Vector3(x: east, y: 0, z: 2), headingRadians: 0), at: now)
        telemetry.heightAboveGroundMetres = Sample(2, at: now)
        return telemetry
    }

    @Test("it is recorded from log-in on without a screen, for each vehicle, and is gone after log-out")
    func fromLogIn() async throws {
        let (first, second) = (FakeLink(), FakeLink())
        let one = fleet.add(profile: VehicleProfile(name: "one"), link: first).id
        let other = fleet.add(profile: VehicleProfile(name: "other"), link: second).id
        for step in 0..<20 {
            first.publish(telemetry(east: Double(step)))
            await timeSource.beat(.milliseconds(100))
        }
        let history = try #require(fleet.history(of: one))
        #expect(history.trail(at: timeSource.fake.now).map(\.value.positionMetres.x) == (0..<20).map(Double.init))
        #expect(history.series(of: .height).count == 5 && history.series(of: .height).allSatisfy { $0 == 2 })
        #expect(fleet.history(of: other)?.trail(at: timeSource.fake.now).isEmpty == true)
        await fleet.remove(one)
        #expect(fleet.history(of: one) == nil && fleet.history(of: other) != nil)
        // What the link still reports is not recorded, and a vehicle that logs in anew starts without history.
        let again = fleet.add(profile: VehicleProfile(name: "one"), link: FakeLink()).id
        #expect(fleet.history(of: again)?.trail(at: timeSource.fake.now).isEmpty == true)
    }

    @Test("without telemetry values become stale and ages grow, read or not; memory is bounded")
    func silence() async throws {
        let link = FakeLink()
        let id = fleet.add(profile: VehicleProfile(name: "one"), link: link).id
        link.publish(telemetry(east: 0))
        await timeSource.beat(.seconds(5))
        let history = try #require(fleet.history(of: id))
        #expect(history.series(of: .height) == [2, 2, 2, 2] + Array(repeating: nil, count: 7))
        #expect(history.series(of: .age).last == 5000)
        await timeSource.beat(.seconds(7200))
        let later = try #require(fleet.history(of: id))
        #expect(later.series(of: .age).count == 120 && later.series(of: .height).allSatisfy { $0 == nil })
        #expect(later.trail(at: timeSource.fake.now).isEmpty)
        for step in 0..<2000 {
            link.publish(telemetry(east: Double(step)))
            await timeSource.beat(.milliseconds(20))
        }
        #expect(fleet.history(of: id)?.trail(at: timeSource.fake.now).count == 400)
    }

    @Test("one subscription notifies at the rates of the screens, whatever the rate of telemetry")
    func refreshes() async {
        let link = FakeLink()
        fleet.add(profile: VehicleProfile(name: "one"), link: link)
        await settle()
        var refreshes = 0
        let screen = fleet.updates.observe(.telemetry, atMostEvery: .milliseconds(100)) { refreshes += 1 }
        for _ in 0..<500 {
            link.publish(telemetry(east: 0))
            await timeSource.beat(.milliseconds(2))
        }
        #expect((9...10).contains(refreshes))
        let before = refreshes
        await timeSource.beat(.seconds(10))
        // The last message is not lost, and silence is not polled.
        #expect(refreshes - before <= 1 && timeSource.pauses == 0)
        withExtendedLifetime(screen) {}
    }

    @Test("the fleet is released while telemetry is observed")
    func release() async {
        let link = FakeLink()
        weak var released: Fleet?
        do {
            let fleet = Fleet(timeSource: timeSource)
            released = fleet
            fleet.add(profile: VehicleProfile(name: "one"), link: link)
            await settle()
        }
        await settle()
        #expect(released == nil)
    }
}
