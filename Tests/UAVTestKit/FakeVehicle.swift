public import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The least that behaves like a vehicle: moves in straight lines at fixed speeds, refuses with the real stack's texts.
///
/// A value without clock or I/O; ``Simulation`` has the believable one.
public struct FakeVehicle: Hashable, Sendable {
    /// What it is doing.
    public private(set) var state: FlightState = .disarmed
    /// Whether control output is on.
    public private(set) var isOutputEnabled = false
    /// Whether the autopilot listens to the flight stack.
    public private(set) var isOffboard = false
    /// Whether it refuses every reference, as after an emergency hover.
    public private(set) var refusesReferences = false
    /// ENU metres.
    public private(set) var position = Vector3.zero
    /// ENU radians.
    public private(set) var heading = 0.0
    /// ENU metres per second.
    public private(set) var velocity = Vector3.zero
    private var goal: Vector3?
    private var setpoint = Vector3.zero
    private var headingRate = 0.0
    private var setpointSecondsLeft = 0.0
    /// The trajectory that was loaded last.
    public private(set) var trajectory: Trajectory?
    /// Where pictures were taken.
    public private(set) var snapshots: [Trajectory.Point] = []

    private static let speed = 4.0
    private static let takeoffHeight = 1.5
    private static let noReference = "can not set the reference, the callbacks are disabled"

    /// On the ground at the origin, disarmed.
    public init() {}

    /// Whether it is on its way somewhere.
    public var hasGoal: Bool { goal != nil && state == .flying }

    /// Does what it is commanded, or says why not.
    public mutating func handle(_ command: Command) -> CommandReply {
        if let refusal = refusal(of: command) { return CommandReply(accepted: false, message: refusal) }
        return CommandReply(accepted: true, message: act(on: command))
    }

    /// Takes a setpoint; on the ground and while references are refused it does nothing.
    public mutating func steer(_ wanted: VelocitySetpoint) {
        guard state == .flying, !refusesReferences else { return }
        let v = wanted.velocityMetresPerSecond
        let (sine, cosine) = wanted.frame == .body ? sineAndCosine : (0, 1)
        setpoint = Vector3(x: v.x * cosine - v.y * sine, y: v.x * sine + v.y * cosine, z: v.z)
        headingRate = wanted.headingRateRadiansPerSecond
        setpointSecondsLeft = wanted.validFor.inSeconds
        goal = nil
    }

    /// Lets time pass.
    public mutating func step(seconds: Double) {
        guard seconds > 0, state.isAirborne else { return }
        if setpointSecondsLeft > 0 {
            let moving = min(seconds, setpointSecondsLeft)
            position = position + setpoint * moving
            position.z = max(position.z, 0)
            heading = Heading.wrapped(heading + headingRate * moving)
            velocity = setpoint
            setpointSecondsLeft -= seconds
            return
        }
        velocity = .zero
        guard let target = goal else { return }
        let way = target - position
        let reach = (state == .flying ? Self.speed : 1) * seconds
        if way.length <= reach {
            position = target
            goal = nil
            arrive()
        } else {
            velocity = way * (reach / way.length / seconds)
            position = position + velocity * seconds
        }
    }

    /// What it tells of itself at `now`.
    public func telemetry(name: String, now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: name)
        let pose = Pose(frame: .worldOrigin, positionMetres: position, headingRadians: heading)
        telemetry.pose = Sample(pose, at: now)
        telemetry.velocityMetresPerSecond = Sample(velocity, at: now)
        telemetry.heightAboveGroundMetres = Sample(position.z, at: now)
        telemetry.battery = Sample(Battery(voltageVolts: 23.1), at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: isOffboard, isOutputEnabled: isOutputEnabled,
                isFlyingNormally: state == .flying), at: now)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: state.isAirborne ? "MpcTracker" : "NullTracker", controller: "Se3Controller",
                takesReferences: state == .flying && !refusesReferences, hasGoal: hasGoal), at: now)
        return telemetry
    }

    private func refusal(of command: Command) -> String? {
        switch command {
        case .arm, .enableOutput, .hover, .emergencyHover: nil
        case .offboard: state == .armed ? nil : "Cannot switch to offboard, not armed."
        case .takeoff:
            if state == .disarmed {
                "can not takeoff, UAV not armed!"
            } else if state != .armed {
                "can not takeoff, need 'NullTracker' to be active!"
            } else if !isOutputEnabled {
                "can not takeoff, Control Manager's output is disabled!"
            } else if !isOffboard {
                "can not takeoff, not in offboard mode!"
            } else {
                nil
            }
        case .land: state.isAirborne ? nil : "can not land, 'NullTracker' is active!"
        case .landHome: state.isAirborne ? nil : "can not land home, did not takeoff before!"
        case .emergencyLand: state.isAirborne ? nil : "can not trigger eland while not flying"
        case .goTo(let destination):
            if state.isAirborne {
                refusesReferences ? Self.noReference : nil
            } else if case .frame = destination.reference {
                "the tracker 'NullTracker' does not implement the 'setReference()' function!"
            } else {
                "not flying"
            }
        case .altitude, .heading, .turn: !state.isAirborne ? "not flying" : refusesReferences ? Self.noReference : nil
        case .uploadTrajectory, .snapshot: nil
        case .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            trajectory == nil ? "no trajectory loaded" : state == .flying ? nil : "not flying"
        }
    }

    private mutating func act(on command: Command) -> String {
        switch command {
        case .arm(let on):
            state = on ? (state == .disarmed ? .armed : state) : .disarmed
            return on ? "armed" : "disarmed"
        case .enableOutput(let on):
            isOutputEnabled = on
            return on ? "output enabled" : "output disabled"
        case .offboard:
            isOffboard = true
            return "offboard"
        case .takeoff:
            state = .takingOff
            goal = Vector3(x: position.x, y: position.y, z: Self.takeoffHeight)
            return "taking off"
        case .land, .landHome, .emergencyLand:
            state = command == .emergencyLand ? .emergency : .landing
            let home = command == .landHome ? Vector3.zero : position
            goal = Vector3(x: home.x, y: home.y, z: 0)
            setpointSecondsLeft = 0
            return command == .landHome
                ? "flying home for landing" : command == .land ? "landing initiated" : "eland activated"
        case .hover, .emergencyHover:
            if state == .flying { goal = nil }
            setpointSecondsLeft = 0
            velocity = .zero
            refusesReferences = refusesReferences || command == .emergencyHover
            return command == .hover ? "initiating hover" : "ehover activated"
        case .goTo(let destination):
            go(to: destination)
            return "reference set"
        case .altitude(let metres):
            goal = Vector3(x: position.x, y: position.y, z: metres)
            return "reference set"
        case .heading(let radians):
            heading = Heading.wrapped(radians)
            return "reference set"
        case .turn(let radians):
            heading = Heading.wrapped(heading + radians)
            return "reference set"
        case .uploadTrajectory(let new):
            trajectory = new
            return "trajectory loaded"
        case .goToTrajectoryStart:
            goal = trajectory?.points.first?.position
            return "flying to the start of the trajectory"
        case .startTrajectory, .resumeTrajectory:
            goal = trajectory?.points.last?.position
            return command == .startTrajectory ? "trajectory tracking started" : "trajectory tracking resumed"
        case .stopTrajectory:
            goal = nil
            return "stopping trajectory tracking"
        case .snapshot:
            snapshots.append(.init(position: position, headingRadians: heading))
            return "snapshot \(snapshots.count) taken"
        }
    }

    private mutating func go(to destination: Command.Destination) {
        let p = destination.position
        let (sine, cosine) = destination.reference == .body ? sineAndCosine : (0, 1)
        setpointSecondsLeft = 0
        if case .frame = destination.reference {
            goal = p
            heading = Heading.wrapped(destination.headingRadians)
        } else {
            goal = position + Vector3(x: p.x * cosine - p.y * sine, y: p.x * sine + p.y * cosine, z: p.z)
            heading = Heading.wrapped(heading + destination.headingRadians)
        }
    }

    private mutating func arrive() {
        switch state {
        case .takingOff: state = .flying
        case .landing, .emergency:
            state = .disarmed
            isOutputEnabled = false
            isOffboard = false
        case .unknown, .disarmed, .armed, .flying: break
        }
    }

    private var sineAndCosine: (sine: Double, cosine: Double) { (sin(heading), cos(heading)) }
}

extension FakeVehicle {
    /// One that has taken off.
    public static var flying: FakeVehicle {
        var vehicle = FakeVehicle()
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] { _ = vehicle.handle(command) }
        vehicle.step(seconds: 5)
        return vehicle
    }
}
