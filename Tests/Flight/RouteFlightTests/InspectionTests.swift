import FlightVolume
import RouteFlight
import Geodesy
import Planning
import PointCloud
import ReportKit
import Testing
import Trajectories
import UAVLink

@Suite struct InspectionTests {
    /// A closed room of 6 m x 4 m x 2.6 m with a wall across at x = 3 that has a door of 1.4 m, and a place of its own in each half.
    static func room(door: Double = 1.4) -> PointCloud {
        var offsets: [SIMD3<Float>] = []
        func sheet(_ corner: SIMD3<Float>, _ one: SIMD3<Float>, _ other: SIMD3<Float>, _ count: Int) {
            for i in 0...count {
                for j in 0...count {
                    let (a, b) = (Float(i) / Float(count), Float(j) / Float(count))
                    offsets.append(corner + a * one + b * other)
                }
            }
        }
        let (x, y, z) = (SIMD3<Float>(6, 0, 0), SIMD3<Float>(0, 4, 0), SIMD3<Float>(0, 0, 2.6))
        for (corner, one, other) in [(.zero, x, y), (z, x, y), (.zero, x, z), (y, x, z), (.zero, y, z), (x, y, z)] {
            sheet(corner, one, other, 40)
        }
        let side = SIMD3<Float>(0, Float(2 - door / 2), 0)
        sheet(SIMD3(3, 0, 0), side, z, 30)
        sheet(SIMD3(3, 4, 0), -side, z, 30)
        return PointCloud(offsets: offsets)
    }

    static let settings: InspectionSettings = {
        var settings = InspectionSettings()
        settings.body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.15)
        settings.unknownIsOpen = true
        return settings
    }()

    static func point(_ x: Double, _ y: Double, _ z: Double = 1.2) -> PlannedPoint {
        PlannedPoint(
            position: Vector3(x: x, y: y, z: z), heading: .fixed(radians: 1), cameraPitchRadians: -0.3,
            takesSnapshot: true)
    }

    /// The least distance of the samples' lines to any point, by looking at each.
    static func clearance(_ samples: [Vector3], _ map: PointCloud) -> Double {
        var least = Double.infinity
        var previous: Vector3?
        // Sparse enough to be quick: samples stand still where the vehicle holds.
        for sample in samples where sample != previous {
            let start = previous ?? sample
            previous = sample
            let along = sample - start
            let squared = max(along.dot(along), .leastNormalMagnitude)
            for index in 0..<map.count {
                let to = map.point(index) - start
                least = min(least, (to - along * min(1, max(0, to.dot(along) / squared))).length)
            }
        }
        return least
    }

    @Test func `a trajectory past the points keeps its clearance, holds and takes snapshots`() async throws {
        let map = Self.room()
        let interactor = InspectionInteractor(map: map, settings: Self.settings)
        let points = [Self.point(5, 3), Self.point(1.2, 3), Self.point(5, 0.9)]
        let start = Vector3(x: 1, y: 1, z: 1)
        var conditions = FlightConditions(limits: .medium)
        conditions.settings.options.spacingMetres = 0.2
        conditions.settings.options.timeStepSeconds = 0.1
        let plan = try await interactor.plan(past: points, from: start, conditions)
        #expect(plan.path.first?.position == start)
        #expect(plan.visits.compactMap(\.self) == [1, 0, 2] || plan.visits.compactMap(\.self) == [1, 2, 0])
        for (place, visit) in zip(plan.path, plan.visits) {
            guard let visit else {
                #expect(!place.takesSnapshot && place.holdSeconds == 0)
                continue
            }
            #expect(place.position == points[visit].position && place.heading == points[visit].heading)
            #expect(place.takesSnapshot && place.holdSeconds == 2 && place.cameraPitchRadians == -0.3)
        }
        #expect(plan.segments.count == plan.path.count - 1 && plan.flown.count == plan.segments.count)
        let brute = Self.clearance(plan.trajectory.generated.trajectory.points.map(\.position), map)
        #expect(brute >= 0.5)
        #expect(abs(brute - plan.leastClearanceMetres) < 1e-6)
        #expect(plan.deviationMetres >= 0.1)
        #expect(plan.confirmation.leastClearanceMetres == plan.leastClearanceMetres)
        #expect(plan.confirmation.lengthMetres > 8)
        let files = ["a.txt", "a.yaml"]
        #expect(InspectionReport.lines(plan, writtenTo: files).last == "written to a.txt and a.yaml")
        #expect(!InspectionReport.lines(plan).contains { $0.hasPrefix("written") })
        #expect(InspectionReport.json(plan, writtenTo: files).text.contains("\"written\": [\"a.txt\", \"a.yaml\"]"))
    }

    @Test func `where the door leaves no clearance to round corners the trajectory stops at them`() async throws {
        // The door's middle keeps half a metre and 2 cm: not the ten that rounding wants.
        let interactor = InspectionInteractor(map: Self.room(door: 1.12), settings: Self.settings)
        let plan = try await interactor.plan(
            past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), FlightConditions(limits: .medium))
        #expect(plan.leastClearanceMetres >= 0.5 && plan.leastClearanceMetres < 0.6)
        #expect(plan.deviationMetres < 0.1)
    }

    @Test func `an exclusion zone of the file is planned around`() async throws {
        let interactor = InspectionInteractor(map: Self.room(door: 3), settings: Self.settings)
        let zone = FlightObstacle(name: "zone", shape: .circle(centre: [4.6, 2], radiusMetres: 0.05))
        let limit = FlyableVolume(
            corners: [], minimumZMetres: -1e7, maximumZMetres: 1e7, obstacles: [zone], obstacleMarginMetres: 0.6)
        let conditions = FlightConditions(limits: .medium).limited(by: [NamedVolume("the geofence", limit)])
        let plan = try await interactor.plan(
            past: [Self.point(4.6, 3.2)], from: Vector3(x: 4.6, y: 0.8, z: 1.2), conditions)
        #expect(!plan.trajectory.report.findings.contains { $0.kind == .obstacle })
        #expect(plan.path.count > 2)
        // The path itself stays so much farther away that its corners can be rounded.
        let reserve = 0.1
        for (start, end) in zip(plan.path, plan.path.dropFirst()) {
            let way = end.position - start.position
            let least = (0...100).map { zone.distance(start.position + way * (Double($0) / 100)) }.min()
            #expect((least ?? 0) >= 0.6 + reserve - 0.01)
        }
    }

    @Test func `an edited path is checked again, and one that is not safe is named`() async throws {
        let interactor = InspectionInteractor(map: Self.room(), settings: Self.settings)
        let conditions = FlightConditions(limits: .medium)
        let plan = try await interactor.plan(
            past: [Self.point(5, 2)], from: Vector3(x: 1, y: 2, z: 1.2), conditions)
        var path = plan.path
        path.insert(Self.point(3, 3.4), at: path.count - 1)
        await #expect {
            _ = try await interactor.plan(along: path, visits: path.map { _ in nil }, conditions)
        } throws: {
            guard case .unsafe(let segment, .mapPoint) = $0 as? InspectionFailure else { return false }
            return segment == path.count - 3
        }
        path[path.count - 2] = Self.point(3, 2.05)
        let edited = try await interactor.plan(along: path, visits: path.map { _ in nil }, conditions)
        #expect(edited.path == path)
        #expect(edited.leastClearanceMetres >= 0.5)
    }

    @Test func `why there is no path is said in words that name point, gap and what can be reached`() async throws {
        let narrow = InspectionInteractor(map: Self.room(door: 0.6), settings: Self.settings)
        let conditions = FlightConditions(limits: .medium)
        let failure = await #expect(throws: InspectionFailure.self) {
            try await narrow.plan(
                past: [Self.point(1.4, 2), Self.point(5, 2)], from: Vector3(x: 1, y: 2, z: 1.2), conditions)
        }
        let line = InspectionText.line(try #require(failure))
        #expect(line.contains("no path from point 1 to point 2") || line.contains("no path from the start to point 2"))
        #expect(line.contains("the map leaves 0.6") && line.contains("1.00 m is needed"))
        #expect(line.contains("nearest reachable position is (2."))

        // Without a start the first point is where it begins, and is called so.
        let wall = await #expect(throws: InspectionFailure.self) {
            try await narrow.plan(past: [Self.point(1.4, 2), Self.point(5.8, 2)], conditions)
        }
        #expect(
            InspectionText.line(try #require(wall)).hasPrefix(
                "the vehicle cannot be at point 2: map point (6.00, 2.00"))
    }

    @Test func `an obstacle of the world that is in the way is named, at a point and between two`() async throws {
        let interactor = InspectionInteractor(map: Self.room(), settings: Self.settings)
        func volume(_ shape: FlightObstacle.Shape) -> FlightConditions {
            var volume = FlyableVolume(corners: [], minimumZMetres: -10, maximumZMetres: 10)
            volume.obstacles = [FlightObstacle(name: "obstacle_0", shape: shape)]
            volume.obstacleMarginMetres = 0.6
            return FlightConditions(limits: .medium, volume: volume)
        }
        let start = Vector3(x: 1, y: 2, z: 1.2)
        let between = await #expect(throws: InspectionFailure.self) {
            // It closes the door.
            try await interactor.plan(
                past: [Self.point(5, 2)], from: start, volume(.polygon([[2.9, 0], [3.1, 0], [3.1, 4], [2.9, 4]])))
        }
        let line = InspectionText.line(try #require(between))
        #expect(line.contains("the straight line crosses the obstacle 'obstacle_0'"), "\(line)")
        let inside = await #expect(throws: InspectionFailure.self) {
            try await interactor.plan(
                past: [Self.point(5, 2)], from: start, volume(.circle(centre: [5, 2], radiusMetres: 0.2)))
        }
        let reason = InspectionText.line(try #require(inside))
        let expected = "the vehicle cannot be at point 1: it is in the obstacle 'obstacle_0', or too close to it"
        #expect(reason.hasPrefix(expected), "\(reason)")
    }

    // The door's posts have a point every 8.7 cm: a place between four is farther from them than half the door's width. Of the second
    // door it is 0.5018 m away, and 0.5 m is promised.
    @Test func `a door that is hardly wide enough is flown through, else measured to more digits`() async throws {
        let conditions = FlightConditions(limits: .medium)
        let start = Vector3(x: 1, y: 0.8, z: 1.2)
        for door in [1.003, 0.9999] {
            let wide = InspectionInteractor(map: Self.room(door: door), settings: Self.settings)
            let plan = try await wide.plan(past: [Self.point(5, 3.2)], from: start, conditions)
            #expect(plan.leastClearanceMetres >= 0.5)
        }

        let narrow = InspectionInteractor(map: Self.room(door: 0.995), settings: Self.settings)
        let failure = await #expect(throws: InspectionFailure.self) {
            try await narrow.plan(past: [Self.point(5, 3.2)], from: start, conditions)
        }
        let line = InspectionText.line(try #require(failure))
        // The cells were made smaller first.
        #expect(line.contains("no path from the start to point 1 at this cell size (0.063 m): "), "\(line)")
        #expect(line.contains("the map leaves 0.99") && line.contains("; 1.00"), "\(line)")
        #expect(!line.contains("1.004"), "\(line)")
    }

    @Test func `a point that is as far from the map as promised is reached, and of a nearer one the promise is named`()
        async throws
    {
        let conditions = FlightConditions(limits: .medium)
        let interactor = InspectionInteractor(map: Self.room(door: 3), settings: Self.settings)
        let start = Vector3(x: 1, y: 2, z: 1.2)
        // The wall at x = 6 has a point every 15 cm across and 6.5 cm up; this one is in front of a point.
        let near = try await interactor.plan(past: [Self.point(5.4990, 2, 1.3)], from: start, conditions)
        #expect(near.leastClearanceMetres >= 0.5 && near.leastClearanceMetres < 0.502)
        let failure = await #expect(throws: InspectionFailure.self) {
            try await interactor.plan(past: [Self.point(5.501, 2, 1.3)], from: start, conditions)
        }
        let line = InspectionText.line(try #require(failure))
        #expect(line.contains("0.499 m") && line.contains("0.500 m") && !line.contains("0.502"), "\(line)")
    }

    @Test func `a large map gets larger cells, and a part is named where they may hide a path`() async throws {
        var map = Self.room(door: 0.3)
        map.offsets.append(SIMD3(3000, 2000, 100))
        let conditions = FlightConditions(limits: .medium)
        let interactor = InspectionInteractor(map: map, settings: Self.settings)
        let plan = try await interactor.plan(
            past: [Self.point(1010, 1000, 50)], from: Vector3(x: 1000, y: 1000, z: 50), conditions)
        let findings = plan.trajectory.report.findings
        #expect(findings.contains { $0.weight == .warning && $0.text.contains(" m instead of 0.15 m") })

        let hidden = await #expect(throws: InspectionFailure.self) {
            try await interactor.plan(past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), conditions)
        }
        let failure = try #require(hidden)
        guard case .noPath(let why) = failure, let part = why.finer else {
            Issue.record("\(failure)")
            return
        }
        let advice = try #require(InspectionText.advice(failure))
        #expect(advice.contains("--region=") && advice.contains("--cell 0.125"), "\(advice)")

        var settings = Self.settings
        (settings.region, settings.cellMetres) = (part.box, part.cellMetres)
        let inPart = await #expect(throws: InspectionFailure.self) {
            try await InspectionInteractor(map: map, settings: settings).plan(
                past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), conditions)
        }
        #expect(InspectionText.line(try #require(inPart)).contains("the map leaves 0.3"))

        settings = Self.settings
        settings.unknownIsOpen = false
        let closed = await #expect(throws: InspectionFailure.self) {
            try await InspectionInteractor(map: map, settings: settings).plan(
                past: [Self.point(5, 3.2)], from: Vector3(x: 1, y: 0.8, z: 1.2), conditions)
        }
        guard case .tooLarge(_, .some) = try #require(closed) else {
            Issue.record("\(closed as Any)")
            return
        }
    }

    @Test func `it stays within the safety area, and unknown space is closed`() async throws {
        var conditions = FlightConditions(limits: .medium)
        conditions.volume = FlyableVolume(
            corners: [SIMD2(0, 0), SIMD2(6, 0), SIMD2(6, 4), SIMD2(0, 4)], minimumZMetres: 0, maximumZMetres: 1.5)
        let interactor = InspectionInteractor(map: Self.room(), settings: Self.settings)
        let high = await #expect(throws: InspectionFailure.self) {
            try await interactor.plan(past: [Self.point(5, 2, 1.8)], from: Vector3(x: 1, y: 2, z: 1), conditions)
        }
        #expect(InspectionText.line(try #require(high)).contains("outside the safety area"))

        var settings = Self.settings
        settings.unknownIsOpen = false
        let closed = InspectionInteractor(map: Self.room(), settings: settings)
        let unseen = await #expect(throws: InspectionFailure.self) {
            try await closed.plan(
                past: [Self.point(5, 2)], from: Vector3(x: 1, y: 2, z: 1), FlightConditions(limits: .medium))
        }
        let seen = InspectionText.line(try #require(unseen))
        #expect(seen.contains("the start: the space at (") && seen.contains(") is unknown"))
    }
}
