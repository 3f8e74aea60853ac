import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("A flying vehicle that takes no references")
struct ReferenceHoldTests {
    private let timeSource = FakeTimeSource()
    private let link = FakeLink()
    private let fleet: Fleet
    private let vehicle: LoggedInVehicle

    init() {
        fleet = Fleet(timeSource: timeSource)
        vehicle = fleet.add(profile: VehicleProfile(name: "one"), link: link)
    }

    /// Lets a second pass in which telemetry says this, ten times.
    private func report(_ state: FlightState = .flying, isOffboard: Bool = true, takesReferences: Bool = false) async {
        for _ in 0..<10 {
            let now = timeSource.fake.now
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: true, isOffboard: isOffboard, isOutputEnabled: true,
                    isFlyingNormally: state == .flying), at: now)
            telemetry.heightAboveGroundMetres = Sample(4, at: now)
            telemetry.tracker = Sample(
                TrackerStatus(
                    tracker: "MpcTracker", controller: "", takesReferences: takesReferences, hasGoal: false), at: now)
            link.publish(telemetry)
            await timeSource.beat(.milliseconds(100))
        }
    }

    @Test func `it is one after a second of such telemetry, and no longer once it takes them`() async {
        await report()
        #expect(fleet.takesNoReferences(vehicle))
        await report(takesReferences: true)
        #expect(!fleet.takesNoReferences(vehicle))
        await report(.landing)
        #expect(!fleet.takesNoReferences(vehicle))
    }

    /// That it is flown by radio is said as the reason, with another way out.
    @Test func `one that is flown by radio is not meant`() async {
        await report(isOffboard: false)
        #expect(fleet.radioFlight(of: vehicle) == .certain && !fleet.takesNoReferences(vehicle))
        await report()
        #expect(fleet.takesNoReferences(vehicle))
    }

    @Test func `the reason names what leads there, and the way out`() {
        #expect(
            Telemetry.refusal(of: "goal")
                == "the vehicle takes no goal: it flies home to land, or holds after an emergency hover or an interrupted "
                + "landing (then land, and take off again)")
    }
}
