internal import FlightVolume
internal import Geodesy
internal import UAVLink

/// Simulates a hexacopter with its flight stack: no clock, no I/O, and randomness only from its seed. It is a value: a
/// copy is a second vehicle in the same state.
///
/// Time advances only in ``step()``, by one millisecond; the estimator, the tracker, the controller's outer loop and
/// the state machines run at 100 Hz.
public struct HexacopterSimulator: Sendable {
    /// Steps in a simulated second.
    public static let stepsPerSecond = 1000
    static let stepsPerTick = 10
    static let stepSeconds = 1 / Double(stepsPerSecond)
    static let tickSeconds = Double(stepsPerTick) / Double(stepsPerSecond)

    /// The initial configuration.
    public let configuration: SimulatorConfiguration
    /// Steps taken so far.
    public private(set) var stepCount: Int64 = 0

    let frames: WorldFrames
    var safety: FlyableVolume?
    var stack = StackState()
    var tracker: Tracker?
    /// A pilot who flies it by radio; `nil` while the autopilot obeys the flight stack.
    var radio: RadioPilot?
    var body: RigidBody
    var controller: FlightController
    var battery: LithiumBattery
    var sensors: SensorNoise
    var thrustShare = 1.0
    private var chance: NoiseSource

    /// A vehicle on the ground.
    ///
    /// - Throws: ``SimulatorError`` if the world, the start position or the constraints are invalid.
    public init(_ configuration: SimulatorConfiguration = SimulatorConfiguration()) throws(SimulatorError) {
        guard configuration.startXMetres.isFinite, configuration.startYMetres.isFinite,
            configuration.startHeadingRadians.isFinite, configuration.windMetresPerSecond.isFinite
        else { throw SimulatorError("the start or the wind is not a finite number") }
        guard Constraints.named(configuration.constraints) != nil else {
            throw SimulatorError(
                "the constraints '\(configuration.constraints.sanitizedLine)' do not exist; known are "
                    + Constraints.names.joined(separator: ", "))
        }
        guard let zone = configuration.zone else { throw SimulatorError("the world's UTM zone is missing") }
        self.configuration = configuration
        body = RigidBody(
            airframe: configuration.airframe, x: configuration.startXMetres, y: configuration.startYMetres,
            headingRadians: configuration.startHeadingRadians)
        do throws(GeodesyError) {
            frames = WorldFrames(
                vehicle: configuration.vehicle, grid: try configuration.world.frame(zone: zone),
                groundAltitude: configuration.groundAltitudeMetres, start: body.position)
        } catch {
            throw SimulatorError(error.what)
        }
        if let area = configuration.world.safetyArea {
            guard let volume = frames.volume(area) else {
                throw SimulatorError("the safety area's frame '\(area.horizontalFrame)' is not known")
            }
            safety = volume
        }
        controller = FlightController(airframe: configuration.airframe)
        battery = LithiumBattery(charge: configuration.batteryCharge)
        sensors = SensorNoise(configuration, step: Self.tickSeconds)
        chance = NoiseSource(seed: configuration.seed)
        stack.constraints = configuration.constraints
        battery.draw(watts: configuration.airframe.avionicsWatts, seconds: 0)
    }

    /// Simulated seconds since the start.
    public var seconds: Double { Double(stepCount) / Double(Self.stepsPerSecond) }

    /// Simulated time since the start.
    public var elapsed: Duration { .milliseconds(stepCount) }

    /// Whether the flight stack has started.
    public var isReady: Bool { seconds >= configuration.readyAfterSeconds }

    /// Advances by one millisecond.
    public mutating func step() {
        if stepCount % Int64(Self.stepsPerTick) == 0 { tick() }
        updateStatus()
        stepCount += 1
        let thrusts: SIMD8<Double>
        if !stack.isArmed {
            thrusts = .zero
        } else if tracker != nil || radio != nil {
            thrusts = controller.thrusts(attitude: body.attitude, rates: body.rates)
        } else {
            let idle = configuration.airframe.rotorThrustNewtons * configuration.airframe.idleSpeed
            thrusts = Airframe.Rotors.present * (idle * configuration.airframe.idleSpeed)
        }
        body.step(
            seconds: Self.stepSeconds, thrusts: thrusts, ceiling: battery.speedCeiling, wind: sensors.air)
    }

    /// Advances by a duration, rounded down to whole steps.
    public mutating func advance(by time: Duration) {
        let steps = time.nanoseconds / 1_000_000
        for _ in 0..<max(0, steps) { step() }
    }

    private mutating func tick() {
        sensors.update(from: &chance)
        battery.draw(watts: body.power, seconds: Self.tickSeconds)
        updateSwitches()
        updateFlight()
        updateRadio()
        guard var moving = radio?.motion ?? tracker, let constraints = Constraints.named(stack.constraints) else {
            return
        }
        let isLandoff = radio?.isLanding ?? stack.phase.usesLandoffTracker
        moving.step(
            now: seconds, horizontal: constraints.limits.horizontal,
            up: isLandoff ? Constraints.landoffUp : constraints.limits.ascending,
            down: isLandoff ? Constraints.landoffDown : constraints.limits.descending,
            turning: constraints.limits.heading)
        let (position, velocity) = (estimatedPosition, estimatedVelocity)
        controller.follow(
            moving, position: position, velocity: velocity, tiltLimit: constraints.tiltRadians, share: thrustShare,
            seconds: Self.tickSeconds)
        if radio == nil { tracker = moving } else { radio?.motion = moving }
    }

    /// Metres above ground, as the range finder has it.
    var measuredHeight: Double { max(configuration.airframe.gearMetres, body.position.z + sensors.rangeError) }
    var estimatedPosition: Vector3 { body.position + sensors.positionError }
    var estimatedVelocity: Vector3 { body.velocity + (body.isOnGround ? .zero : sensors.velocityError) }
    var airborneBody: (position: Vector3, attitude: Quaternion) { (estimatedPosition, body.attitude) }
}

/// Why a simulation cannot start.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, in one line.
    public let what: String

    /// Creates an error with a message.
    public init(_ what: String) { self.what = what }

    /// The message.
    public var description: String { what }
}
