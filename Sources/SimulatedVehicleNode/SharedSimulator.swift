internal import Geodesy
internal import Simulation
internal import Synchronization
internal import UAVLink

/// The simulator as several threads use it: the loop that lets time pass, and the handlers of services and topics.
final class SharedSimulator: Sendable {
    private let simulator: Mutex<HexacopterSimulator>

    init(_ simulator: HexacopterSimulator) { self.simulator = Mutex(simulator) }

    /// Asks the flight stack.
    func call(_ request: Simulation.ServiceCall) -> ServiceAnswer { simulator.withLock { $0.call(request) } }

    /// A velocity from the topic: no answer.
    func steer(_ reference: VelocityReference) {
        simulator.withLock { _ = $0.steer(reference, validSeconds: Self.velocityTimeoutSeconds) }
    }

    /// The real tracker's own time-out, fixed in its code.
    private static let velocityTimeoutSeconds = 0.5

    /// The most simulated time that is caught up with in one go: after a suspension the vehicle goes on from where it was.
    private static let longestCatchUpSeconds = 0.25

    /// Lets the simulated time pass up to an instant.
    ///
    /// - Returns: how much was left out, seconds, since it was more than can be caught up with.
    func advance(to seconds: Double) -> Double {
        simulator.withLock { simulator in
            let missing = seconds - simulator.seconds
            let advanced = min(missing, Self.longestCatchUpSeconds)
            guard advanced > 0 else { return 0 }
            simulator.advance(by: .nanoseconds(Int64(advanced * 1e9)))
            return missing - advanced
        }
    }

    /// Everything that the vehicle tells of itself.
    var snapshot: VehicleSnapshot { simulator.withLock { $0.snapshot } }

    /// The frame that it controls in.
    var controlFrame: String { simulator.withLock { $0.controlFrame.name } }

    /// The lowest height allowed, metres.
    var minimumZMetres: Double? { simulator.withLock { $0.minimumZMetres } }

    /// Whether the stack has come up.
    var isReady: Bool { simulator.withLock { $0.isReady } }

    /// What the satellite receiver says, `nil` outside the world's grid.
    func gnss(_ snapshot: VehicleSnapshot) -> GNSSFix? {
        let copy = simulator.withLock { $0 }
        return try? copy.gnss(snapshot)
    }

    /// Latitude and longitude of a place in the control frame, `nil` outside the world's grid.
    func geographic(_ position: Vector3) -> GeographicCoordinate? {
        let copy = simulator.withLock { $0 }
        return try? copy.geographic(position)
    }
}
