import BenchmarkKit
import Foundation
import IntegrationKit
import Planning
import PointCloud
import ReportKit
import Statistics
import Threads
import UAVLink

/// A collision-free path past twenty places in half a million points: ours beside OMPL over octomap and dynamicEDT3D.
enum PlanningBenchmark {
    private static let body = VehicleBody(radiusMetres: 0.35, marginMetres: 0.2)
    private static let options = MapOptions(unknownIsOpen: true)

    static func run(_ setting: Setting) async throws -> [Section] {
        var section = Section(
            key: "planning",
            title: "A path past 20 places through \(BlockedHall.points) points, \(body.clearanceMetres) m clear of each"
        )
        let map = BlockedHall.make()
        let space = try KnownSpace(map: map, for: body, options: options)
        let places = BlockedHall.places(21, with: 0.3 + body.clearanceMetres, in: space)
        let request = PlanRequest(start: places[0], places: Array(places[1...]))
        guard case .path(let plan) = try PathPlanner(space: space).plan(request) else {
            throw ProcessFailure("the hall has no path for us")
        }
        let mine = measured(plan.path, map)
        section.notes.append("map read into cells, order of the places found, path made: all of it, each round")
        section.notes.append(
            "uavlink: \(mine), \(plan.path.count) corners; the clearance is the least distance to any point, by looking at each"
        )
        let peer = setting.peers + "/ompl_plan"
        let folder = try TemporaryFolder()
        var contenders = [
            Contender(key: "uavlink", name: "uavlink, its own order") { _ in
                { count, _ in
                    var timings = Timings()
                    for _ in 0..<count { timings.latencies.append(try await time(map, request)) }
                    return timings
                }
            }
        ]
        let paths = Paths()
        if FileManager.default.isExecutableFile(atPath: peer) {
            let command = [peer] + (try files(folder, map, request, plan, space))
            contenders.append(
                Contender(key: "ompl", name: "OMPL RRTConnect, simplified, the same order given") { crew in
                    let ompl = try await crew.peer("ompl", command, environment: Setting.environment)
                    return { count, _ in
                        var timings = Timings()
                        for _ in 0..<count {
                            timings += try await ompl.run(1)
                            await paths.add(measured(try path(folder.path + "/path"), map))
                        }
                        return timings
                    }
                })
        } else {
            section.notes.append(
                "SKIPPED the comparison: OMPL is not installed (scripts/bench --only planning installs it)")
        }
        let rounds = setting.plan(blocks: 6, of: 1)
        section.notes.append(rounds.text + "; ours in the benchmark's own process")
        section.rows = try await rounds.measure(contenders)
        section.figures = [
            Figure(
                name: "planned, the slowest of a run", estimate: section.series("uavlink").slowest, unit: "s",
                limit: .atMost(1)),
            Figure(
                name: "clearance kept, of that promised", value: mine.clearance / body.clearanceMetres, unit: "times",
                limit: .atLeast(1)),
        ]
        compare(&section, mine, await paths.all)
        return [section]
    }

    private static func compare(_ section: inout Section, _ mine: Measured, _ paths: [Measured]) {
        guard !paths.isEmpty else { return }
        let lengths = paths.map(\.length).sorted()
        let median = lengths[lengths.count / 2]
        let least = paths.map(\.clearance).min() ?? 0
        section.notes.append(
            "OMPL: \(Figure.short(median)) m (median), \(Figure.short(lengths[0])) m (shortest); least clearance"
                + " \(Figure.short(least)) m; \(paths.count { $0.clearance < body.clearanceMetres }) of \(paths.count)"
                + " paths nearer to a point than asked")
        section.figures.append(
            Figure(
                "time against OMPL (medians)", section.series("uavlink"), over: section.series("ompl"), at: .p50,
                limit: .atMost(1)))
        section.figures.append(
            Figure(name: "length against OMPL (median)", value: mine.length / median, unit: "times", limit: .atMost(1)))
    }

    /// The peer's paths of all runs.
    private actor Paths {
        var all: [Measured] = []
        func add(_ path: Measured) { all.append(path) }
    }

    /// What can be measured on a path.
    private struct Measured: CustomStringConvertible, Sendable {
        var length: Double
        var clearance: Double
        var description: String { "\(Figure.short(length)) m long, clearance \(clearance.formatted(decimals: 4)) m" }
    }

    private static func measured(_ path: [Vector3], _ map: PointCloud) -> Measured {
        var result = Measured(length: 0, clearance: .infinity)
        for (start, end) in zip(path, path.dropFirst()) {
            let along = end - start
            result.length += along.length
            let squared = max(along.dot(along), .leastNormalMagnitude)
            for index in 0..<map.count {
                let to = map.point(index) - start
                let gap = to - along * min(1, max(0, to.dot(along) / squared))
                result.clearance = min(result.clearance, gap.length)
            }
        }
        return result
    }

    /// Map, order and path, on a thread of its own, as in the program.
    private static func time(_ map: PointCloud, _ request: PlanRequest) async throws -> Int64 {
        let took = await DedicatedThread.run { () -> Int64? in
            let start = Pace.now
            guard let space = try? KnownSpace(map: map, for: body, options: options),
                let outcome = try? PathPlanner(space: space).plan(request), case .path = outcome
            else { return nil }
            return Pace.now - start
        }
        guard let took = took ?? nil else { throw ProcessFailure("no path the second time") }
        return took
    }

    /// The same map, places, order and clearance for the peer.
    private static func files(
        _ folder: TemporaryFolder, _ map: PointCloud, _ request: PlanRequest, _ plan: PlannedPath, _ space: KnownSpace
    ) throws -> [String] {
        var bytes = Data(capacity: map.count * 12)
        for offset in map.offsets {
            for axis in 0..<3 { withUnsafeBytes(of: offset[axis]) { bytes.append(contentsOf: $0) } }
        }
        let cloud = folder.path + "/cloud"
        guard FileManager.default.createFile(atPath: cloud, contents: bytes) else {
            throw ProcessFailure("cannot write \(cloud)")
        }
        let stops = [request.start] + plan.order.map { request.places[$0] }
        let places = try folder.write(stops.map { "\($0.x) \($0.y) \($0.z)\n" }.joined(), to: "places")
        return [cloud, places, folder.path + "/path", "\(body.clearanceMetres)", "\(space.cellMetres)", "0"]
    }

    private static func path(_ file: String) throws -> [Vector3] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            return numbers.count == 3 ? Vector3(x: numbers[0], y: numbers[1], z: numbers[2]) : nil
        }
    }
}

extension RunSeries {
    /// The longest of each run, seconds.
    fileprivate var slowest: Estimate {
        Estimate(byRun: runs.map { $0.latencies.max().map { Double($0) / 1e9 } ?? .nan })
    }
}

/// A hall of 30 by 20 by 6 m with two walls and 35 blocks in it, the same one every time.
enum BlockedHall {
    static let points = 500_000
    private static let size = SIMD3<Float>(30, 20, 6)

    /// Two walls across, each with a door of 2 m by 2.5 m.
    private static let walls = wall(at: 10, door: 4) + wall(at: 20, door: 14)

    private static func wall(at x: Float, door y: Float) -> [(SIMD3<Float>, SIMD3<Float>)] {
        let back = x + 0.2
        return [
            (SIMD3(x, 0, 0), SIMD3(back, y, 6)), (SIMD3(x, y + 2, 0), SIMD3(back, 20, 6)),
            (SIMD3(x, y, 2.5), SIMD3(back, y + 2, 6)),
        ]
    }

    private struct Numbers {
        var state: UInt64
        mutating func next(_ low: Float, _ high: Float) -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return low + (high - low) * Float(state >> 40) / Float(1 << 24)
        }
        mutating func place(_ low: SIMD3<Float>, _ high: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3(next(low.x, high.x), next(low.y, high.y), next(low.z, high.z))
        }
    }

    private struct Side {
        var low: SIMD3<Float>
        var high: SIMD3<Float>
        var area: Float

        init(low: SIMD3<Float>, high: SIMD3<Float>, number: Int) {
            (self.low, self.high) = (low, high)
            let axis = number / 2
            let size = high - low
            area = size[(axis + 1) % 3] * size[(axis + 2) % 3]
            if number % 2 == 0 { self.high[axis] = low[axis] } else { self.low[axis] = high[axis] }
        }
    }

    static func make() -> PointCloud {
        var numbers = Numbers(state: 7)
        let blocks =
            walls
            + (0..<35).map { _ -> (SIMD3<Float>, SIMD3<Float>) in
                let low = SIMD3(numbers.next(0, 28), numbers.next(0, 18), 0)
                return (low, low + numbers.place(SIMD3(0.3, 0.3, 1.5), SIMD3(2.5, 2.5, 6)))
            }
        // As many points on a side as it is large, as a scan has them.
        let sides = ([(.zero, size)] + blocks).flatMap { low, high in
            (0..<6).map { Side(low: low, high: high, number: $0) }
        }
        let area = sides.reduce(0) { $0 + $1.area }
        var offsets: [SIMD3<Float>] = []
        for side in sides {
            for _ in 0..<Int(Float(points) * side.area / area) { offsets.append(numbers.place(side.low, side.high)) }
        }
        while offsets.count < points { offsets.append(numbers.place(sides[0].low, sides[0].high)) }
        return PointCloud(offsets: offsets)
    }

    /// Places with that much room around them.
    static func places(_ count: Int, with capacity: Double, in space: KnownSpace) -> [Vector3] {
        var numbers = Numbers(state: 11)
        var places: [Vector3] = []
        while places.count < count {
            let offset = numbers.place(.zero, size)
            let place = Vector3(x: Double(offset.x), y: Double(offset.y), z: Double(offset.z))
            if space.clearance(at: place).metres >= capacity { places.append(place) }
        }
        return places
    }
}
