import Foundation
import IntegrationKit
import PointCloud
import Threads
import UAVLink

/// A million points: loaded beside the Point Cloud Library, thinned, cut into layers, and drawn.
enum CloudBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        let folder = try TemporaryFolder()
        let cloud = hall(points: 1_000_000)
        var sections: [Section] = []
        for encoding in PCDWriter.Encoding.allCases {
            let path = folder.path + "/" + encoding.rawValue + ".pcd"
            let bytes = try PCDWriter.bytes(of: cloud, encoding: encoding)
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
                throw ProcessFailure("cannot write \(path)")
            }
            sections.append(try await load(setting, encoding, path))
        }
        sections.append(try await process(setting, cloud))
        return sections
    }

    // MARK: Loading

    private static func load(_ setting: Setting, _ encoding: PCDWriter.Encoding, _ path: String) async throws -> Section
    {
        var section = Section(
            key: "cloud_\(encoding.rawValue)", title: "A PCD file of a million points, \(encoding.rawValue), loaded")
        let rounds = setting.amount(encoding == .ascii ? 5 : 20, quick: encoding == .ascii ? 2 : 5)
        let peer = setting.peers + "/pcl_load"
        guard FileManager.default.isExecutableFile(atPath: peer) else {
            section.notes.append(
                "SKIPPED the comparison: the Point Cloud Library is not installed (scripts/bench --only cloud installs it)"
            )
            section.add("uavlink", "uavlink", try await times(rounds) { _ = try CloudFile.read(path) })
            return section
        }
        try await withCrew { crew in
            let pcl = try await crew.peer("pcl", [peer, path], environment: Setting.environment)
            var (mine, theirs): ([Int64], [Int64]) = ([], [])
            for _ in 0..<rounds {
                mine += try await times(1) { _ = try CloudFile.read(path) }.sorted
                theirs += try await pcl.run(1)
            }
            section.notes.append("\(rounds) rounds of one each by turns; the file is in the system's cache")
            let all = [mine, theirs].map { Latencies(nanoseconds: $0) }
            section.add("uavlink", "uavlink", all[0])
            section.add("pcl", "the Point Cloud Library", all[1])
            section.figures.append(
                Figure(
                    name: "times the Point Cloud Library's (medians)", value: all[0].median / all[1].median, unit: "",
                    limit: .atMost(1)))
        }
        return section
    }

    // MARK: Working and drawing

    private static func process(_ setting: Setting, _ cloud: PointCloud) async throws -> Section {
        var section = Section(key: "cloud_work", title: "A million points thinned, sliced and drawn")
        let rounds = setting.amount(20, quick: 5)
        let worked = try await times(rounds) {
            let thin = try cloud.thinned(spacingMetres: 0.05)
            _ = try HeightLayers(thin)
        }
        section.add("thin_slice", "thinned to 5 cm and cut into ten layers", worked)
        section.add("slice", "all of them cut into ten layers", try await times(rounds) { _ = try HeightLayers(cloud) })
        section.figures.append(
            Figure(name: "thinned and sliced: median", value: worked.median / 1e6, unit: "ms", limit: .atMost(100)))
        for (name, tilt) in [("from above", Double.pi / 2), ("tilted", 0.6)] {
            let drawn = try await times(10 * rounds) { draw(cloud, tilt: tilt) }
            section.add("draw_\(tilt)", "drawn \(name) at 120 by 40", drawn)
            section.figures.append(
                Figure(
                    name: "frames a second, \(name) (from the 99th percentile)", value: 1e9 / drawn.percentile(99),
                    unit: "", limit: .atLeast(30)))
        }
        return section
    }

    private static func draw(_ cloud: PointCloud, tilt: Double) {
        guard let bounds = cloud.bounds else { return }
        var grid = DotGrid(columns: 120, rows: 40)
        let camera = CloudCamera(seeing: bounds, on: grid, turnRadians: 0.4, tiltRadians: tilt)
        CloudRasteriser.draw(cloud, camera: camera, on: &grid)
    }

    /// How long each time took, on a thread of its own, as in the program.
    private static func times(_ count: Int, _ body: @escaping @Sendable () throws -> Void) async throws -> Latencies {
        let outcome = await DedicatedThread.run { () -> Result<[Int64], any Error> in
            Result {
                try (0..<count).map { _ in
                    let start = ContinuousClock.now
                    try body()
                    return (ContinuousClock.now - start).wholeNanoseconds
                }
            }
        }
        guard let outcome else { throw ProcessFailure("no thread to measure on") }
        return Latencies(nanoseconds: try outcome.get())
    }

    /// A hall of 30 by 20 by 5 m, scanned from inside in turns of 500 points, with a centimetre of noise: the same one
    /// every time.
    private static func hall(points: Int) -> PointCloud {
        let (eye, size) = (SIMD3<Float>(12, 8, 1.5), SIMD3<Float>(30, 20, 5))
        var state: UInt64 = 1
        func noise() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.02
        }
        let turns = points / 500
        let offsets = (0..<points).map { index -> SIMD3<Float> in
            let azimuth = Float(index / 500) / Float(turns) * 2 * .pi
            let elevation = -1.2 + 2.4 * Float(index % 500) / 500
            let ray = SIMD3(
                cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation))
            var reach = Float.infinity
            for axis in 0..<3 where abs(ray[axis]) > 1e-6 {
                reach = min(reach, ((ray[axis] > 0 ? size[axis] : 0) - eye[axis]) / ray[axis])
            }
            return eye + ray * reach + SIMD3(noise(), noise(), noise())
        }
        return PointCloud(offsets: offsets)
    }
}
