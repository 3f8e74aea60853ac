import Geodesy
import PointCloud
import Synchronization
import Testing
import UAVLink

@testable import Simulation

@Suite("The simulated vehicle tells what a plan needs") struct SurveyTests {
    @Test(arguments: [
        FrameName.worldOrigin, .latitudeLongitude, .utm, .localOrigin, FrameName("fcu"), .bodyUntilted,
        FrameName("uav1/fixed_origin"),
    ])
    func `a place comes back from every frame as it was`(_ frame: FrameName) throws {
        var configuration = SimulatorConfiguration()
        configuration.startXMetres = 12
        configuration.startHeadingRadians = 0.7
        let simulator = try HexacopterSimulator(configuration)
        let place = PlaceReference(frame: .current, position: Vector3(x: 3, y: -4, z: 5), headingRadians: 0.4)
        let there = try #require(simulator.transform(place, to: frame))
        let back = try #require(simulator.transform(there, to: .current))
        #expect((back.position - place.position).length < 1e-6)
        #expect(abs(back.headingRadians - 0.4) < 1e-9)
    }

    @Test func `an unknown frame and a place that is none are refused`() throws {
        let simulator = try HexacopterSimulator()
        let place = PlaceReference(frame: .current, position: .zero, headingRadians: 0)
        #expect(simulator.transform(place, to: FrameName("nowhere")) == nil)
        var none = place
        none.position.x = .nan
        #expect(simulator.transform(none, to: .worldOrigin) == nil)
    }

    @Test func `the envelope follows the constraint set`() throws {
        var simulator = try HexacopterSimulator()
        #expect(simulator.envelope.limits == .medium)
        _ = simulator.call(.setConstraints("slow"))
        #expect(simulator.envelope.limits?.horizontal.speed == 1)
        #expect(abs((simulator.envelope.worldOrigin?.latitudeDegrees ?? 0) - 47.397743) < 1e-9)
    }

    @Test func `each picture is counted with its place, and the oldest are forgotten`() throws {
        var simulator = try HexacopterSimulator()
        for number in 1...SimulatedCamera.maximumKept + 3 {
            let answer = simulator.call(.snapshot)
            #expect(answer.success && answer.message == "snapshot \(number) taken")
        }
        #expect(simulator.snapshots.count == SimulatedCamera.maximumKept)
        #expect(simulator.snapshots.last?.position == simulator.snapshot.truePosition)
    }

    @Test func `its world is that of its configuration, with the obstacles, and is told once`() async throws {
        var configuration = SimulatorConfiguration()
        configuration.world.safetyArea?.obstacles = [
            .init(
                name: "obstacle_0", horizontalFrame: .worldOrigin,
                shape: .polygon([.init(x: 1, y: 1), .init(x: 2, y: 1), .init(x: 2, y: 2)]),
                heights: .init(frame: .worldOrigin, minimumZMetres: 0, maximumZMetres: 5))
        ]
        let link = SimulatedLink(try HexacopterSimulator(configuration))
        try await link.connect(within: .seconds(1))
        let world = try await link.world(knowing: 0, within: .seconds(1))
        guard case .document(.simulation, let bytes) = world.content else {
            Issue.record("\(world)")
            return
        }
        #expect(world.path.isEmpty && world.obstruction == nil)
        #expect(try WorldFileReader.read(bytes, source: "world") == configuration.world)
        let known = VehicleWorld.fingerprint(of: .simulation, bytes)
        #expect(try await link.world(knowing: known, within: .seconds(1)).content == .unchanged)
        await link.close()
    }

    @Test func `its map is offered, thinned as asked and bounded`() async throws {
        var settings = SimulatedLink.Settings()
        settings.map = PointCloud(
            offsets: (0..<10_000).map { SIMD3(Float($0 % 100) * 0.1, Float($0 / 100) * 0.1, 0) })
        let link = SimulatedLink(try HexacopterSimulator(), settings: settings)
        try await link.connect(within: .seconds(1))
        let maps = try await link.maps(within: .seconds(1))
        #expect(maps == [AvailableMap(topic: "/uav1/map/points", frame: .worldOrigin, points: 10_000)])
        func pull(_ spacing: Double, _ most: Int) async throws -> PointCloud {
            let reported = Mutex<[Double]>([])
            let bytes = try await link.pullMap(
                MapRequest(topic: "/uav1/map/points", spacingMetres: spacing, maximumPoints: most), within: .seconds(20)
            ) { fraction in reported.withLock { $0.append(fraction) } }
            let progress = reported.withLock { $0 }
            #expect(progress == progress.sorted() && progress.last == 1)
            return try CloudReader.read(bytes, source: "map").cloud
        }
        #expect(try await pull(0, 20_000).count == 10_000)
        let thin = try await pull(0.5, 20_000)
        #expect(thin.count > 200 && thin.count < 600)
        let few = try await pull(0, 500)
        #expect(few.count <= 500 && few.count > 200)
        await link.close()
    }
}
