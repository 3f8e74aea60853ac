public import UAVLink

/// A machine that is no MRS one: it takes velocities along its body's axes and has no idea where it is.
///
/// A value without clock or I/O.
public struct ToyVehicle: Hashable, Sendable {
    /// What it can do.
    public static let capabilities = VehicleCapabilities(
        machine: "velocity toy", commands: [.takeoff, .land, .hover, .emergencyLand],
        steering: .init(
            axes: .all, frames: .body,
            most: .init(horizontalMetresPerSecond: 1.5, verticalMetresPerSecond: 0.5, turningRadiansPerSecond: 1)),
        telemetry: [.velocity, .flight, .battery])

    /// What it is doing.
    public private(set) var state = FlightState.disarmed
    /// m/s, in axes that are the body's when it is switched on.
    public private(set) var velocity = Vector3.zero
    /// Where it has drifted to, which it does not tell.
    public private(set) var position = Vector3.zero
    private var setpoint = Vector3.zero
    private var setpointSecondsLeft = 0.0
    private var secondsInState = 0.0

    private static let acceleration = 3.0
    private static let changeSeconds = 1.0

    /// On the ground, motors off.
    public init() {}

    /// Does what it is commanded, or says why not.
    public mutating func handle(_ command: Command) -> CommandReply {
        switch (command, state) {
        case (.takeoff, .disarmed):
            enter(.takingOff)
            return CommandReply(accepted: true, message: "up")
        case (.takeoff, _): return CommandReply(accepted: false, message: "the toy is in the air")
        case (.land, .disarmed): return CommandReply(accepted: false, message: "the toy is on the ground")
        case (.land, _), (.emergencyLand, _):
            if state != .disarmed { enter(.landing) }
            return CommandReply(accepted: true, message: "down")
        case (.hover, _):
            setpoint = .zero
            setpointSecondsLeft = 0
            return CommandReply(accepted: true, message: "holding")
        default: return CommandReply(accepted: false, message: "the toy does not know '\(command.name)'")
        }
    }

    /// Follows a velocity for as long as it is valid; only while it flies.
    public mutating func steer(_ wanted: VelocitySetpoint) {
        guard state == .flying else { return }
        setpoint = wanted.velocityMetresPerSecond
        setpointSecondsLeft = wanted.validFor.inSeconds
    }

    /// Lives on.
    public mutating func step(seconds: Double) {
        secondsInState += seconds
        if secondsInState >= Self.changeSeconds {
            if state == .takingOff { enter(.flying) }
            if state == .landing { enter(.disarmed) }
        }
        setpointSecondsLeft -= seconds
        if setpointSecondsLeft <= 0 || state != .flying { setpoint = .zero }
        let change = setpoint - velocity
        let reach = Self.acceleration * seconds
        velocity = change.length <= reach ? setpoint : velocity + change * (reach / change.length)
        position = position + velocity * seconds
    }

    private mutating func enter(_ state: FlightState) {
        self.state = state
        secondsInState = 0
    }

    /// What it tells of itself: velocity, flight state and battery.
    public func telemetry(name: String, now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: name)
        telemetry.velocityMetresPerSecond = Sample(velocity, at: now)
        telemetry.battery = Sample(Battery(voltageVolts: 3.8, remaining: 0.7), at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        return telemetry
    }
}
