import PointCloud
import Testing
import UAVLink

@Suite struct PointCloudTests {
    @Test func `a point is its offset from the origin, in double precision`() {
        let cloud = PointCloud(origin: Vector3(x: 458_357, y: 5_547_288, z: 200), offsets: [SIMD3(0.125, -0.5, 1)])
        #expect(cloud.point(0) == Vector3(x: 458_357.125, y: 5_547_287.5, z: 201))
    }

    @Test func `the point nearest to a line is measured to the line, not beyond its ends`() throws {
        let cloud = PointCloud(
            origin: Vector3(x: 1000, y: 0, z: 0), offsets: [SIMD3(2, 1, 0), SIMD3(9, 0.1, 0), SIMD3(0.1, 0, 0)])
        func nearest(_ from: Double, _ to: Double, beyond: Double = 0) -> (point: Vector3, metres: Double)? {
            cloud.nearest(
                toLineFrom: Vector3(x: 1000 + from, y: 0, z: 0), to: Vector3(x: 1000 + to, y: 0, z: 0), beyond: beyond)
        }
        #expect(abs((nearest(1, 5)?.metres ?? 0) - 0.9) < 1e-6)
        let own = try #require(nearest(0, 5))
        #expect(own.metres == 0 && abs(own.point.x - 1000.1) < 1e-6)
        #expect(nearest(0, 5, beyond: 0.2)?.metres == 1)
        #expect(abs((nearest(5, 10)?.metres ?? 0) - 0.1) < 1e-6)
        #expect(abs((nearest(8, 8)?.metres ?? 0) - 1.00499) < 1e-4)
        #expect(PointCloud().nearest(toLineFrom: .zero, to: .zero) == nil)
    }
}
