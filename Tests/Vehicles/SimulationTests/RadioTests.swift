import Simulation
import Testing
import UAVLink

/// A safety pilot who takes the vehicle by radio. What the flight stack does then was recorded on the real one: within 0.1 s its output
/// is off, and NullTracker and EmergencyController are active.
@Suite struct RadioTests {
    /// A vehicle that was on its way to a goal 5 m up when the radio took it, a second ago.
    private func taken() throws -> Flight {
        let flight = try Flight()
        #expect(flight.simulator.call(.radio(true)).message == "not flying")
        #expect(flight.takeOff())
        #expect(flight.goTo(20, 0, 5).success)
        flight.pause(3)
        #expect(flight.now.velocity.length > 1)
        #expect(flight.simulator.call(.radio(true)).success)
        let noticed = try #require(flight.wait(atMost: 1) { $0.tracker.tracker == "NullTracker" })
        #expect(noticed < 0.1)
        flight.pause(1)
        return flight
    }

    @Test func `its flight stack switches the output off, and its state is armed, in the air`() throws {
        let flight = try taken()
        let seen = flight.now
        #expect(seen.tracker.controller == "EmergencyController" && !seen.flight.isOutputEnabled)
        #expect(seen.flight.state == .armed && seen.flight.isArmed && !seen.flight.isOffboard)
        #expect(!seen.flight.isFlyingNormally && !seen.tracker.hasGoal)
        let now = MonotonicTime(nanoseconds: 0)
        let telemetry = flight.simulator.telemetry(at: now)
        #expect(telemetry.isFlownByRadio(now: now))
        #expect(telemetry.tracker?.value.takesReferences == false)
    }

    @Test func `the vehicle stops and hovers, whatever the flight stack is asked, in the real one's words`() throws {
        let flight = try taken()
        let refusals: [(ServiceCall, String)] = [
            (.hover, "the tracker 'NullTracker' does not implement the 'hover()' function!"),
            (.land, "can not land, 'NullTracker' is active!"),
            (.landHome, "can not land, 'NullTracker' is active!"),
            (.eland, "can not trigger eland while not flying"),
            (.ehover, "can not trigger ehover while not flying"),
            (.failsafe, "can not trigger failsafe while not flying"),
            (.takeoff, "can not takeoff, UAV not in offboard mode!"),
            (.setHeading(1), "not flying"), (.goToAltitude(3), "not flying"),
            (.goToRelative(Vector3(x: 1, y: 0, z: 0), headingRadians: 0), "not flying"),
            (
                .goTo(Vector3(x: 0, y: 0, z: 3), headingRadians: 0),
                "the tracker 'NullTracker' does not implement the 'setReference()' function!"
            ),
            (.stopTrajectory, "the tracker 'NullTracker' does not implement the 'stopTrajectoryTracking()' function!"),
            (.offboard, "Cannot switch to offboard, missing control input."),
        ]
        for (call, words) in refusals {
            let answer = flight.simulator.call(call)
            #expect(!answer.success && answer.message == words, "\(call)")
        }
        #expect(
            !flight.simulator.steer(VelocityReference(velocity: Vector3(x: 1, y: 0, z: 0)), validSeconds: 1).success)
        flight.pause(4)
        let held = flight.now.position
        #expect(held.x > 1 && held.x < 18 && held.z > 3)
        flight.pause(3)
        #expect((flight.now.position - held).length < 0.3 && flight.now.velocity.length < 0.3)
        #expect(flight.now.flight.state == .armed)
    }

    @Test func `nothing gives it back in the air: the pilot lands it, and the next flight is as any other`() throws {
        let flight = try taken()
        #expect(flight.simulator.call(.radio(false)).message == "Cannot switch to offboard, missing control input.")
        flight.pause(1)
        #expect(flight.now.flight.state == .armed && !flight.now.flight.isOffboard)
        #expect(flight.simulator.call(.radioLanding).success)
        #expect(flight.wait(atMost: 60) { $0.flight.state == .disarmed } != nil)
        #expect(abs(flight.now.heightAboveGround) < 0.5)
        #expect(!flight.simulator.call(.radio(false)).success && !flight.simulator.call(.radioLanding).success)
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.land).success)
        #expect(flight.wait(atMost: 30) { $0.flight.state == .disarmed } != nil)
    }

    /// Recorded on the real one, too: NullTracker commands a tenth of the thrust, which the autopilot obeys in offboard mode.
    @Test func `offboard mode with the output switched on in the air lets it fall`() throws {
        let flight = try taken()
        let held = flight.now.position
        #expect(flight.simulator.call(.toggleOutput(true)).success)
        flight.pause(1)
        #expect((flight.now.position - held).length < 1.5 && flight.now.tracker.tracker == "NullTracker")
        #expect(flight.simulator.call(.radio(false)).success)
        #expect(flight.wait(atMost: 5) { $0.heightAboveGround < 0.5 } != nil)
    }

    @Test func `motors that are stopped by another let it fall, and it is no pilot's any more`() throws {
        let flight = try taken()
        #expect(flight.simulator.call(.arming(false)).success)
        #expect(flight.wait(atMost: 5) { $0.heightAboveGround < 0.5 } != nil)
        #expect(!flight.simulator.call(.radioLanding).success)
    }
}
