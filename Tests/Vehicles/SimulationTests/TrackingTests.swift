import Geodesy
import Testing
import Trajectories
import UAVLink

@testable import Simulation

/// A planned trajectory at the speed of the default constraints is flown where it was planned.
@Suite("Trajectories are followed closely") struct TrackingTests {
    /// A field of our own making, as large as the small ones that are flown over.
    private static let field = WorldFile(
        origin: .geographic(GeographicCoordinate(latitudeDegrees: 49.4, longitudeDegrees: 14.2)),
        safetyArea: SafetyArea(
            horizontalFrame: .worldOrigin,
            corners: [.init(x: -60, y: -40), .init(x: 110, y: -40), .init(x: 120, y: 120), .init(x: -60, y: 130)],
            verticalFrame: .worldOrigin, minimumZMetres: 1, maximumZMetres: 15))

    private static let places = [
        Vector3(x: 0, y: 0, z: 4), Vector3(x: 60, y: 30, z: 6), Vector3(x: 60, y: 80, z: 9),
        Vector3(x: 0, y: 100, z: 9), Vector3(x: -30, y: 40, z: 5), Vector3(x: 0, y: 0, z: 4),
    ]

    private struct Errors {
        /// From where the vehicle truly was, and where it said that it was, to the path.
        var truly: [Double] = []
        var estimated: [Double] = []
        /// From where the tracker wanted it to the path.
        var wanted: [Double] = []
        /// From where it truly was to where the plan was at the time.
        var atTime: [Double] = []
        var greatestSpeed = 0.0
    }

    private func fly(
        _ places: [Vector3], seed: UInt64, options: TrajectoryOptions = .init(),
        _ change: (inout SimulatorConfiguration) -> Void = { _ in }
    ) throws -> Errors {
        let generated = try TrajectoryGenerator(limits: .medium, options: options).trajectory(
            through: places.map { PlannedPoint(position: $0) })
        let flight = try Flight(seed: seed) {
            $0.world = Self.field
            change(&$0)
        }
        #expect(flight.takeOff())
        let loaded = flight.simulator.call(.trajectoryReference(TrajectoryReference(generated.trajectory)))
        #expect(loaded.success && !loaded.isModified, "\(loaded.message)")
        #expect(flight.simulator.call(.goToTrajectoryStart).success)
        #expect(flight.arrive() != nil)
        let path = try #require(PathDistance(generated.trajectory.points.map(\.position)))
        #expect(flight.simulator.call(.startTrajectory).success)
        var errors = Errors()
        let begun = flight.simulator.seconds
        while flight.now.tracker.isTrackingTrajectory {
            for _ in 0..<10 { flight.simulator.step() }
            let now = flight.now
            errors.truly.append(path.distance(to: now.truePosition))
            errors.estimated.append(path.distance(to: now.position))
            errors.wanted.append(path.distance(to: now.referencePosition))
            let there = generated.trajectory.position(at: now.seconds - begun)
            errors.atTime.append((there - now.truePosition).length)
            errors.greatestSpeed = max(errors.greatestSpeed, now.velocity.length)
        }
        return errors
    }

    @Test func `wind and gusts do not carry it off its plan`() throws {
        let errors = try fly(Self.places, seed: 5) {
            $0.windMetresPerSecond = Vector3(x: 4, y: -2, z: 0)
            $0.gustsMetresPerSecond = 0.5
        }
        #expect(try #require(errors.truly.max()) < 0.5)
    }

    @Test func `a path sampled as the seed has it, straight through corners, ends where it ends`() throws {
        var options = TrajectoryOptions()
        options.shape = .straight
        let errors = try fly(Self.places, seed: 6, options: options)
        #expect(try #require(errors.truly.max()) < 0.2)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a route at 4 m-s is flown within 0_3 m of its plan`(seed: UInt64) throws {
        let errors = try fly(Self.places, seed: seed)
        #expect(errors.greatestSpeed > 3.9)
        #expect(try #require(errors.wanted.max()) < 0.1)
        #expect(try #require(errors.truly.max()) < 0.2)
        #expect(try #require(errors.estimated.max()) < 0.2)
        #expect(try #require(errors.atTime.max()) < 0.3)
    }
}
