import PointCloud
import Testing
import UAVLink

@Suite struct ViewTests {
    @Test func `dots of a cell are those of the braille alphabet`() {
        var grid = DotGrid(columns: 1, rows: 1)
        let expected: [(Int, Int, Character)] = [
            (0, 0, "⠁"), (0, 1, "⠃"), (0, 2, "⠇"), (1, 0, "⠏"), (1, 1, "⠟"), (1, 2, "⠿"), (0, 3, "⡿"), (1, 3, "⣿"),
        ]
        #expect(grid.character(column: 0, row: 0) == " ")
        for (x, y, character) in expected {
            #expect(!grid.isSet(x: x, y: y))
            grid.set(x: x, y: y)
            #expect(grid.isSet(x: x, y: y))
            #expect(grid.character(column: 0, row: 0) == character)
        }
        grid.set(x: 2, y: 0)
        grid.set(x: -1, y: 0)
        #expect(!grid.isSet(x: 2, y: 0))
        grid.clear()
        #expect(grid == DotGrid(columns: 1, rows: 1))
    }

    static let box = CloudBounds(minimum: Vector3(x: -4, y: -2, z: 0), maximum: Vector3(x: 4, y: 2, z: 3))
    static let corners = [-4.0, 4].flatMap { x in
        [-2.0, 2].flatMap { y in [0.0, 3].map { Vector3(x: x, y: y, z: $0) } }
    }

    @Test(arguments: [0.0, 0.4, 2, -3], [0.0, 0.6, 1.2, .pi / 2])
    func `a camera that sees a box has every corner on the grid, and the box fills it`(_ turn: Double, _ tilt: Double) {
        let grid = DotGrid(columns: 40, rows: 12)
        let camera = CloudCamera(seeing: Self.box, on: grid, turnRadians: turn, tiltRadians: tilt)
        let dots = Self.corners.map { camera.dot(of: $0, on: grid) }
        #expect(dots.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.x < Double(grid.width) && $0.y < Double(grid.height) })
        let width = (dots.map(\.x).max() ?? 0) - (dots.map(\.x).min() ?? 0)
        let height = (dots.map(\.y).max() ?? 0) - (dots.map(\.y).min() ?? 0)
        #expect(width > 0.9 * Double(grid.width) || height > 0.9 * Double(grid.height))
    }

    @Test func `from above x is right and y is up; level, z is up`() {
        let grid = DotGrid(columns: 10, rows: 5)
        var camera = CloudCamera(centre: .zero, metresPerDot: 0.5)
        let above = camera.dot(of: Vector3(x: 1, y: 2, z: 9), on: grid)
        #expect(above.x == 12 && abs(above.y - 6) < 1e-9)
        camera.tiltRadians = 0
        let level = camera.dot(of: Vector3(x: 1, y: 7, z: 2), on: grid)
        #expect(level.x == 12 && abs(level.y - 6) < 1e-9)
        camera.turnRadians = .pi / 2
        let turned = camera.dot(of: Vector3(x: 7, y: 1, z: 0), on: grid)
        #expect(abs(turned.x - 12) < 1e-9 && abs(turned.y - 10) < 1e-9)
    }

    @Test(arguments: [0.0, 0.4, 2, -3], [0.0, 0.6, 1.2, .pi / 2])
    func `a place is found again where it is seen`(_ turn: Double, _ tilt: Double) throws {
        let grid = DotGrid(columns: 40, rows: 12)
        let camera = CloudCamera(
            centre: Vector3(x: 5e5, y: 5e6, z: 200), metresPerDot: 0.1, turnRadians: turn, tiltRadians: tilt)
        let place = Vector3(x: 500_001.5, y: 4_999_999.25, z: 201)
        let dot = camera.dot(of: place, on: grid)
        let atHeight = camera.place(x: dot.x, y: dot.y, on: grid, heightMetres: 201)
        #expect((atHeight == nil) == (tilt < 0.05))
        if let atHeight { #expect((atHeight - place).length < 1e-6) }
        let asFar = camera.place(x: dot.x, y: dot.y, on: grid, asFarAs: place)
        #expect((asFar == nil) == (tilt > 1.5))
        if let asFar { #expect((asFar - place).length < 1e-6) }
    }

    @Test func `zooming keeps what is under the dot, panning moves by dots, and both stay in range`() {
        let grid = DotGrid(columns: 40, rows: 12)
        var camera = CloudCamera(centre: .zero, metresPerDot: 0.1, turnRadians: 0.3, tiltRadians: 0.8)
        let place = Vector3(x: 1, y: 0.5, z: 0.25)
        let before = camera.dot(of: place, on: grid)
        camera.zoom(by: 2, x: before.x, y: before.y, on: grid)
        let after = camera.dot(of: place, on: grid)
        #expect(abs(after.x - before.x) < 1e-9 && abs(after.y - before.y) < 1e-9)
        #expect(camera.metresPerDot == 0.05)
        camera.pan(right: 3, up: -2)
        let moved = camera.dot(of: place, on: grid)
        #expect(abs(moved.x - after.x - 3) < 1e-9 && abs(moved.y - after.y - 2) < 1e-9)
        camera.zoom(by: 1e300, x: 0, y: 0, on: grid)
        #expect(camera.metresPerDot == CloudCamera.scales.lowerBound)
        camera.zoom(by: 1e-300, x: 0, y: 0, on: grid)
        #expect(camera.metresPerDot == CloudCamera.scales.upperBound)
        camera.zoom(by: .nan, x: 0, y: 0, on: grid)
        camera.metresPerDot = .nan
        camera.tiltRadians = 7
        #expect(camera.metresPerDot == 1 && camera.tiltRadians == .pi / 2)
    }

    @Test(arguments: [0.0, 0.9, .pi / 2], [Vector3.zero, Vector3(x: 458_357.3, y: 5_547_288.7, z: 212.1)])
    func `drawing puts a dot where each point is seen, and no other`(_ tilt: Double, _ origin: Vector3) {
        var random = SystemRandomNumberGenerator()
        let cloud = PointCloud(
            origin: origin,
            offsets: (0..<300).map { _ in
                SIMD3(
                    .random(in: -5...5, using: &random), .random(in: -5...5, using: &random),
                    .random(in: 0...3, using: &random))
            })
        var grid = DotGrid(columns: 30, rows: 10)
        let camera = CloudCamera(
            centre: origin + Vector3(x: 0.123, y: 0.456, z: 0.789), metresPerDot: 0.11, turnRadians: 2.2,
            tiltRadians: tilt)
        let heights = (origin.z + 0.5)...(origin.z + 2.5)
        CloudRasteriser.draw(cloud, in: 100..<900, heights: heights, camera: camera, on: &grid)
        var (wanted, near): (Set<[Int]>, Set<[Int]>) = ([], [])
        for point in cloud.points[100...] where heights.contains(point.z) {
            let dot = camera.dot(of: point, on: grid)
            // Single precision may put a point beside a border of two dots on its other side.
            let rounded = [-0.001, 0.001].flatMap { dx in
                [-0.001, 0.001].map { [Int((dot.x + dx).rounded(.down)), Int((dot.y + $0).rounded(.down))] }
            }
            near.formUnion(rounded)
            if Set(rounded).count == 1 { wanted.formUnion(rounded) }
        }
        for x in 0..<grid.width {
            for y in 0..<grid.height {
                if grid.isSet(x: x, y: y) {
                    #expect(near.contains([x, y]))
                } else {
                    #expect(!wanted.contains([x, y]))
                }
            }
        }
        #expect(!wanted.isEmpty)
    }

    @Test func `nothing is drawn on no grid, outside a cloud, or at the end of the world`() {
        var none = DotGrid(columns: 0, rows: 0)
        let cloud = PointCloud(offsets: [.zero, SIMD3(1e9, -1e9, 1e9)])
        let camera = CloudCamera(centre: .zero, metresPerDot: 1e-4)
        CloudRasteriser.draw(cloud, camera: camera, on: &none)
        var grid = DotGrid(columns: 4, rows: 4)
        CloudRasteriser.draw(cloud, in: 5..<9, camera: camera, on: &grid)
        #expect(grid == DotGrid(columns: 4, rows: 4))
        CloudRasteriser.draw(cloud, camera: camera, on: &grid)
        #expect(grid.isSet(x: 4, y: 8))
        #expect(DotGrid(columns: -1, rows: 1 << 40).rows == DotGrid.largestSide)
    }
}
