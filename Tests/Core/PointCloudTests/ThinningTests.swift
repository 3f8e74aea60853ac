@testable import PointCloud
import Testing
import UAVLink

/// The fast filters against the slow ones that say what is meant.
@Suite struct ThinningTests {
    /// The seed's Algorithm 2, line by line, along an axis; its list is sorted first.
    private static func decreaseDensity(
        _ points: [SIMD3<Float>], _ threshold: Float, _ axis: Axis
    ) -> [SIMD3<Float>] {
        var points = points.map(axis.turned)
        points = points.enumerated().sorted { ($0.element.x, $0.offset) < ($1.element.x, $1.offset) }.map(\.element)
        var compared = 0
        while compared < points.count {
            var checked = 1
            while compared + checked < points.count {
                let way = points[compared + checked] - points[compared]
                if abs(way.x) > threshold { break }
                if (way.x * way.x + way.y * way.y + way.z * way.z) < threshold * threshold {
                    points.remove(at: compared + checked)
                } else {
                    checked += 1
                }
            }
            compared += 1
        }
        return points.map(axis.rotatedBack)
    }

    private static func cloud(_ count: Int, _ size: SIMD3<Float>, from corner: SIMD3<Float> = .zero) -> PointCloud {
        var random = SystemRandomNumberGenerator()
        return PointCloud(
            offsets: (0..<count).map { _ in
                corner
                    + SIMD3(
                        .random(in: 0...1, using: &random), .random(in: 0...1, using: &random),
                        .random(in: 0...1, using: &random)) * size
            })
    }

    @Test(arguments: Axis.allCases, [Float(0.01), 0.1, 0.5, 3])
    func `what is left is what the seed's algorithm leaves`(_ axis: Axis, _ spacing: Float) throws {
        let lattice = (0..<500).map { (index: Int) -> SIMD3<Float> in
            SIMD3(Float(index % 10), Float(index / 10 % 10), Float(index / 100)) * spacing
        }
        let clouds = [
            PointCloud(offsets: lattice), Self.cloud(1500, SIMD3(5, 4, 1)),
            Self.cloud(1500, SIMD3(0, 3, 3), from: SIMD3(-1, -2, -1)),
            Self.cloud(500, SIMD3(100, 100, 100), from: SIMD3(512_000, 5_403_000, 200)), Self.cloud(300, .zero),
        ]
        for cloud in clouds {
            let kept = try cloud.thinned(spacingMetres: Double(spacing), along: axis)
            #expect(kept.offsets == Self.decreaseDensity(cloud.offsets, spacing, axis))
        }
    }

    @Test func `columns that share a place in the table change nothing`() throws {
        // 256 places for columns over an area of a million.
        let cloud = Self.cloud(250, SIMD3(0.5, 1000, 1000))
        #expect(try cloud.thinned(spacingMetres: 1, along: .x).offsets == Self.decreaseDensity(cloud.offsets, 1, .x))
    }

    private static func distance(_ first: SIMD3<Float>, _ second: SIMD3<Float>) -> Float {
        let way = first - second
        return (way * way).sum().squareRoot()
    }

    /// What holds however the points are visited.
    private static func expectThinned(_ cloud: PointCloud, _ kept: [SIMD3<Float>], to spacing: Float) {
        for (index, point) in kept.enumerated() {
            #expect(!kept[..<index].contains { distance($0, point) < 0.9999 * spacing })
        }
        #expect(cloud.offsets.allSatisfy { point in kept.contains { distance($0, point) < 1.0001 * spacing } })
    }

    @Test func `no two that are left are near, and every other has a neighbour that is left`() throws {
        let cloud = Self.cloud(3000, SIMD3(3, 3, 3))
        Self.expectThinned(cloud, try cloud.thinned(spacingMetres: 0.3).offsets, to: 0.3)
    }

    /// A hall, a wall that lies where it is divided, a heap narrower than the spacing, a floor, two walls, and floors of many widths.
    private static let divisible =
        [
            cloud(3000, SIMD3(6, 3, 1)),
            PointCloud(
                offsets: cloud(500, SIMD3(6, 1, 1)).offsets + cloud(2000, SIMD3(0, 2, 2), from: [3, 0, 0]).offsets),
            cloud(500, SIMD3(0.1, 0.1, 0.1)), cloud(1000, SIMD3(2, 2, 0), from: SIMD3(-1, -1, 0)),
            PointCloud(
                offsets: cloud(500, SIMD3(0, 1, 1)).offsets + cloud(500, SIMD3(0, 1, 1), from: [9, 0, 0]).offsets),
            // Parts of which some are narrower than the spacing, which left strips near to each other.
        ] + stride(from: 0.8, to: 4, by: 0.2).map { cloud(800, SIMD3($0, 1, 0)) }

    @Test(arguments: divisible.indices) func `a large cloud in parts is thinned as well, by any number of threads`(
        _ number: Int
    ) throws {
        let cloud = Self.divisible[number]
        func kept(threads: Int) throws -> [SIMD3<Float>] {
            try cloud.thinned(spacingMetres: 0.2, along: .x, threads: threads, progress: .none, dividedFrom: 1).offsets
        }
        let alone = try kept(threads: 1)
        Self.expectThinned(cloud, alone, to: 0.2)
        #expect(zip(alone, alone.dropFirst()).allSatisfy { $0.x <= $1.x })
        for threads in [2, 4, 9] { #expect(try kept(threads: threads) == alone) }
    }

    @Test func `the first part of a large cloud is as if it were alone`() throws {
        let cloud = Self.cloud(PointCloud.smallestDivided, SIMD3(1000, 0.1, 0.1))
        let kept = try cloud.thinned(spacingMetres: 0.5)
        #expect(zip(kept.offsets, kept.offsets.dropFirst()).allSatisfy { 0.47 < $1.x - $0.x && $1.x - $0.x < 1 })
        let first = PointCloud(offsets: cloud.offsets.filter { $0.x < 50 })
        let alone = try first.thinned(spacingMetres: 0.5).offsets
        #expect(Array(kept.offsets.prefix(alone.count)) == alone)
    }

    @Test func `the longest side is the axis, and the origin and the viewpoint stay`() throws {
        var cloud = Self.cloud(1000, SIMD3(1, 9, 2))
        cloud.origin = Vector3(x: 5e5, y: 5e6, z: 200)
        cloud.viewpoint = .zero
        let kept = try cloud.thinned(spacingMetres: 0.2)
        #expect(kept.offsets == Self.decreaseDensity(cloud.offsets, 0.2, .y))
        #expect(kept.origin == cloud.origin)
        #expect(kept.viewpoint == .zero)
    }

    @Test func `no spacing leaves all, and what is no spacing is refused`() throws {
        let cloud = Self.cloud(10, .zero)
        #expect(try cloud.thinned(spacingMetres: 0).offsets == cloud.offsets)
        #expect(try PointCloud().thinned(spacingMetres: 1).count == 0)
        #expect(try cloud.thinned(spacingMetres: 1e-300).count == 1)
        #expect(try cloud.thinned(spacingMetres: 1e9).count == 1)
        for spacing in [-1, .nan, .infinity, 2e9] {
            #expect(throws: PointCloudError.self) { try cloud.thinned(spacingMetres: spacing) }
        }
    }

    @Test(arguments: [40_000, PointCloud.smallestDivided]) func `work that is not wanted any more ends`(
        _ count: Int
    ) {
        let cloud = Self.cloud(count, SIMD3(9, 9, 9))
        let progress = CloudProgress { $0 < 0.5 }
        #expect(throws: PointCloudError.self) { try cloud.thinned(spacingMetres: 0.1, progress: progress) }
    }
}
