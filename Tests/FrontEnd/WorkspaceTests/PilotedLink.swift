import FlightControl
import ModeKit
import Workspace
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// A link whose other end decides who flies; who that is stands as a test sets it.
final class PilotedLink: ControlledLink {
    let knownStops: UInt64? = nil
    private let clock: FakeClock
    private let refusal: String?
    private let state: Mutex<(status: ControlStatus?, wishes: [ControlAuthorityRequest], setpoints: UInt64)>
    let kind = LinkKind.udp
    var capabilities: LinkCapabilities { LinkCapabilities(control: self) }
    var vehicleCapabilities: VehicleCapabilities { .mrs }

    init(clock: FakeClock, status: ControlStatus?, refusal: String? = nil) {
        self.clock = clock
        self.refusal = refusal
        state = Mutex((status, [], 0))
    }

    var wishes: [ControlAuthorityRequest] { state.withLock { $0.wishes } }

    func set(_ status: ControlStatus) { state.withLock { $0.status = status } }

    func set(pilot: String, isYou: Bool, isSteering: Bool = false) {
        set(ControlStatus(pilot: .init(name: pilot, since: clock.now, isYou: isYou), isSteering: isSteering))
    }

    var latestTelemetry: Telemetry? {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.control = state.withLock { $0.status }.map { Sample($0, at: clock.now) }
        return telemetry
    }

    func control(_ wish: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { $0.wishes.append(wish) }
        return CommandReply(accepted: refusal == nil, message: refusal ?? "you have control authority")
    }

    var quality: LinkQuality {
        var quality = LinkQuality(isConnected: true)
        quality.setpointsSent = state.withLock { $0.setpoints }
        return quality
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func close() async {}
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    @discardableResult
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        let number = state.withLock { state in
            state.setpoints += 1
            return state.setpoints
        }
        return SteeringReceipt(number: UInt64(number), sentAt: nil)
    }
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        CommandReply(accepted: true, message: "")
    }
}
