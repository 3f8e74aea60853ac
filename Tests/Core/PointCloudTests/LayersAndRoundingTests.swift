@testable import PointCloud
import Testing
import UAVLink

@Suite struct LayersAndRoundingTests {
    @Test func `a limit between two numbers of single precision is not rounded outwards`() {
        // 0.1 in single precision is a little more than 0.1.
        #expect(PointCloud.floatRoundedUp(0.1) == Float(0.1))
        #expect(PointCloud.floatRoundedDown(0.1) == Float(0.1).nextDown)
        #expect(PointCloud.floatRoundedUp(-0.1) == Float(-0.1).nextUp)
        #expect(PointCloud.floatRoundedDown(0.5) == 0.5 && PointCloud.floatRoundedUp(0.5) == 0.5)
    }

    @Test func `bounds are those of the points, and none without points`() {
        #expect(PointCloud().bounds == nil)
        let cloud = PointCloud(origin: Vector3(x: 10, y: 0, z: 0), offsets: [SIMD3(1, -2, 3), SIMD3(-1, 5, 0)])
        #expect(
            cloud.bounds == CloudBounds(minimum: Vector3(x: 9, y: -2, z: 0), maximum: Vector3(x: 11, y: 5, z: 3)))
    }

    @Test(arguments: [1, 3, 10, 1000])
    func `every point is in the one layer that its height belongs to, in its order`(_ count: Int) throws {
        var random = SystemRandomNumberGenerator()
        let offsets = (0..<2000).map { index in
            SIMD3<Float>(Float(index), 0, Float.random(in: -1...4, using: &random))
        }
        let cloud = PointCloud(origin: Vector3(x: 0, y: 0, z: 100), offsets: offsets)
        let layers = try HeightLayers(cloud, count: count)
        #expect(layers.count == count)
        #expect(layers.borders.count == count + 1)
        #expect((0..<count).reduce(0) { $0 + layers.slice($1).count } == 2000)
        for index in 0..<count {
            let slice = layers.slice(index)
            #expect(slice.offsets == Array(layers.cloud.offsets[layers.ranges[index]]))
            #expect(zip(slice.offsets, slice.offsets.dropFirst()).allSatisfy { $0.x < $1.x })
            for point in slice.points {
                #expect(point.z >= layers.borders[index] - 1e-5)
                #expect(point.z <= layers.borders[index + 1] + 1e-5)
            }
        }
        #expect(layers.slice(count).count == 0)
        #expect(layers.slice(-1).count == 0)
        #expect(layers.layer(atHeight: -1e9) == 0)
        #expect(layers.layer(atHeight: 1e9) == count - 1)
        #expect(layers.layer(atHeight: (layers.borders[count - 1] + layers.borders[count]) / 2) == count - 1)
    }

    @Test func `flat and empty clouds are one layer's`() throws {
        let flat = try HeightLayers(PointCloud(offsets: [SIMD3(0, 0, 2), SIMD3(1, 1, 2)]))
        #expect(flat.ranges.map(\.count) == [2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(flat.borders.allSatisfy { $0 == 2 })
        #expect(try HeightLayers(PointCloud()).ranges.allSatisfy(\.isEmpty))
    }

    @Test func `stray points do not stretch the layers and are not lost`() throws {
        let offsets =
            (0..<1000).map { SIMD3<Float>(0, 0, Float($0) / 100) }
            + [SIMD3(0, 0, -500), SIMD3(0, 0, 900), SIMD3(0, 0, 950)]
        let cloud = PointCloud(offsets: offsets)
        let full = try HeightLayers(cloud)
        #expect(full.ranges.map(\.count).max() == 1000)
        let robust = try HeightLayers(cloud, range: .withoutOutliers(fraction: 0.01))
        #expect(robust.borders.first.map { abs($0 - 0.09) < 0.011 } == true)
        #expect(robust.borders.last.map { abs($0 - 9.92) < 0.011 } == true)
        #expect(robust.ranges.map(\.count).reduce(0, +) == 1003)
        #expect(robust.ranges.allSatisfy { (95...115).contains($0.count) })
        // Nothing is left out when no fraction is.
        #expect(try HeightLayers(cloud, range: .withoutOutliers(fraction: 0)).borders == full.borders)
    }

    @Test func `layers that are moved keep their points and move their borders`() throws {
        let way = Vector3(x: -500_000, y: 2, z: 10)
        let layers = try HeightLayers(
            PointCloud(offsets: [SIMD3(0, 0, 1), SIMD3(1, 1, 3)], viewpoint: Vector3(x: 1, y: 1, z: 1)), count: 2)
        let moved = layers.moved(by: way)
        #expect(moved.cloud.points == layers.cloud.points.map { $0 + way })
        #expect(moved.cloud.viewpoint == Vector3(x: -499_999, y: 3, z: 11))
        #expect(moved.borders == [11, 12, 13])
        #expect(moved.ranges == layers.ranges)
    }

    @Test func `what makes no layers is refused`() {
        for count in [0, -1, 1001] {
            #expect(throws: PointCloudError.self) { try HeightLayers(PointCloud(), count: count) }
        }
        for fraction in [-0.1, 0.5, .nan] {
            #expect(throws: PointCloudError.self) {
                try HeightLayers(PointCloud(), range: .withoutOutliers(fraction: fraction))
            }
        }
    }
}
