import Simulation
import UAVLink

/// A vehicle in the tests' hands.
final class Flight {
    var simulator: HexacopterSimulator

    init(seed: UInt64 = 1, _ change: (inout SimulatorConfiguration) -> Void = { _ in }) throws {
        var configuration = SimulatorConfiguration()
        configuration.seed = seed
        change(&configuration)
        simulator = try HexacopterSimulator(configuration)
    }

    var now: VehicleSnapshot { simulator.snapshot }

    /// Steps until the condition holds; the seconds that took, or `nil` when it never came to hold.
    @discardableResult
    func wait(atMost seconds: Double, for condition: (VehicleSnapshot) -> Bool) -> Double? {
        let start = simulator.seconds
        while simulator.seconds - start < seconds {
            if condition(simulator.snapshot) { return simulator.seconds - start }
            for _ in 0..<10 { simulator.step() }
        }
        return condition(simulator.snapshot) ? seconds : nil
    }

    func pause(_ seconds: Double) {
        for _ in 0..<Int(seconds * Double(HexacopterSimulator.stepsPerSecond)) { simulator.step() }
    }

    /// Until the autopilot's status shows what its services have answered.
    func settle() { pause(0.01) }

    /// The whole sequence; `false` when any step was refused or it is not up within ten seconds.
    func takeOff() -> Bool {
        guard simulator.call(.arming(true)).success, simulator.call(.toggleOutput(true)).success else { return false }
        pause(0.3)
        guard simulator.call(.offboard).success else { return false }
        settle()
        guard simulator.call(.takeoff).success else { return false }
        return wait(atMost: 10) { $0.flight.isFlyingNormally && !$0.tracker.hasGoal } != nil
    }

    func goTo(_ x: Double, _ y: Double, _ z: Double, heading: Double = 0) -> ServiceAnswer {
        simulator.call(.goTo(Vector3(x: x, y: y, z: z), headingRadians: heading))
    }

    /// Waits for a goal that was just accepted: up to its take-up, then until it is reached.
    func arrive(atMost seconds: Double = 60) -> Double? {
        guard let begun = wait(atMost: 1, for: { $0.tracker.hasGoal }) else { return nil }
        return wait(atMost: seconds) { !$0.tracker.hasGoal }.map { $0 + begun }
    }
}
