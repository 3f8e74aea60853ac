import PointCloud
import Testing
import UAVLink

@Suite struct PCDWriterTests {
    private static func clouds() -> [PointCloud] {
        var random = SystemRandomNumberGenerator()
        let offsets = (0..<1000).map { _ in
            SIMD3<Float>(.random(in: -50...50, using: &random), .random(in: -50...50, using: &random), 0.125)
        }
        return [
            PointCloud(), PointCloud(offsets: [SIMD3(1, 2, 3)]),
            PointCloud(offsets: offsets, viewpoint: Vector3(x: 1, y: 2, z: 3.25)),
            PointCloud(origin: Vector3(x: 458_357, y: 5_547_288, z: 200), offsets: offsets),
        ]
    }

    @Test(arguments: PCDWriter.Encoding.allCases)
    func `what is written is read again to the last bit`(_ encoding: PCDWriter.Encoding) throws {
        for cloud in Self.clouds() {
            let again = try Fixture.read(try PCDWriter.bytes(of: cloud, encoding: encoding))
            // A cloud without one is written with 0 0 0, as PCL does; far away from the points it is known to be none.
            #expect(again.viewpoint == (cloud.origin == .zero ? cloud.viewpoint ?? .zero : nil))
            guard cloud.origin == .zero else {
                // The origin is chosen anew, by the first point.
                #expect(zip(again.points, cloud.points).allSatisfy { ($0 - $1).length < 1e-5 })
                #expect(again.count == cloud.count)
                continue
            }
            #expect(again.offsets == cloud.offsets)
        }
    }

    @Test func `points that repeat are packed small`() throws {
        let cloud = PointCloud(offsets: Array(repeating: SIMD3(1, 2, 3), count: 10_000))
        #expect(try PCDWriter.bytes(of: cloud, encoding: .compressed).count < 5000)
        #expect(try PCDWriter.bytes(of: cloud, encoding: .binary).count > 120_000)
    }
}
