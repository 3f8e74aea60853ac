import FlightVolume
import Planning
import PointCloud
import Testing
import UAVLink

@Suite struct PlannedPathTests {
    static let body = VehicleBody(radiusMetres: 0.3, marginMetres: 0.1)

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a planned path never comes nearer to a point of the map than promised`(_ seed: UInt64) throws {
        var hall = RandomHall(seed: seed)
        let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        let places = hall.places(6, in: space)
        let request = PlanRequest(start: places[0], places: Array(places[1...]))
        switch try PathPlanner(space: space).plan(request) {
        case .path(let plan):
            let brute = MadeMaps.clearance(plan.path, hall.map)
            #expect(brute >= Self.body.clearanceMetres)
            #expect(abs(brute - (plan.clearance?.metres ?? 0)) < 1e-9)
            #expect(Set(plan.order) == Set(0..<5))
            #expect(plan.path.first == places[0])
            #expect(plan.legs.map(\.to) == plan.order.map { .place($0) })
            for leg in plan.legs { #expect(leg.path.last == leg.to.place(in: request)) }
        case .noPath(let reason):
            guard case .noPathBetween(_, _, let gap) = reason.reason else {
                Issue.record("all places were free: \(reason)")
                return
            }
            #expect((gap?.clearanceMetres ?? 0) < Self.body.clearanceMetres + 2 * space.cellMetres)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `with unknown space closed it stays where rays went`(_ seed: UInt64) throws {
        let viewpoint = Vector3(x: 3, y: 2.5, z: 1.2)
        var hall = RandomHall(seed: 100 + seed, viewpoint: viewpoint)
        let space = try KnownSpace(
            map: hall.map, for: Self.body,
            options: MapOptions(cellMetres: 0.2, declaredFree: [.init(centre: viewpoint, radiusMetres: 0.5)]))
        let places = hall.places(4, in: space)
        try #require(places.count == 4)
        let plan = try PathPlanner(space: space).plan(PlanRequest(start: places[0], places: Array(places[1...])))
        guard case .path(let path) = plan else { return }
        #expect(MadeMaps.clearance(path.path, hall.map) >= Self.body.clearanceMetres)
        #expect(path.clearance?.unknownMetres ?? .infinity >= Self.body.clearanceMetres)
        // Where the vehicle flies, a ray must have passed within a cell: points there are seen from the viewpoint.
        for corner in path.path {
            let isSeen = (0..<hall.map.count).contains {
                MadeMaps.distance(corner, from: viewpoint, to: hall.map.point($0)) < 0.2 * 1.8
            }
            #expect(isSeen)
        }
    }

    @Test func `the same request gives the same path`() throws {
        let plans = try (0..<2).map { _ in
            var hall = RandomHall(seed: 3)
            let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(unknownIsOpen: true))
            let places = hall.places(8, in: space)
            return try PathPlanner(space: space).plan(PlanRequest(start: places[0], places: Array(places[1...])))
        }
        #expect(plans[0] == plans[1])
        guard case .path = plans[0] else {
            Issue.record("no path: \(plans[0])")
            return
        }
    }

    @Test func `coordinates as large as UTM's change nothing`() throws {
        let origin = Vector3(x: 458_357, y: 5_547_288, z: 250)
        var near = RandomHall(seed: 3)
        let far = RandomHall(seed: 3, origin: origin)
        let open = MapOptions(unknownIsOpen: true)
        let space = try KnownSpace(map: near.map, for: Self.body, options: open)
        let places = near.places(3, in: space)
        let away = try KnownSpace(map: far.map, for: Self.body, options: open)
        let one = try PathPlanner(space: space).plan(PlanRequest(start: places[0], places: Array(places[1...])))
        let other = try PathPlanner(space: away).plan(
            PlanRequest(start: places[0] + origin, places: places[1...].map { $0 + origin }))
        guard case .path(let here) = one, case .path(let there) = other else {
            Issue.record("no path")
            return
        }
        #expect(abs(here.lengthMetres - there.lengthMetres) < 1e-3)
        #expect(MadeMaps.clearance(there.path, far.map) >= Self.body.clearanceMetres - 1e-9)
    }

    @Test func `the order given is kept, and the way back is flown when asked for`() throws {
        var hall = RandomHall(seed: 3)
        let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        let places = hall.places(5, in: space)
        var request = PlanRequest(start: places[0], places: Array(places[1...]), order: .given, returns: true)
        guard case .path(let given) = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
        #expect(given.order == [0, 1, 2, 3])
        #expect(given.legs.count == 5)
        #expect(given.path.last == places[0])
        request.order = .best
        guard case .path(let best) = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
        #expect(best.lengthMetres <= given.lengthMetres + 1e-9)
        #expect(best.isShortestOrder)
    }

    @Test func `a path around a post is no longer than a taut string, nearly`() throws {
        // Columns of points make a post; the string around it is two tangents and an arc.
        let post = (0...300).map { Vector3(x: 0, y: 0, z: Double($0) * 0.02 - 3) }
        let space = try KnownSpace(
            map: MadeMaps.cloud(post), for: Self.body,
            options: MapOptions(
                unknownIsOpen: true,
                declaredFree: [
                    .init(centre: Vector3(x: -3, y: 0, z: 0), radiusMetres: 0.1),
                    .init(centre: Vector3(x: 3, y: 0, z: 0), radiusMetres: 0.1),
                ]))
        let request = PlanRequest(start: Vector3(x: -3, y: 0, z: 0), places: [Vector3(x: 3, y: 0, z: 0)])
        guard case .path(let plan) = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
        let tangent = (9 - 0.16).squareRoot()
        let arc = 0.4 * 2 * 0.13373  // asin(0.4 / 3)
        #expect(plan.lengthMetres >= 2 * tangent + arc - 1e-6)
        #expect(plan.lengthMetres < (2 * tangent + arc) * 1.02)
        #expect(plan.path.count <= 5)
    }

    @Test(arguments: [
        FlightObstacle.Shape.circle(centre: [3, 2.5], radiusMetres: 0.3),
        .polygon([[2.8, 2.3], [3.2, 2.3], [3.2, 2.7], [2.8, 2.7]]),
    ])
    func `it goes around an obstacle of the world file, at its margin`(_ shape: FlightObstacle.Shape) throws {
        let area = FlyableVolume(
            corners: [], minimumZMetres: 0.6, maximumZMetres: 2, obstacles: [.init(name: "pond", shape: shape)],
            obstacleMarginMetres: 0.5)
        let map = MadeMaps.cloud(MadeMaps.box(from: .zero, to: RandomHall.size, spacing: 0.2))
        let space = try KnownSpace(map: map, for: Self.body, options: MapOptions(unknownIsOpen: true, area: area))
        let request = PlanRequest(start: Vector3(x: 1, y: 2.5, z: 1), places: [Vector3(x: 5, y: 2.5, z: 1)])
        guard case .path(let plan) = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
        #expect(plan.lengthMetres > 4.05)
        for (start, end) in zip(plan.path, plan.path.dropFirst()) {
            for step in 0...100 { #expect(area.contains(start + (end - start) * (Double(step) / 100))) }
        }
    }

    @Test func `a reserve is kept from an obstacle of the world file beyond its margin`() throws {
        let pond = FlightObstacle(name: "pond", shape: .circle(centre: [3, 2.5], radiusMetres: 0.3))
        let area = FlyableVolume(
            corners: [], minimumZMetres: 0.6, maximumZMetres: 2, obstacles: [pond], obstacleMarginMetres: 0.5)
        let map = MadeMaps.cloud(MadeMaps.box(from: .zero, to: RandomHall.size, spacing: 0.2))
        /// The least distance of the planned path from the obstacle.
        func distance(reserve: Double) throws -> Double? {
            let options = MapOptions(unknownIsOpen: true, area: area, obstacleReserveMetres: reserve)
            let space = try KnownSpace(map: map, for: Self.body, options: options)
            let request = PlanRequest(start: Vector3(x: 1, y: 2.5, z: 1), places: [Vector3(x: 5, y: 2.5, z: 1)])
            guard case .path(let plan) = try PathPlanner(space: space).plan(request) else { return nil }
            return zip(plan.path, plan.path.dropFirst()).flatMap { start, end in
                (0...100).map { pond.distance(start + (end - start) * (Double($0) / 100)) }
            }.min()
        }
        let (without, with) = (try #require(try distance(reserve: 0)), try #require(try distance(reserve: 0.3)))
        #expect(without >= 0.49 && without < 0.75, "\(without) m")
        #expect(with >= 0.79, "\(with) m")
    }

    @Test func `it stays within the safety area, around its corners`() throws {
        // An L: the straight line would leave it.
        let area = FlyableVolume(
            corners: [[0, 0], [6, 0], [6, 2], [2, 2], [2, 5], [0, 5]], minimumZMetres: 0.6, maximumZMetres: 2)
        let map = MadeMaps.cloud(MadeMaps.box(from: .zero, to: RandomHall.size, spacing: 0.2))
        let space = try KnownSpace(map: map, for: Self.body, options: MapOptions(unknownIsOpen: true, area: area))
        let request = PlanRequest(start: Vector3(x: 5, y: 1.2, z: 1), places: [Vector3(x: 1, y: 4.2, z: 1)])
        guard case .path(let plan) = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
        #expect(plan.path.count > 2)
        for (start, end) in zip(plan.path, plan.path.dropFirst()) {
            for step in 0...100 { #expect(area.contains(start + (end - start) * (Double(step) / 100))) }
        }
    }
}

extension Stop {
    func place(in request: PlanRequest) -> Vector3 {
        switch self {
        case .start: request.start
        case .place(let index): request.places[index]
        }
    }
}
