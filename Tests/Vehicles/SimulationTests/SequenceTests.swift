import Simulation
import Testing
import UAVLink

/// Sequences and times of facts/uav_core.md.
@Suite struct SequenceTests {
    @Test func `a take-off takes about five seconds to one and a half metres`() throws {
        let flight = try Flight()
        #expect(flight.simulator.call(.arming(true)).success)
        #expect(flight.simulator.call(.toggleOutput(true)).success)
        #expect(flight.simulator.call(.offboard).success)
        flight.settle()
        let answer = flight.simulator.call(.takeoff)
        #expect(answer.message == "taking off")
        #expect(answer.answerDelaySeconds == 0.3)
        #expect(flight.now.tracker.tracker == "LandoffTracker")
        #expect(flight.now.flight.state == .takingOff)
        let taken = try #require(flight.wait(atMost: 20) { $0.flight.isFlyingNormally })
        #expect((4.3...5.8).contains(taken))
        #expect(flight.now.tracker.tracker == "MpcTracker")
        flight.pause(2)
        #expect(abs(flight.now.truePosition.z - 1.56) < 0.15)
    }

    @Test func `a landing from two metres takes about nine seconds and ends disarmed`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        _ = flight.goTo(0, 0, 2)
        _ = flight.arrive()
        #expect(flight.simulator.call(.land).message == "landing initiated")
        #expect(!flight.now.flight.isFlyingNormally)
        let touched = try #require(flight.wait(atMost: 20) { $0.truePosition.z <= 0.06 })
        let taken = touched + (flight.wait(atMost: 20) { !$0.flight.isArmed } ?? 100)
        #expect((7.7...9.7).contains(taken))
        #expect(flight.now.tracker.tracker == "NullTracker")
        #expect(!flight.now.flight.isOutputEnabled)
        #expect(flight.now.flight.isOffboard)
        let offboard = try #require(flight.wait(atMost: 3) { !$0.flight.isOffboard })
        #expect((0.8...1.3).contains(offboard))
    }

    @Test func `five metres take about four seconds and forty-five about fourteen`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.goTo(5, 0, 1.56).message == "reference set")
        // The old `false` can still be read right after the call.
        #expect(!flight.now.tracker.hasGoal)
        let short = try #require(flight.arrive())
        #expect((3.6...4.6).contains(short))
        #expect(flight.goTo(5, 45, 1.56).success)
        let long = try #require(flight.arrive())
        #expect((13...15.5).contains(long))
        flight.pause(2)
        #expect((flight.now.truePosition - Vector3(x: 5, y: 45, z: 1.56)).length < 0.1)
    }

    @Test func `motion begins as late after a goto as on the real vehicle`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        flight.pause(2)
        let (start, wanted) = (flight.now.truePosition, flight.now.referencePosition)
        #expect(flight.goTo(5, 0, wanted.z).success)
        let output = try #require(flight.wait(atMost: 2) { ($0.referencePosition - wanted).length > 0.001 })
        let moved = output + (flight.wait(atMost: 2) { ($0.truePosition - start).length > 0.05 } ?? 10)
        #expect((0.2...0.45).contains(output))
        #expect((0.35...0.75).contains(moved))
    }
}
