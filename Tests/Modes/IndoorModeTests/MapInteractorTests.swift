import Foundation
import IndoorMode
import IntegrationKit
import PointCloud
import ReportKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite("Maps: opening, slicing, writing, fetching")
struct MapInteractorTests {
    private let interactor = MapInteractor()

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a full disk is another failure than a file that cannot be made`() async throws {
        let full = await #expect(throws: MapFailure.self) {
            try await interactor.write([1], to: "/dev/full", replaces: true)
        }
        #expect(full == .unwritten("/dev/full cannot be written (no space left on device)"))
        let both = await #expect(throws: MapFailure.self) {
            try await interactor.write([(path: "/dev/full", bytes: [1])], replaces: true)
        }
        #expect(both == full)
        let nowhere = await #expect(throws: MapFailure.self) {
            try await interactor.write([1], to: "/no/such/folder/a", replaces: true)
        }
        let isOther = if case .some(.file(_)) = nowhere { true } else { false }
        #expect(isOther, "\(String(describing: nowhere))")
    }
    private let cloud = PointCloud(offsets: (0..<100).map { SIMD3(Float($0), 0, Float($0) / 10) })

    private func failure(_ body: () async throws(MapFailure) -> Void) async -> MapFailure? {
        do throws(MapFailure) {
            try await body()
            return nil
        } catch { return error }
    }

    @Test("what is written is opened again, with its layers and bounds")
    func writeAndOpen() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/map.pcd"
        try await interactor.write(cloud, to: path, .compressed)
        let map = try await interactor.open(path)
        #expect(map.cloud.offsets == cloud.offsets)
        #expect(map.readPoints == 100)
        #expect(map.layers.ranges.map(\.count) == Array(repeating: 10, count: 10))
        #expect(map.bounds == cloud.bounds)
        let thin = try await interactor.open(path, .init(spacingMetres: 5, layers: 2))
        #expect(thin.cloud.count == 20)
        #expect(thin.readPoints == 100)
        #expect(thin.layers.count == 2)
    }

    @Test("of files that belong together none is written if one is there")
    func together() async throws {
        let folder = try TemporaryFolder()
        let settings = try folder.write("old", to: "flight.yaml")
        let files = [(path: folder.path + "/flight.txt", bytes: [UInt8(1)]), (path: settings, bytes: [2])]
        let refused = await failure { () async throws(MapFailure) in try await interactor.write(files) }
        #expect(refused?.description == "\(settings) already exists; nothing was written")
        #expect(!folder.has("flight.txt"))
        try await interactor.write(files, replaces: true)
        #expect(folder.has("flight.txt"))
    }

    @Test("a file that is there stays as it was unless it is to be replaced, and nothing half written is left")
    func replacing() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "map.pcd")
        let refused = await failure { () async throws(MapFailure) in
            try await interactor.write(cloud, to: path, .binary)
        }
        #expect(refused?.description == "\(path) already exists; nothing was written")
        #expect(!folder.has("map.pcd.part"))
        try await interactor.write(cloud, to: path, .binary, replaces: true)
        #expect(try await interactor.open(path).readPoints == 100)
        let nowhere = await failure { () async throws(MapFailure) in
            try await interactor.write(cloud, to: folder.path + "/none/map.pcd", .binary)
        }
        #expect(nowhere?.description.contains("cannot be written (no such file") == true)
    }

    @Test("a file that is none is reported with its place")
    func noMap() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("1 2 3\n4 five 6\n", to: "a.xyz")
        let broken = await failure { () async throws(MapFailure) in _ = try await interactor.open(path) }
        #expect(broken?.description == "\(path), line 2: expected a number, found 'five'")
        let missing = await failure { () async throws(MapFailure) in _ = try await interactor.open(folder.path + "/b") }
        #expect(missing?.description.contains("cannot be opened (no such file") == true)
        let directory = await failure { () async throws(MapFailure) in _ = try await interactor.open(folder.path) }
        #expect(directory?.description.contains("is not a regular file") == true)
    }

    @Test("what is not wanted any more is given up")
    func cancelling() async throws {
        let bytes = try PCDWriter.bytes(
            of: PointCloud(offsets: Array(repeating: .zero, count: 500_000)), encoding: .binary)
        let work = Task { [interactor] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(MapFailure) in _ = try await interactor.open(bytes, source: "map") }
        }
        #expect(await work.value?.isCancelled == true)
    }

    @Test("the vehicle's maps: one is chosen, several must be named, none is said")
    func choosing() throws {
        func choice(_ topic: String?, _ topics: String...) -> String {
            do throws(MapFailure) {
                return try interactor.choose(topic, from: topics.map { AvailableMap(topic: $0) }).topic
            } catch {
                return error.description
            }
        }
        #expect(choice(nil, "/a") == "/a")
        #expect(choice("/b", "/a", "/b") == "/b")
        #expect(choice(nil, "/a", "/b") == "the vehicle offers several maps: /a, /b; choose one")
        #expect(choice("/c", "/a", "/b") == "the vehicle does not offer '/c'; it offers /a, /b")
        #expect(choice(nil) == "the vehicle offers no map: no point cloud topic is published")
    }

    @Test("a vehicle without maps is not asked for one")
    func noMaps() async throws {
        let link = FakeLink()
        try await link.connect(within: .seconds(1))
        link.vehicleCapabilities = ToyVehicle.capabilities
        let unoffered = await failure { () async throws(MapFailure) in _ = try await interactor.offers(over: link) }
        #expect(unoffered?.description.contains("velocity toy has no maps") == true, "\(unoffered as Any)")
        let request = MapRequest(topic: "/uav1/map")
        let unpulled = await failure { () async throws(MapFailure) in _ = try await interactor.pull(request, over: link)
        }
        #expect(unpulled?.description.contains("velocity toy has no maps") == true, "\(unpulled as Any)")
        #expect(link.survey.requests.isEmpty)
        await link.close()
    }

    @Test("a map is fetched as the request says, with progress, and a failure is reported")
    func pulling() async throws {
        let link = FakeLink()
        let bytes = try PCDWriter.bytes(of: cloud)
        link.survey.maps = ["/uav1/map": bytes]
        try await link.connect(within: .seconds(5))
        let offers = try await interactor.offers(over: link)
        #expect(offers.map(\.topic) == ["/uav1/map"])
        let reported = Reported()
        let request = MapRequest(topic: "/uav1/map", spacingMetres: 0.2, maximumPoints: 1000)
        let pulled = try await interactor.pull(request, over: link) { reported.take($0) }
        #expect(pulled == bytes)
        #expect(link.survey.requests == [request])
        #expect(reported.last == 1)
        link.survey.failure = LinkError(.timedOut, "no answer")
        let failed = await failure { () async throws(MapFailure) in _ = try await interactor.offers(over: link) }
        #expect(failed == .link(LinkError(.timedOut, "no answer")))
    }

    @Test("the report has the keys that scripts rely on")
    func report() async throws {
        let map = try await interactor.open(try PCDWriter.bytes(of: cloud), source: "a\u{1B}.pcd", .init(layers: 2))
        let text = MapReport(map).json.text
        for part in [
            "\"points\": 100", "\"min_m\": [0, 0, 0]", "\"max_m\": [99, 0, ", "\"dropped_points\": 0", "\"notes\": []",
            "\"layers\": [{\"layer\": 1, \"points\": 50, \"min_z_m\": 0, ",
        ] { #expect(text.contains(part), "\(text)") }
        #expect(MapReport(map).layer(2) == .null)
        let lines = MapReport(map).lines
        #expect(lines.first == "a␛.pcd: 100 points (pcd)")
        #expect(lines.contains { $0.contains("x from 0.000 to 99.000 m (99.000 m)") })
        #expect(lines.contains { $0.hasPrefix("seen from") })
        let single = try await interactor.open(Array("1 2 3\n".utf8), source: "a.xyz", .init(layers: 1))
        #expect(MapReport(single).lines.first == "a.xyz: 1 point (xyz)")
    }

    private final class Reported: Sendable {
        private let values = Mutex<[Double]>([])
        var last: Double? { values.withLock { $0.last } }
        func take(_ value: Double) { values.withLock { $0.append(value) } }
    }
}
