import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite struct `A simulated vehicle` {
    private var real: VehicleProfile {
        var profile = VehicleProfile(name: "hexa1")
        (profile.host, profile.user, profile.vehicle) = ("192.168.69.101", "mrs", "uav7")
        return profile
    }

    @Test func `the vehicle inside this program is on no host, whatever the profile names`() {
        var profile = real
        profile.link = .only(.sim)
        let flown = profile.flown
        #expect(flown.host == nil && flown.user == nil && flown.isSimulatedOnly)
        #expect(flown.vehicle == "uav7" && flown.link == .only(.sim))
        #expect(flown.target == "uav7 (simulated)")
    }

    /// A check in its world would say nothing of a flight in another, and its camera is asked by this name.
    @Test func `it has the world, the camera and the rates of the profile`() {
        var profile = real
        profile.link = .only(.sim)
        profile.world = "/fields/north.yaml"
        profile.snapshotService = "camera/trigger"
        profile.rates = ["hw_api/status": 100]
        for simulated in [profile.flown, profile.simulation] {
            #expect(simulated.world == "/fields/north.yaml" && simulated.snapshotService == "camera/trigger")
            #expect(simulated.rates == ["hw_api/status": 100] && simulated.host == nil)
        }
    }

    @Test func `every other profile is flown as it is`() {
        for link in [VehicleProfile.LinkChoice.automatic, .only(.udp), .only(.ssh)] {
            var profile = real
            profile.link = link
            #expect(profile.flown == profile)
        }
        var local = VehicleProfile(name: "mine")
        local.link = .only(.sim)
        #expect(local.flown == local)
    }

    @Test func `it is one inside this program, one named sim, or one whose companion says so`() {
        let fleet = Fleet(timeSource: FakeTimeSource())
        #expect(!fleet.add(profile: real, link: FakeLink(kind: .udp)).isSimulated)
        #expect(fleet.add(profile: real, link: FakeLink(kind: .sim)).isSimulated)
        #expect(fleet.add(profile: .simulated, link: FakeLink(kind: .udp)).isSimulated)
        let companion = FakeLink(kind: .udp)
        companion.vehicleCapabilities = .simulatedMRS
        #expect(fleet.add(profile: real, link: companion).isSimulated)
    }
}
