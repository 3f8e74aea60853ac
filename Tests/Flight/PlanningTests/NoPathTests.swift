import FlightVolume
import Planning
import PointCloud
import Testing
import UAVLink

@Suite struct NoPathTests {
    static let body = VehicleBody(radiusMetres: 0.3, marginMetres: 0.1)
    static let open = MapOptions(unknownIsOpen: true)

    /// A closed room of 4.2 m x 2.4 m x 2 m with a wall across at x = 2 that has a slot of some width, from floor to ceiling.
    static func divided(slot: Double, at middle: Double = 1.2) -> PointCloud {
        let room = MadeMaps.box(from: .zero, to: Vector3(x: 4.2, y: 2.4, z: 2), spacing: 0.1)
        let wall = MadeMaps.sheet(
            from: Vector3(x: 2.013, y: 0, z: 0), Vector3(x: 0, y: 2.4, z: 0), Vector3(x: 0, y: 0, z: 2), spacing: 0.05
        ) { abs($0.y - middle) < slot / 2 - 1e-9 }
        // The slot's edges lie exactly where they should.
        let edges = [-1.0, 1.0].flatMap { side in
            (0...100).map { Vector3(x: 2.013, y: middle + side * slot / 2, z: Double($0) * 0.02) }
        }
        return MadeMaps.cloud(room + wall + edges)
    }

    @Test(arguments: [0.2, 0.35, 0.5, 0.65, 0.76], [1.2, 1.07])
    func `a gap that is too narrow is found and measured`(_ slot: Double, _ middle: Double) throws {
        let space = try KnownSpace(map: Self.divided(slot: slot, at: middle), for: Self.body, options: Self.open)
        let goal = Vector3(x: 3.5, y: 1.2, z: 1)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 0.7, y: 1.2, z: 1), places: [goal]))
        guard case .noPath(let why) = outcome, case .noPathBetween(.start, .place(0), let gap?) = why.reason else {
            Issue.record("\(outcome)")
            return
        }
        // A fifth of a cell.
        #expect(abs(gap.clearanceMetres - slot / 2) < 0.02, "found \(gap.clearanceMetres)")
        #expect(abs(gap.place.x - 2.013) < 0.1 && abs(gap.place.y - middle) < 0.1)
        guard case .mapPoint(let point, let metres) = gap.obstruction else {
            Issue.record("\(gap)")
            return
        }
        #expect(abs(point.x - 2.013) < 1e-3 && abs(metres - gap.clearanceMetres) < 1e-9, "\(gap)")
        // As near to the goal as the wall lets it.
        let near = try #require(why.nearestReachable)
        // It may lean into the slot as far as it fits.
        #expect((1.4...2.0).contains(near.x))
    }

    @Test(arguments: [0.801, 0.81, 0.86], [1.2, 1.23, 1.07])
    func `a gap that is hardly wider than the vehicle is flown through`(_ slot: Double, _ middle: Double) throws {
        let map = Self.divided(slot: slot, at: middle)
        let space = try KnownSpace(map: map, for: Self.body, options: Self.open)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 0.7, y: 0.6, z: 1), places: [Vector3(x: 3.5, y: 1.9, z: 1)]))
        guard case .path(let plan) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(MadeMaps.clearance(plan.path, map) >= 0.4)
        // A short one: not along the walls by which the gap was found.
        #expect(plan.lengthMetres < 4.5)
    }

    @Test(arguments: [(0.5, true), (0.799, false)])
    func `a no is certain where the gap is too narrow by more than a cell`(_ slot: Double, _ isCertain: Bool) throws {
        let space = try KnownSpace(map: Self.divided(slot: slot), for: Self.body, options: Self.open)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 0.7, y: 1.2, z: 1), places: [Vector3(x: 3.5, y: 1.2, z: 1)]))
        guard case .noPath(let why) = outcome, case .noPathBetween(_, _, let gap?) = why.reason else {
            Issue.record("\(outcome)")
            return
        }
        #expect(why.isCertain == isCertain)
        #expect(gap.clearanceMetres < 0.4 + space.cellMetres / 5)
    }

    @Test(arguments: [0.95, 1.05])
    func `a gap that is wide enough for the cells is flown through`(_ slot: Double) throws {
        let map = Self.divided(slot: slot)
        let space = try KnownSpace(map: map, for: Self.body, options: Self.open)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 0.7, y: 0.6, z: 1), places: [Vector3(x: 3.5, y: 0.6, z: 1)]))
        guard case .path(let plan) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(MadeMaps.clearance(plan.path, map) >= 0.4)
    }

    @Test func `a place beside a wall is blocked by the nearest point of the wall`() throws {
        let map = Self.divided(slot: 1.5)
        let space = try KnownSpace(map: map, for: Self.body, options: Self.open)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(
                start: Vector3(x: 0.7, y: 1.2, z: 1),
                places: [Vector3(x: 1, y: 1.2, z: 1), Vector3(x: 3.95, y: 1.2, z: 1)]))
        guard case .noPath(let why) = outcome, case .blocked(.place(1), .mapPoint(let point, let metres)) = why.reason
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(abs(metres - 0.25) < 1e-6)
        #expect(abs(point.x - 4.2) < 1e-6 && abs(point.y - 1.2) < 1e-6)
        let near = try #require(why.nearestReachable)
        #expect((near - Vector3(x: 3.8, y: 1.2, z: 1)).length < space.cellMetres)
    }

    @Test func `a place inside a closed box cannot be reached`() throws {
        let room = MadeMaps.box(from: .zero, to: Vector3(x: 5, y: 3, z: 2), spacing: 0.1)
        let box = MadeMaps.box(from: Vector3(x: 2.5, y: 1, z: 0.4), to: Vector3(x: 3.7, y: 2.2, z: 1.6))
        let space = try KnownSpace(map: MadeMaps.cloud(room + box), for: Self.body, options: Self.open)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 1, y: 2, z: 1), places: [Vector3(x: 3.1, y: 1.6, z: 1)]))
        guard case .noPath(let why) = outcome, case .noPathBetween(.start, .place(0), let gap) = why.reason else {
            Issue.record("\(outcome)")
            return
        }
        // Nothing wider than the mesh of its points, 5 cm.
        #expect((gap?.clearanceMetres ?? 0) < 0.04)
        let near = try #require(why.nearestReachable) - Vector3(x: 3.1, y: 1.6, z: 1)
        #expect(max(abs(near.x), abs(near.y), abs(near.z)) > 0.6)
    }

    @Test func `what no ray has passed is unknown, and blocks until it is opened`() throws {
        // Seen from x = 0.5, the wall hides all behind it but what the slot shows.
        var map = Self.divided(slot: 0.05)
        map.viewpoint = Vector3(x: 0.5, y: 1.2, z: 1)
        let request = PlanRequest(
            start: Vector3(x: 0.9, y: 1.2, z: 1), places: [Vector3(x: 1.2, y: 1, z: 1), Vector3(x: 3, y: 1.7, z: 1)])
        let closed = try KnownSpace(map: map, for: Self.body)
        // Points behind the wall were not seen from there, yet in this map they are: rays to them go through the wall's mesh.
        let seen = MadeMaps.cloud(
            (0..<map.count).map(map.point).filter { $0.x < 2.1 }, viewpoint: map.viewpoint)
        let half = try KnownSpace(
            map: seen, for: Self.body,
            options: MapOptions(declaredFree: [.init(centre: Vector3(x: 3.8, y: 0.6, z: 1), radiusMetres: 0.5)]))
        let outcome = try PathPlanner(space: half).plan(request)
        guard case .noPath(let why) = outcome, case .blocked(.place(1), .unknown(let place, let metres)) = why.reason
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(metres == 0)
        #expect((place - Vector3(x: 3, y: 1.7, z: 1)).length < half.cellMetres)
        #expect(try #require(why.nearestReachable).x < 2)
        #expect(closed.cellCounts.unknown < half.cellCounts.unknown + closed.cellCounts.free)
    }

    @Test func `a place outside the map or the area is named as such`() throws {
        let map = Self.divided(slot: 1.5)
        let start = Vector3(x: 0.8, y: 1.2, z: 1)
        let space = try KnownSpace(map: map, for: Self.body, options: Self.open)
        let away = try PathPlanner(space: space).plan(PlanRequest(start: start, places: [Vector3(x: 80, y: 1.2, z: 1)]))
        guard case .noPath(let why) = away else {
            Issue.record("\(away)")
            return
        }
        #expect(why.reason == .blocked(.place(0), by: .outsideMap))
        #expect(try #require(why.nearestReachable).x > 3.5)

        var options = Self.open
        options.area = FlyableVolume(
            corners: [[0, 0], [1.5, 0], [1.5, 2.4], [0, 2.4]], minimumZMetres: 0.5, maximumZMetres: 1.6)
        let fenced = try KnownSpace(map: map, for: Self.body, options: options)
        let outside = try PathPlanner(space: fenced).plan(
            PlanRequest(start: start, places: [Vector3(x: 3, y: 1.2, z: 1)]))
        guard case .noPath(let fence) = outside else {
            Issue.record("\(outside)")
            return
        }
        #expect(fence.reason == .blocked(.place(0), by: .outsideArea))
        #expect(try #require(fence.nearestReachable).x <= 1.5)
    }

    @Test func `points of the vehicle itself count no more where it says it is`() throws {
        let room = MadeMaps.box(from: .zero, to: Vector3(x: 4, y: 2.4, z: 2), spacing: 0.1)
        let start = Vector3(x: 1, y: 1.2, z: 1)
        let own = MadeMaps.sheet(
            from: start - Vector3(x: 0.1, y: 0.1, z: 0), Vector3(x: 0.2, y: 0, z: 0), Vector3(x: 0, y: 0.2, z: 0))
        let map = MadeMaps.cloud(room + own)
        let request = PlanRequest(start: start, places: [Vector3(x: 3, y: 1.2, z: 1)])
        guard
            case .noPath(let why) = try PathPlanner(space: KnownSpace(map: map, for: Self.body, options: Self.open))
                .plan(request), case .blocked(.start, .mapPoint) = why.reason
        else {
            Issue.record("its own points were no obstacle")
            return
        }
        var options = Self.open
        options.declaredFree = [.init(centre: start, radiusMetres: 0.3)]
        let space = try KnownSpace(map: map, for: Self.body, options: options)
        #expect(space.ignoredPoints == own.count)
        guard case .path = try PathPlanner(space: space).plan(request) else {
            Issue.record("no path")
            return
        }
    }
}
