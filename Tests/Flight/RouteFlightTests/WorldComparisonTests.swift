import FlightControl
import Geodesy
import RouteFlight
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// The world that plans are checked in, compared with the vehicle's own.
@MainActor
@Suite("Worlds are compared") struct WorldComparisonTests {
    private static let place = GeographicCoordinate(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)

    private func area(
        corners: [SafetyArea.Corner] = [
            .init(x: -500, y: -500), .init(x: 500, y: -500), .init(x: 500, y: 500), .init(x: -500, y: 500),
        ], _ obstacles: [SafetyArea.Obstacle] = []
    ) -> SafetyArea {
        SafetyArea(
            horizontalFrame: .worldOrigin, corners: corners, verticalFrame: .worldOrigin, minimumZMetres: 0.5,
            maximumZMetres: 15, obstacles: obstacles)
    }

    private func own(_ world: WorldFile) -> OwnWorld {
        .known(
            VehicleWorldFile(
                world, source: .file, bytes: [], told: VehicleWorld(path: "/home/mrs/world.yaml", .unchanged)))
    }

    /// The set-up with a world of the user and one of the vehicle.
    private func setup(used: WorldFile, own: WorldFile) -> WorldSetup {
        var setup = WorldSetup()
        (setup.worldFile, setup.worldFileName, setup.ownWorld) = (used, "field.yaml", self.own(own))
        return setup
    }

    // MARK: Where they lie

    @Test func `a vehicle that reports no origin is elsewhere if its own world's file says so`() throws {
        var away = Self.place
        away.latitudeDegrees += 0.01
        let used = WorldFile(origin: .geographic(Self.place), safetyArea: area())
        let elsewhere = setup(used: used, own: WorldFile(origin: .geographic(away), safetyArea: area()))
        let session = try #require(try elsewhere.session())
        let warning = try #require(elsewhere.mismatchWarning(session))
        #expect(warning.hasPrefix("the vehicle's world_origin is 11"))
        // Their coordinates have nothing in common: a comparison of borders would say that they are the same.
        #expect(elsewhere.ownWorldWarnings(session) == [])
        let findings = WorldFindings(elsewhere, session).findings
        #expect(findings.map(\.weight) == [.failure] && findings.map(\.text) == [warning])
        // The same origin in UTM, whose zone the file does not name.
        let grid = session.utm(xMetres: 0, yMetres: 0)
        let utm = WorldFile.Origin.utm(eastingMetres: grid.eastingMetres, northingMetres: grid.northingMetres)
        let same = setup(used: used, own: WorldFile(origin: utm, safetyArea: area()))
        #expect(same.mismatchWarning(session) == nil && WorldFindings(same, session).findings == [])
        // And the zone of a world file in UTM is that of the vehicle's world.
        let unnamed = setup(
            used: WorldFile(origin: utm, safetyArea: area()), own: WorldFile(origin: .geographic(Self.place)))
        #expect(try unnamed.session()?.zone == session.zone)
        #expect(unnamed.mismatchWarning(try unnamed.session()) == nil)
    }

    @Test func `what the vehicle reports of its origin has precedence over its file`() throws {
        var away = Self.place
        away.latitudeDegrees += 0.01
        var setup = setup(
            used: WorldFile(origin: .geographic(Self.place)), own: WorldFile(origin: .geographic(away)))
        setup.vehicleOrigin = FlightEnvelope.WorldOrigin(
            latitudeDegrees: Self.place.latitudeDegrees, longitudeDegrees: Self.place.longitudeDegrees,
            altitudeMetres: 400, source: .transformer)
        #expect(setup.mismatchWarning(try setup.session()) == nil)
    }

    // MARK: Large ones

    /// Columns of 1 m in a square of 100 m around the origin, 3 m apart, that reach into several squares of the comparison.
    private func columns(shiftedBy shift: (Int) -> Double = { _ in 0 }) -> [SafetyArea.Obstacle] {
        (0..<1089).map { index in
            let (x, y) = (Double(index % 33) * 3 - 49.3 + shift(index), Double(index / 33) * 3 - 49.3)
            return SafetyArea.Obstacle(
                name: "obstacle_\(index)", horizontalFrame: .worldOrigin,
                shape: .polygon([.init(x: x, y: y), .init(x: x + 1, y: y), .init(x: x + 1, y: y + 1)]),
                heights: .init(frame: .worldOrigin, minimumZMetres: 0, maximumZMetres: Double(index % 3) * 0.05 + 4))
        }
    }

    @Test func `a thousand obstacles are the same in any order, and what is moved or missing is counted`() throws {
        let used = WorldFile(origin: .geographic(Self.place), safetyArea: area(columns()))
        func warnings(_ obstacles: [SafetyArea.Obstacle]) throws -> [String] {
            let setup = setup(used: used, own: WorldFile(origin: .geographic(Self.place), safetyArea: area(obstacles)))
            return setup.ownWorldWarnings(try setup.session())
        }
        #expect(try warnings(columns().reversed()) == [])
        // Half a metre counts as the same.
        #expect(try warnings(columns { $0.isMultiple(of: 2) ? 0.4 : -0.4 }.reversed()) == [])
        let moved = columns { (5..<7).contains($0) ? 0.7 : 0 }.dropFirst(3)
        #expect(
            try warnings(moved.reversed()) == [
                "the vehicle's own world has 2 obstacles that the world used here lacks",
                "the world used here has 5 obstacles that the vehicle's own lacks",
            ])
    }

    @Test func `the distance of borders with thousands of corners is the greatest one`() throws {
        func round(_ count: Int, radius: (Int) -> Double) -> WorldFile {
            let corners = (0..<count).map { index in
                let angle = Double(index) / Double(count) * 2 * .pi
                return SafetyArea.Corner(
                    x: radius(index) * Angles.cosine(angle), y: radius(index) * Angles.sine(angle))
            }
            return WorldFile(origin: .geographic(Self.place), safetyArea: area(corners: corners))
        }
        let used = round(4000) { _ in 300 }
        func warnings(_ own: WorldFile) throws -> [String] {
            let setup = setup(used: used, own: own)
            return setup.ownWorldWarnings(try setup.session())
        }
        #expect(try warnings(round(3000) { _ in 300 }) == [])
        #expect(
            try warnings(round(4000) { $0 == 1234 ? 307 : 300 })
                == ["the border of the vehicle's own safety area differs from the one used here by 7.0 m"])
    }

    // MARK: How often

    @Test func `two worlds are compared once for all plans in them, and again when one has changed`() async throws {
        let world = WorldFile(origin: .geographic(Self.place), safetyArea: area())
        let other = WorldFile(
            origin: .geographic(Self.place), safetyArea: area(Array(columns().prefix(2))))
        var setup = setup(used: world, own: other)
        let comparison = WorldComparison()
        let session = try setup.session()
        let found = await comparison.findings(setup, session)
        let words = "the vehicle's own world has 2 obstacles that the world used here lacks"
        #expect(found.findings.map(\.text) == [words])
        #expect(found.world == CheckedWorld(.user, path: "field.yaml"))
        for _ in 0..<10 { #expect(await comparison.findings(setup, session) == found) }
        #expect(comparison.comparisonCount == 1)
        setup.ownWorld = own(world)
        #expect(await comparison.findings(setup, session).findings == [])
        #expect(comparison.comparisonCount == 2)
        // With one world there is nothing to compare.
        setup.forgetWorldFile()
        #expect(await comparison.findings(setup, session).world?.source == .vehicle)
        #expect(comparison.comparisonCount == 2)
    }
}
