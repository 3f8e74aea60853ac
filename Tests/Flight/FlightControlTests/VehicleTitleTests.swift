import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// The names of the vehicles that are logged in.
@MainActor @Suite struct VehicleTitleTests {
    @Test func `no two vehicles have the same name, and a name is free again after its log-out`() async {
        let fleet = Fleet()
        let local = VehicleProfile(name: "sim")
        for _ in 1...3 { fleet.add(profile: local, link: FakeLink()) }
        #expect(fleet.vehicles.map(\.title) == ["sim:uav1", "sim:uav1 #2", "sim:uav1 #3"])
        await fleet.remove(2)
        #expect(fleet.add(profile: local, link: FakeLink()).title == "sim:uav1 #2")
        await fleet.remove(1)
        #expect(fleet.add(profile: local, link: FakeLink()).title == "sim:uav1")
    }
}
