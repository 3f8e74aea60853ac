import PointCloud
import Testing
import UAVLink

@testable import Planning

@Suite struct DistanceFieldTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `every cell knows the nearest that is not free`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let grid = VoxelGrid(corner: .zero, edge: 1, counts: SIMD3(13, 9, 7))
        let cells = Block<Int32>(grid.count, KnownSpace.free)
        let sites = (0..<Int(seed)).map { _ in Int(random.within(0, Double(grid.count))) }
        for site in sites { cells[site] = random.next() % 2 == 0 ? KnownSpace.unknown : 5 }
        let field = DistanceField.make(grid, cells)
        for index in 0..<grid.count {
            let here = grid.coordinates(index: index)
            let least = sites.map { site -> Int in
                let gap = grid.coordinates(index: site) &- here
                return gap.x * gap.x + gap.y * gap.y + gap.z * gap.z
            }.min()
            #expect(Int(field[index]) == least ?? 65_535)
        }
    }

    @Test func `distances beyond 255 cells are as good as infinite`() {
        let grid = VoxelGrid(corner: .zero, edge: 1, counts: SIMD3(600, 3, 3))
        let cells = Block<Int32>(grid.count, KnownSpace.free)
        cells[grid.index(SIMD3(0, 1, 1))] = 0
        let field = DistanceField.make(grid, cells)
        #expect(field[grid.index(SIMD3(255, 1, 1))] == 65_025)
        #expect(field[grid.index(SIMD3(256, 1, 1))] == 65_535)
        #expect(field[grid.index(SIMD3(255, 0, 0))] == 65_027)
    }
}

@Suite struct RayCasterTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no cell on the way of a ray is left out`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let grid = VoxelGrid(corner: Place(-1, -2, -3), edge: 0.3, counts: SIMD3(20, 20, 20))
        let cells = Block<Int32>(grid.count, KnownSpace.unknown)
        func place(_ low: Double, _ high: Double) -> Place {
            Place(random.within(low, high), random.within(low, high), random.within(low, high))
        }
        // Some begin or end outside.
        let start = place(-4, 4)
        let end = seed % 5 == 0 ? Place(start.x, random.within(-2, 4), start.z) : place(-4, 6)
        RayCaster(grid: grid, cells: cells, stopsAtPoints: false).cast(from: start, to: end)
        let steps = 20_000
        var visited: Set<Int> = []
        for step in 0...steps {
            let at = start + Double(step) / Double(steps) * (end - start)
            guard grid.contains(at) else { continue }
            visited.insert(grid.index(grid.coordinates(at)))
        }
        let freed = Set((0..<grid.count).filter { cells[$0] == KnownSpace.free })
        // Sampling may miss a corner that the ray only grazes; a cell too many would be one that the ray does not touch.
        #expect(visited.subtracting(freed).isEmpty)
        for extra in freed.subtracting(visited) {
            let centre = grid.centre(index: extra).vector
            #expect(MadeMaps.distance(centre, from: start.vector, to: end.vector) <= grid.halfDiagonal + 1e-9)
        }
    }

    @Test func `with several viewpoints a ray ends where a point is`() throws {
        let wall = MadeMaps.sheet(from: Vector3(x: 2, y: 0, z: 0), Vector3(x: 0, y: 2, z: 0), Vector3(x: 0, y: 0, z: 2))
        let far = [Vector3(x: 4, y: 1, z: 1)]
        let map = MadeMaps.cloud(wall + far)
        let body = VehicleBody(radiusMetres: 0.3, marginMetres: 0.1)
        let behind = Vector3(x: 3, y: 1, z: 1)
        let one = try KnownSpace(
            map: map, for: body, options: MapOptions(viewpoints: [Vector3(x: 0, y: 1, z: 1)]))
        let two = try KnownSpace(
            map: map, for: body,
            options: MapOptions(viewpoints: [Vector3(x: 0, y: 1, z: 1), Vector3(x: 0.2, y: 1, z: 1)]))
        func state(_ space: KnownSpace) -> Int32 {
            space.cells[space.grid.index(space.grid.coordinates(space.local(behind)))]
        }
        #expect(state(one) == KnownSpace.free)
        #expect(state(two) == KnownSpace.unknown)
    }
}

@Suite struct ClearanceTests {
    static let body = VehicleBody(radiusMetres: 0.3, marginMetres: 0.1)

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `the clearance of any line is what looking at every point gives`(_ seed: UInt64) throws {
        var hall = RandomHall(seed: seed)
        let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        for _ in 0..<15 {
            // Some end outside the map.
            let start = RandomHall.place(&hall.random) * 1.2
            let end = RandomHall.place(&hall.random) * 1.2
            let found = space.clearance(from: start, to: end)
            #expect(abs(found.metres - MadeMaps.clearance([start, end], hall.map)) < 1e-9)
            let nearest = try #require(found.nearestPoint)
            #expect(abs(MadeMaps.distance(nearest, from: start, to: end) - found.metres) < 1e-9)
        }
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `unknown space is never farther than it says`(_ seed: UInt64) throws {
        var hall = RandomHall(seed: seed, viewpoint: Vector3(x: 3, y: 2.5, z: 1.2))
        let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(cellMetres: 0.2))
        let unknown = (0..<space.grid.count).filter { space.cells[$0] == KnownSpace.unknown }
            .map { space.world(space.grid.centre(index: $0)) }
        for _ in 0..<10 {
            let (start, end) = (RandomHall.place(&hall.random), RandomHall.place(&hall.random))
            let least = unknown.map { MadeMaps.distance($0, from: start, to: end) }.min() ?? .infinity
            let metres = max(0, least - space.grid.halfDiagonal)
            let found = space.clearance(from: start, to: end)
            if metres < Self.body.clearanceMetres { #expect(abs((found.unknownMetres ?? 9) - metres) < 1e-9) }
        }
    }

    @Test func `a sampled trajectory's clearance is that of all its steps`() throws {
        var hall = RandomHall(seed: 4)
        let space = try KnownSpace(map: hall.map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        let path = (0..<6).map { _ in RandomHall.place(&hall.random) }
        let samples = zip(path, path.dropFirst()).flatMap { start, end in
            (0..<100).map { start + (end - start) * (Double($0) / 100) }
        }
        #expect(abs(space.clearance(alongSamples: samples).metres - MadeMaps.clearance(samples, hall.map)) < 1e-9)
        let segments = space.clearances(alongPath: path)
        #expect(segments.count == 5)
        let least = segments.map(\.metres).min()
        #expect(least == segments.dropFirst().reduce(segments[0]) { $0.joined($1) }.metres)
    }

    @Test func `what is no number, or outside, is never safe`() throws {
        let space = try KnownSpace(
            map: RandomHall(seed: 1).map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        let bad = space.clearance(from: .zero, to: Vector3(x: .nan, y: 0, z: 0))
        #expect(bad.obstruction(clearanceMetres: 0.4) != nil)
        let away = space.clearance(from: Vector3(x: 50, y: 50, z: 1), to: Vector3(x: 60, y: 50, z: 1))
        #expect(away.obstruction(clearanceMetres: 0.4) == .outsideMap)
        #expect(abs(away.metres - (44 * 44 + 45 * 45).squareRoot()) < 0.5)
        #expect(!space.contains(Vector3(x: 50, y: 50, z: 1)))
    }
}

@Suite struct MapLimitTests {
    static let body = VehicleBody(radiusMetres: 0.3, marginMetres: 0.1)
    /// A square kilometre or six.
    static let land = MadeMaps.cloud([.zero, Vector3(x: 3000, y: 2000, z: 100)])

    @Test func `a large map gets coarser cells, and a larger one an error that names its size`() throws {
        let field = MadeMaps.cloud([.zero, Vector3(x: 60, y: 60, z: 10)])
        let space = try KnownSpace(
            map: field, for: Self.body, options: MapOptions(unknownIsOpen: true, maximumCells: 1_000_000))
        #expect(space.cellMetres > 0.1 && space.cellMetres <= 0.4)
        #expect(space.isCoarsened && space.finestCellMetres == 0.1)
        #expect {
            try KnownSpace(map: Self.land, for: Self.body)
        } throws: {
            guard let error = $0 as? PlanningError else { return false }
            return error.isTooLarge && error.what.contains("3000") && error.what.contains("unknown space")
        }
        // A region of it is planned in anyway.
        let region = MapOptions.Box(low: .zero, high: Vector3(x: 20, y: 20, z: 10))
        let part = try KnownSpace(
            map: Self.land, for: Self.body, options: MapOptions(unknownIsOpen: true, region: region))
        #expect(part.cellMetres == 0.1 && !part.isCoarsened)
    }

    @Test func `where unknown space is open, cells grow beyond the clearance, and paths keep it`() throws {
        // A wall across, far from the corners that make the map large.
        let wall = MadeMaps.sheet(
            from: Vector3(x: 1500, y: 990, z: 0), Vector3(x: 0, y: 20, z: 0), Vector3(x: 0, y: 0, z: 20), spacing: 0.25)
        let map = MadeMaps.cloud([.zero, Vector3(x: 3000, y: 2000, z: 100)] + wall)
        let space = try KnownSpace(map: map, for: Self.body, options: MapOptions(unknownIsOpen: true))
        #expect(space.cellMetres > 1 && space.isCoarsened)
        let outcome = try PathPlanner(space: space).plan(
            PlanRequest(start: Vector3(x: 1480, y: 1000, z: 10), places: [Vector3(x: 1520, y: 1000, z: 10)]))
        guard case .path(let plan) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(MadeMaps.clearance(plan.path, map) >= 0.4)
        #expect(plan.lengthMetres > 40)
    }

    @Test func `of a map that is too large, a part around the places is named that can be planned in`() throws {
        let places = [Vector3(x: 10, y: 10, z: 10), Vector3(x: 30.05, y: 20, z: 10)]
        let part = try #require(SearchRegion.around(places, in: Self.land, for: [Self.body], MapOptions()))
        for place in places {
            #expect(part.box.low.x <= place.x - 1 && part.box.low.y <= place.y - 1 && part.box.low.z <= place.z - 1)
            #expect(part.box.high.x >= place.x + 1 && part.box.high.y >= place.y + 1 && part.box.high.z >= place.z + 1)
        }
        #expect(part.cellMetres == 0.1)
        let space = try KnownSpace(
            map: Self.land, for: Self.body, options: MapOptions(cellMetres: part.cellMetres, region: part.box))
        #expect(places.allSatisfy(space.contains))
        let apart = [Vector3.zero, Vector3(x: 3000, y: 2000, z: 100)]
        #expect(SearchRegion.around(apart, in: Self.land, for: [Self.body], MapOptions()) == nil)
        #expect(SearchRegion.around([], in: Self.land, for: [Self.body], MapOptions()) == nil)
    }

    @Test(
        arguments: [
            (0.0, 0.1, nil), (.nan, 0.1, nil), (0.3, -0.1, nil), (100, 0.1, nil), (0.3, 0.1, 0), (0.3, 0.1, 0.01),
            (0.3, 0.1, 0.5), (0.3, 0.1, .nan),
        ] as [(Double, Double, Double?)])
    func `sizes that make no sense are refused`(_ radius: Double, _ margin: Double, _ cell: Double?) {
        let body = VehicleBody(radiusMetres: radius, marginMetres: margin)
        #expect(throws: PlanningError.self) {
            try KnownSpace(map: MadeMaps.cloud([.zero]), for: body, options: MapOptions(cellMetres: cell))
        }
    }

    @Test func `a map without points, and requests that make no sense, are refused`() throws {
        #expect(throws: PlanningError.self) { try KnownSpace(map: PointCloud(), for: Self.body) }
        let space = try KnownSpace(
            map: MadeMaps.cloud([.zero]), for: Self.body, options: MapOptions(unknownIsOpen: true))
        let planner = PathPlanner(space: space)
        let there = Vector3(x: 1, y: 0, z: 0)
        for (start, places) in [
            (there, []), (there, [Vector3(x: .nan, y: 0, z: 0)]), (Vector3(x: .infinity, y: 0, z: 0), [there]),
            (there, Array(repeating: there, count: 501)),
        ] {
            #expect(throws: PlanningError.self) { try planner.plan(PlanRequest(start: start, places: places)) }
        }
        #expect(throws: PlanningError.cancelled) {
            try planner.plan(PlanRequest(start: there, places: [there]), isCancelled: { true })
        }
    }
}

@Suite struct VisitOrderTests {
    private static func distances(_ count: Int, seed: UInt64) -> [[Double]] {
        var random = SplitMix(state: seed)
        let places = (0..<count).map { _ in RandomHall.place(&random) }
        return places.map { from in places.map { (from - $0).length } }
    }

    private static func permutations(_ items: [Int]) -> [[Int]] {
        guard let first = items.first else { return [[]] }
        return permutations(Array(items.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    @Test(arguments: 1...7, [true, false])
    func `the order of few places is the best of all orders`(_ count: Int, _ returns: Bool) {
        let distances = Self.distances(count, seed: UInt64(count))
        let order = VisitOrder.best(distances, returns: returns)
        #expect(order.sorted() == Array(1..<count))
        let best = Self.permutations(Array(1..<count)).map { VisitOrder.length($0, distances, returns) }.min() ?? 0
        #expect(abs(VisitOrder.length(order, distances, returns) - best) < 1e-9)
    }

    @Test(arguments: [true, false])
    func `the order of many places visits each once, and is at most a tenth longer than needed`(_ returns: Bool) {
        // On a circle the best order is known: around.
        let count = 60
        let places = (0..<count).map { index -> Vector3 in
            let number = Double((index * 37) % count) / Double(count)
            let turn = number * 2 * .pi
            return Vector3(x: 10 * cosine(turn), y: 10 * cosine(turn - .pi / 2), z: 0)
        }
        let distances = places.map { from in places.map { (from - $0).length } }
        let order = VisitOrder.best(distances, returns: returns)
        #expect(order.sorted() == Array(1..<count))
        let side = 20 * cosine(.pi / 2 - .pi / Double(count))
        let best = side * Double(returns ? count : count - 1)
        #expect(VisitOrder.length(order, distances, returns) < best * 1.1)
    }

    /// Good enough here, and needs no library: Taylor's series.
    private func cosine(_ angle: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for step in 1..<30 {
            term *= -angle * angle / Double((2 * step - 1) * (2 * step))
            sum += term
        }
        return sum
    }
}
