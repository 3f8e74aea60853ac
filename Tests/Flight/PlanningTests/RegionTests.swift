import Planning
import PointCloud
import Testing
import UAVLink

/// The border of a region is closed like a wall.
@Suite struct RegionTests {
    private static let body = VehicleBody(radiusMetres: 0.4, marginMetres: 0.14)
    private static let region = MapOptions.Box(low: Vector3(x: 0, y: -5, z: 0), high: Vector3(x: 10, y: 5, z: 6))
    private static let start = Vector3(x: 1, y: -3, z: 3)
    private static let goal = Vector3(x: 9, y: 3, z: 3)

    /// A wall across the region from border to border, up to some y.
    private static func wall(to y: Double) -> PointCloud {
        MadeMaps.cloud(
            MadeMaps.sheet(
                from: Vector3(x: 5, y: -5, z: 0), Vector3(x: 0, y: y + 5, z: 0), Vector3(x: 0, y: 0, z: 6),
                spacing: 0.2) + [region.low, region.high])
    }

    private func outcome(_ map: PointCloud, _ cell: Double?, to goal: Vector3 = Self.goal) throws -> PlanOutcome {
        let options = MapOptions(cellMetres: cell, unknownIsOpen: true, region: Self.region)
        let space = try KnownSpace(map: map, for: Self.body, options: options)
        return try PathPlanner(space: space).plan(PlanRequest(start: Self.start, places: [goal]))
    }

    private static func keepsInside(_ place: Vector3) -> Bool {
        let (low, high) = (place - region.low, region.high - place)
        return [low.x, low.y, low.z, high.x, high.y, high.z].allSatisfy { $0 >= body.clearanceMetres - 1e-5 }
    }

    @Test(arguments: [0.5, 0.3, nil] as [Double?])
    func `no path leads around a wall outside the region`(_ cell: Double?) throws {
        let outcome = try outcome(Self.wall(to: 5), cell)
        guard case .noPath(let why) = outcome, case .noPathBetween(_, _, let gap) = why.reason else {
            Issue.record("\(outcome)")
            return
        }
        if let gap { #expect(Self.keepsInside(gap.place), "\(gap)") }
        if let near = why.nearestReachable { #expect(Self.keepsInside(near), "\(near)") }
    }

    @Test(arguments: [0.5, 0.3, nil] as [Double?])
    func `a path beside the wall keeps off the border`(_ cell: Double?) throws {
        let map = Self.wall(to: 3.2)
        let outcome = try outcome(map, cell)
        guard case .path(let plan) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(plan.path.allSatisfy(Self.keepsInside), "\(plan.path)")
        #expect(MadeMaps.clearance(plan.path, map) >= 0.54)
    }

    @Test func `a place too close to the border is named as such, and a region without space is an error`() throws {
        let outcome = try outcome(Self.wall(to: 3.2), nil, to: Vector3(x: 9.6, y: 3, z: 3))
        guard case .noPath(let why) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(why.reason == .blocked(.place(0), by: .outsideRegion))
        let narrow = MapOptions.Box(low: .zero, high: Vector3(x: 1, y: 5, z: 5))
        #expect(throws: PlanningError.self) {
            try KnownSpace(
                map: Self.wall(to: 3.2), for: Self.body, options: MapOptions(unknownIsOpen: true, region: narrow))
        }
    }
}
