import ChannelTestKit
import Testing
import UAVLink

@testable import ChannelProtocol

@Suite("Capabilities over a session") struct CapabilitiesTests {
    private func opened(saying capabilities: VehicleCapabilities?) throws -> TwoEnds {
        let ends = try TwoEnds()
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.vehicle.tell(capabilities)
        ends.open()
        ends.run(for: .milliseconds(50))
        return ends
    }

    @Test func `a ground knows them right after it opened the session`() throws {
        let ends = try opened(saying: Samples.capabilities)
        #expect(ends.ground.received.capabilities == Samples.capabilities)
    }

    /// `status` prints the first telemetry, with whether it is that of a simulated vehicle.
    @Test func `they are known before the first telemetry is`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.vehicle.tell(Samples.capabilities)
        let frame = FrameBuffer()
        while ends.ground.telemetry.pose == nil {
            let length = ends.vehicle.nextFrame(
                into: frame.bytes, now: ends.vehicleNow, telemetry: ends.telemetry, messages: MessageLog())
            try #require(length > 0)
            ends.deliver(Array(frame.bytes[..<length]), to: .ground)
        }
        #expect(ends.ground.received.capabilities == Samples.capabilities)
    }

    @Test func `a change is sent at once, and what was lost again within a second`() throws {
        let ends = try opened(saying: .mrs)
        #expect(ends.ground.received.capabilities == .mrs)
        ends.vehicle.tell(Samples.capabilities)
        ends.run(for: .milliseconds(50))
        #expect(ends.ground.received.capabilities == Samples.capabilities)
        ends.vehicle.tell(.mrs)
        // All that goes down now is lost.
        let frame = FrameBuffer()
        while case let length = ends.vehicle.nextFrame(
            into: frame.bytes, now: ends.vehicleNow, telemetry: ends.telemetry, messages: MessageLog()), length > 0
        {}
        ends.run(for: .milliseconds(900))
        #expect(ends.ground.received.capabilities == Samples.capabilities)
        ends.run(for: .milliseconds(300))
        #expect(ends.ground.received.capabilities == .mrs)
    }

    /// A machine that falls is asked about before: the ground must know, whatever is between them.
    @Test func `a ground knows that an emergency landing stops the motors`() throws {
        var falling = Samples.capabilities
        falling.commands.insert(.emergencyLand)
        #expect(try opened(saying: falling).ground.received.capabilities?.emergencyStopsMotors == false)
        falling.emergencyStopsMotors = true
        #expect(try opened(saying: falling).ground.received.capabilities == falling)
    }

    @Test func `a ground knows that a take-off clears an emergency, of a vehicle that takes off`() throws {
        var clearing = Samples.capabilities
        (clearing.takeOffClearsEmergency, clearing.hasOwnVelocityAxes) = (true, true)
        clearing.telemetry.insert(.velocity)
        clearing.commands.insert(.takeoff)
        #expect(try opened(saying: clearing).ground.received.capabilities == clearing)
        clearing.commands.remove(.takeoff)
        #expect(try opened(saying: clearing).ground.received.capabilities?.takeOffClearsEmergency == false)
    }

    /// A recording is of the vehicle's ROS.
    @Test func `a ground knows that the nodes are of ROS 2`() throws {
        #expect(try opened(saying: .mrsInROS2).ground.received.capabilities == .mrsInROS2)
        #expect(try opened(saying: .mrs).ground.received.capabilities?.isROS2 == false)
    }

    @Test func `an older companion says nothing`() throws {
        let ends = try opened(saying: nil)
        #expect(ends.ground.received.capabilities == nil)
        #expect(ends.ground.telemetry.pose != nil)
    }
}
