import PointCloud
import Testing
import UAVLink

@Suite struct PointCloudTests {
    @Test func `a point is its offset from the origin, in double precision`() {
        let cloud = PointCloud(origin: Vector3(x: 458_357, y: 5_547_288, z: 200), offsets: [SIMD3(0.125, -0.5, 1)])
        #expect(cloud.point(0) == Vector3(x: 458_357.125, y: 5_547_287.5, z: 201))
    }
}
