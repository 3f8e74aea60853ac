import IntegrationKit
import PointCloud
import Testing
import UAVLink

/// Real scans, where they lie beside the checkout; they are not ours to publish. What is expected was computed with an
/// independent reader in numpy.
@Suite struct RealCloudTests {
    struct Scan: Sendable, CustomTestStringConvertible {
        var name: String
        var count: Int
        var least: Vector3
        var greatest: Vector3
        /// Of all points.
        var sum: Vector3

        var testDescription: String { name }
    }

    static let scans = [
        Scan(
            name: "face_binary.pcd", count: 100_000,
            least: Vector3(x: -0.08813480287790298, y: -0.13367339968681335, z: -0.06304989755153656),
            greatest: Vector3(x: 0.08969732373952866, y: 0.12650799751281738, z: 0.14849255979061127),
            sum: Vector3(x: -0.5363046908663023, y: -2320.0323138238236, z: 4942.106061324619)),
        Scan(
            name: "ism_test_cat.pcd", count: 3400, least: Vector3(x: -16.7766819, y: -78.41643524, z: -1.08636737),
            greatest: Vector3(x: 15.90673637, y: 120.63905334, z: 65.20497131),
            sum: Vector3(x: 35.90527806996991, y: -17308.216575330007, z: 98145.86401789007)),
        Scan(
            name: "room_scan1.pcd", count: 112_586,
            least: Vector3(x: -13.799779891967773, y: -6.492819786071777, z: -1.3517049551010132),
            greatest: Vector3(x: 15.447110176086426, y: 7.979565143585205, z: 1.7090929746627808),
            sum: Vector3(x: 26047.641804889077, y: 15075.899807551286, z: 46427.95474377833)),
        Scan(
            name: "samp12-utm.pcd", count: 52_119, least: Vector3(x: 512203.96875, y: 5403586.0, z: 251.1199951171875),
            greatest: Vector3(x: 512408.34375, y: 5403850.0, z: 357.0799865722656),
            sum: Vector3(x: 26700835452.59375, y: 281636401777.5, z: 17548270.91040039)),
    ]
    static var arePresent: Bool { scans.allSatisfy { SharedFiles.arePresent("data/" + $0.name) } }

    @Test(.enabled(if: arePresent, "the scans do not lie beside the checkout"), arguments: scans)
    func `each is read as an independent reader reads it`(_ scan: Scan) throws {
        let reading = try CloudFile.read(SharedFiles.path("data/" + scan.name))
        #expect(reading.format == .pcd)
        #expect(reading.cloud.count == scan.count)
        #expect(reading.droppedPoints == 0)
        let bounds = try #require(reading.cloud.bounds)
        #expect((bounds.minimum - scan.least).length < 1e-5)
        #expect((bounds.maximum - scan.greatest).length < 1e-5)
        let sum = reading.cloud.points.reduce(.zero, +)
        #expect((sum - scan.sum).length < 1e-8 * scan.sum.length)
    }
}
