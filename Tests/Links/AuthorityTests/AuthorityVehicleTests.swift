import Authority
import Testing
import UAVLink

/// What the vehicle does by itself, or others have it do.
extension ControlAuthorityTests {
    @Test(arguments: [FlightState.landing, .emergency, .takingOff, .flying])
    func `a vehicle that goes its own way is left alone, and the pilot begins anew`(_ state: FlightState) {
        var authority = moving()
        authority.see(.elsewhere(state), at: at(50))
        #expect(authority.deadline == nil)
        #expect(authority.pilot == nil)
        #expect(authority.ended?.why == .vehicleUnavailable(state))
        for millisecond in stride(from: 50, through: 2000, by: 10) {
            #expect(authority.tick(now: at(millisecond)) == nil)
        }
        #expect(authority.take(by: anna, name: "anna", at: at(2000)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(2000)) == .vehicleUnavailable)
        authority.see(.steerable, at: at(2010))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(2010)) == .granted)
    }

    @Test
    func `a vehicle that was flown by others for a moment is braked, for the setpoint that came before that`() {
        var authority = moving()
        authority.see(.elsewhere(.flying), at: at(50))
        authority.see(.elsewhere(.flying), at: at(100))
        #expect(authority.tick(now: at(140)) == nil)
        authority.see(.steerable, at: at(150))
        #expect(authority.deadline == at(150))
        #expect(authority.tick(now: at(150)) == .brake)
        #expect(authority.tick(now: at(500)) == .brake)
        #expect(authority.tick(now: at(600)) == nil)
        #expect(authority.pilot == nil)
    }

    @Test func `a brake that others came between goes on behind them, unless something newer has begun`() throws {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        authority.see(.elsewhere(.flying), at: at(220))
        var commanded = authority
        authority.see(.steerable, at: at(300))
        #expect(authority.tick(now: at(300)) == .brake)
        #expect(authority.tick(now: at(800)) == .brake)
        #expect(authority.deadline == nil)
        let ticket = try begin(goto, by: ben, &commanded, at: at(290))
        commanded.see(.steerable, at: at(300))
        commanded.end(ticket, .accepted, at: at(310))
        #expect(commanded.tick(now: at(320)) == nil)
    }

    @Test func `what comes in one burst moves nothing, though it begins neutral`() {
        var authority = ControlAuthority<Int>()
        #expect(authority.take(by: anna, name: "anna", at: at(0)) == .granted)
        for microseconds in stride(from: 0, to: 19_900, by: 300) {
            let now = at(500) + .microseconds(microseconds)
            #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: now) == .granted)
            #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: now) == .neutralFirst)
        }
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(520)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(530)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(531)) == .granted)
        // And again after silence.
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(540)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(900)) == .granted)
        #expect(authority.judgeSetpoint(by: anna, isNeutral: false, at: at(901)) == .neutralFirst)
    }

    @Test func `a landing that begins while the brake goes on ends the brake`() {
        var authority = moving()
        #expect(authority.tick(now: at(210)) == .brake)
        authority.see(.elsewhere(.landing), at: at(230))
        #expect(authority.deadline == nil)
        #expect(authority.tick(now: at(260)) == nil)
    }

    @Test func `a command that is refused since the vehicle lands is followed by nothing`() throws {
        var authority = moving()
        let ticket = try begin(goto, by: anna, &authority, at: at(50))
        authority.see(.elsewhere(.landing), at: at(60))
        authority.end(ticket, .refused, at: at(70))
        #expect(authority.deadline == nil)
    }

    @Test func `who is in command on the ground stays so while it takes off`() {
        var authority = ControlAuthority<Int>()
        authority.see(.steerable, at: at(0))
        #expect(authority.take(by: anna, name: "anna", at: at(0)) == .granted)
        authority.see(.elsewhere(.takingOff), at: at(10))
        authority.see(.steerable, at: at(20))
        #expect(authority.judgeSetpoint(by: anna, isNeutral: true, at: at(30)) == .granted)
    }

    @Test func `telemetry tells whether it can be steered, and old telemetry tells nothing`() {
        var telemetry = Telemetry(vehicle: "uav1")
        #expect(VehicleAvailability(nil, now: start) == .unknown)
        #expect(VehicleAvailability(telemetry, now: start) == .unknown)
        func see(
            _ state: FlightState, armed: Bool = true, offboard: Bool = true, takes: Bool = true
        ) -> VehicleAvailability {
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: armed, isOffboard: offboard, isOutputEnabled: true, isFlyingNormally: true),
                at: start)
            telemetry.tracker = Sample(
                TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: takes, hasGoal: false), at: start)
            return VehicleAvailability(telemetry, now: at(1000))
        }
        #expect(see(.flying) == .steerable)
        #expect(see(.flying, offboard: false) == .radio)
        // Arming and mode were not received yet, as by a companion that has just started.
        #expect(see(.flying, armed: false, offboard: false) == .unknown)
        #expect(see(.flying, takes: false) == .elsewhere(.flying))
        #expect(see(.landing) == .elsewhere(.landing))
        #expect(see(.disarmed, offboard: false, takes: false) == .steerable)
        #expect(see(.armed, takes: false) == .unknown)
        #expect(see(.takingOff) == .elsewhere(.takingOff))
        #expect(see(.unknown) == .unknown)
        // The flight stack stands by while somebody flies by radio.
        telemetry.heightAboveGroundMetres = Sample(5, at: start)
        #expect(see(.armed, offboard: false, takes: false) == .radio)
        telemetry.heightAboveGroundMetres = Sample(0.2, at: start)
        #expect(see(.armed, offboard: false, takes: false) == .steerable)
        // Some autopilots report their mode once a second.
        _ = see(.flying, offboard: false)
        #expect(VehicleAvailability(telemetry, now: at(3000)) == .radio)
        #expect(VehicleAvailability(telemetry, now: at(3001)) == .unknown)
    }

    @Test func `what the radio had is the radio's until telemetry that is not old shows otherwise`() throws {
        var authority = ControlAuthority<Int>()
        authority.see(.radio, at: at(0))
        authority.see(.unknown, at: at(3001))
        #expect(authority.begin(goto, by: anna, name: "anna", at: at(3002)) == .flownByRadio)
        _ = try begin(.land, by: anna, &authority, at: at(3003))
        authority.see(.steerable, at: at(3100))
        _ = try begin(goto, by: anna, &authority, at: at(3101))
        authority.see(.unknown, at: at(6102))
        _ = try begin(goto, by: anna, &authority, at: at(6103))
    }

    @Test
    func `a vehicle in the air that no tracker flies takes no setpoints, though it still reports offboard mode`() {
        var telemetry = Telemetry(vehicle: "uav1")
        func see(height: Double?, speed: Double? = nil, heightAt: MonotonicTime? = nil) -> VehicleAvailability {
            telemetry.flight = Sample(
                FlightStatus(
                    state: .armed, isArmed: true, isOffboard: true, isOutputEnabled: false, isFlyingNormally: false),
                at: at(5000))
            telemetry.tracker = Sample(
                TrackerStatus(tracker: "NullTracker", controller: "", takesReferences: false, hasGoal: false),
                at: at(5000))
            telemetry.heightAboveGroundMetres = height.map { Sample($0, at: heightAt ?? at(5000)) }
            telemetry.velocityMetresPerSecond = speed.map { Sample(Vector3(x: $0, y: 0, z: 0), at: at(5000)) }
            return VehicleAvailability(telemetry, now: at(5100))
        }
        #expect(see(height: 5) == .radio)
        #expect(see(height: nil, speed: 1.5) == .radio)
        // Before a take-off and after a landing it stands, and is armed and in offboard mode for a time.
        #expect(see(height: 0.2) == .steerable)
        // Without a height nothing shows that it stands.
        #expect(see(height: nil, speed: 0.1) == .unknown)
        // A height from before the landing shows nothing.
        #expect(see(height: 5, heightAt: at(2000)) == .unknown)
    }
}
