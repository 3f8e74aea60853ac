import BenchmarkKit
import Foundation
import IntegrationKit
import PointCloud
import Statistics
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
        let plan = setting.plan(
            blocks: encoding == .ascii ? 1 : 2, of: setting.amount(6, quick: encoding == .ascii ? 2 : 6))
        let peer = setting.peers + "/pcl_load"
        var contenders = [inProcess("uavlink", "uavlink") { _ = try CloudFile.read(path) }]
        section.notes.append("\(plan.text); ours in the benchmark's own process; the file is in the system's cache")
        guard FileManager.default.isExecutableFile(atPath: peer) else {
            section.notes.append(
                "SKIPPED the comparison: the Point Cloud Library is not installed (scripts/bench --only cloud installs it)"
            )
            section.rows = try await plan.measure(contenders)
            return section
        }
        contenders.append(.peer("pcl", "the Point Cloud Library", [peer, path]))
        section.rows = try await plan.measure(contenders)
        section.figures = [
            Figure(
                "of the time of the Point Cloud Library (medians)", section.series("uavlink"),
                over: section.series("pcl"), at: .p50, limit: .atMost(1))
        ]
        return section
    }

    // MARK: Working and drawing

    private static func process(_ setting: Setting, _ cloud: PointCloud) async throws -> Section {
        var section = Section(key: "cloud_work", title: "A million points thinned, sliced and drawn")
        let plan = setting.plan(of: 6)
        section.notes.append("\(setting.runs) runs, one after the other, of 6, and of 300 frames")
        section.rows = try await plan.measure([
            inProcess("thin_slice", "thinned to 5 cm and cut into ten layers") {
                let thin = try cloud.thinned(spacingMetres: 0.05)
                _ = try HeightLayers(thin)
            },
            inProcess("slice", "all of them cut into ten layers") { _ = try HeightLayers(cloud) },
        ])
        section.figures.append(
            Figure(
                name: "thinned and sliced: median", estimate: section.series("thin_slice").estimate(.p50, per: 1e6),
                unit: "ms", limit: .atMost(62.5)))
        for (name, tilt) in [("from above", Double.pi / 2), ("tilted", 0.6)] {
            // A run is as long as its p99 takes.
            let rows = try await setting.plan(of: 300).measure([
                inProcess("draw_\(tilt)", "drawn \(name) at 120 by 40") { draw(cloud, tilt: tilt) }
            ])
            section.rows += rows
            section.figures.append(
                Figure(
                    name: "frames a second, \(name) (from the 99th percentile)",
                    estimate: Estimate(byRun: rows[0].series.byRun(.p99).map { 1e9 / $0 }), unit: "",
                    limit: .atLeast(30)))
        }
        return section
    }

    private static func draw(_ cloud: PointCloud, tilt: Double) {
        guard let bounds = cloud.bounds else { return }
        var grid = DotGrid(columns: 120, rows: 40)
        let camera = CloudCamera(seeing: bounds, on: grid, turnRadians: 0.4, tiltRadians: tilt)
        CloudRasteriser.draw(cloud, camera: camera, on: &grid)
    }

    /// Each time on a thread of its own, as in the program.
    private static func inProcess(
        _ key: String, _ name: String, _ body: @escaping @Sendable () throws -> Void
    ) -> Contender {
        Contender(key: key, name: name) { _ in
            { count, _ in
                let outcome = await DedicatedThread.run { () -> Result<[Int64], any Error> in
                    Result {
                        try (0..<count).map { _ in
                            let start = Pace.now
                            try body()
                            return Pace.now - start
                        }
                    }
                }
                guard let outcome else { throw ProcessFailure("no thread to measure on") }
                return Timings(latencies: try outcome.get())
            }
        }
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
