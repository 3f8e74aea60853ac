import ChannelTestKit
import Testing
import UAVLink

@testable import ChannelProtocol

/// What a session that is to end still sends, and what remains of it.
@Suite("End of a session") struct SessionEndTests {
    @Test func `a stop given before the end is sent before the goodbye`() throws {
        let ends = try TwoEnds()
        ends.open()
        _ = try ends.ground.begin(.takeoff, deadline: ends.now + .seconds(1), now: ends.now)
        _ = try ends.ground.begin(.hover, deadline: ends.now + .seconds(1), now: ends.now)
        ends.ground.end()
        #expect(ends.ground.phase == .open)
        ends.run(for: .milliseconds(5))
        #expect(ends.performed == [.hover])
        #expect(ends.vehicleEvents.last == "ended by the ground")
        #expect(ends.ground.phase == .ended && ends.vehicle.phase == .ended)
    }

    @Test func `a setpoint that waits does not outlive the end`() throws {
        let ends = try TwoEnds()
        ends.open()
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.ground.end()
        ends.run(for: .milliseconds(5))
        #expect(ends.setpoints.isEmpty && ends.ground.setpointsSent == 0)
        #expect(throws: LinkError.self) {
            try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        }
    }

    @Test func `an answer given before the end is sent before the companion's goodbye`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.workTime = { _ in nil }
        let id = try ends.ground.begin(.land, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(5))
        #expect(ends.performed == [.land])
        ends.vehicle.answer(id, .success(CommandReply(accepted: true, message: "landing")))
        ends.vehicle.end()
        ends.run(for: .milliseconds(5))
        #expect(try ends.answers[id]?.get().message == "landing")
        #expect(ends.groundEvents.last == "ended by the companion")
        #expect(ends.vehicle.phase == .ended)
    }

    @Test func `what was counted can be read after the end`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.run(for: .milliseconds(50))
        let frames = ends.vehicle.framesReceived
        ends.ground.end()
        ends.run(for: .milliseconds(5))
        #expect(ends.vehicle.phase == .ended && ends.vehicle.hasBeenOpen)
        #expect(ends.vehicle.framesReceived > frames)
        #expect(ends.vehicle.setpoints.applied == 1)
        #expect(ends.ground.setpointsSent == 1 && ends.ground.telemetry.pose != nil)
        #expect(ends.ground.timing.newest != nil)
    }

    @Test func `a ticket that was never used ends without having been open`() throws {
        let ends = try TwoEnds()
        ends.vehicle.tell(ControlStatus())
        ends.vehicle.end()
        #expect(ends.vehicle.phase == .ended && !ends.vehicle.hasBeenOpen)
        ends.run(for: .milliseconds(500))
        #expect(ends.ground.phase == .opening && ends.vehicle.drops.unknownSession > 0)
    }
}
