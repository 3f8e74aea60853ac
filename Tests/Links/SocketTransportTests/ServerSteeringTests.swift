import ChannelTestKit
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol
@testable import SocketTransport

/// What becomes of the companion's verdict on a setpoint: both ends of a session in memory, at the test's own instants.
@Suite struct ServerSteeringTests {
    private let now = MonotonicTime(nanoseconds: 10_000_000_000)
    private let frame = FrameBuffer()
    private let ground: GroundSession
    private let vehicle: VehicleSession

    init() throws {
        let ticket = ChannelTicket(
            session: SessionID(7), key: try .random(), udpPort: 1, tcpPort: 2, vehicle: "uav1")
        ground = try GroundSession(
            ticket: ticket, isReliable: false, helloRandom: SecureRandom.bytes(ChannelLimits.handshakeRandom), now: now)
        vehicle = try VehicleSession(id: ticket.session, key: ticket.key, statePeriod: .milliseconds(20), now: now)
        exchange(at: now)
    }

    /// Gives each end what the other has to send, until neither has anything.
    private func exchange(at instant: MonotonicTime) {
        for _ in 0..<8 {
            while case let length = ground.nextFrame(into: frame.bytes, now: instant), length > 0 {
                _ = vehicle.receive(sealed(length), now: instant)
            }
            while case let length = vehicle.nextFrame(
                into: frame.bytes, now: instant, telemetry: nil, messages: MessageLog()), length > 0
            {
                _ = ground.receive(sealed(length), now: instant)
            }
        }
    }

    private func sealed(_ length: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: frame.bytes[..<length])
    }

    @Test(arguments: [SteeringVerdict.applied, .refused])
    func `a ground whose setpoint is refused is told at once who has control authority`(verdict: SteeringVerdict) {
        #expect(ground.phase == .open)
        vehicle.tell(ControlStatus(pilot: .init(name: "anna", since: now, isYou: false)))
        exchange(at: now)
        #expect(ground.telemetry.control?.value.pilot?.name == "anna")
        let first = ground.telemetry.control?.at
        // Not yet due by itself: it is repeated five times a second.
        let later = now + .milliseconds(60)
        exchange(at: later)
        #expect(ground.telemetry.control?.at == first)

        let handler = RecordingHandler(verdict: verdict)
        var steering = ServerSteering(handler: handler, clock: FakeClock())
        steering.steer(Samples.setpoint(at: later), vehicle, now: later)
        exchange(at: later)
        #expect(handler.setpoints.count == 1)
        #expect(vehicle.setpoints.refused == (verdict == .refused ? 1 : 0))
        #expect((ground.telemetry.control?.at != first) == (verdict == .refused))
    }
}
