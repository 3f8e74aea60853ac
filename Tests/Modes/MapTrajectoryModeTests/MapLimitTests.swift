import FlightControl
import MapTrajectoryMode
import ModeKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit

/// Where the vehicle must not fly, on the map.
@MainActor
@Suite("Map trajectory: limits")
struct MapLimitTests {
    private static let world =
        MapBench.world + """

                  obstacles:
                    present: true
                    obstacle_0:
                      horizontal: {frame_name: "world_origin", points: [8, -3, 12, -3, 12, 3, 8, 3]}
                      vertical: {frame_name: "world_origin", min_z: 0.0, max_z: 10.0}
            """

    @Test func `the obstacles of a world file are shown, and a route through one fails`() async {
        let bench = MapBench(files: ["world.yaml": Self.world])
        await bench.open()
        bench.do(.ask(.world), .answer("world.yaml"))
        #expect(await becomesTrue { bench.view.shown.obstacles.count == 1 })
        let corners = bench.view.shown.obstacles.first ?? []
        #expect(corners.count == 4 && corners.allSatisfy { abs(abs($0.east - 10) - 2) < 0.01 })
        #expect(bench.view.shown.sessionLine.contains("safety area with 1 obstacle"))
        bench.do(.place(MapPlace(east: 0, north: 0)), .answer("5"), .place(MapPlace(east: 20, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.shown.route.isPathCurrent && bench.view.shown.route.stage == .failed
                    && bench.view.shown.route.findings.contains { $0.isFailure && $0.text.contains("obstacle_0") }
            }, "\(bench.view.shown.route.findings)")
        #expect(bench.view.shown.route.elevation.first?.metres.contains(10) == true)
        // Above it the way is free.
        bench.do(.route(.clear), .place(MapPlace(east: 0, north: 0)), .answer("13"))
        bench.do(.place(MapPlace(east: 20, north: 0)))
        #expect(
            await becomesTrue {
                bench.view.shown.route.isPathCurrent && !bench.view.shown.route.plan.isEmpty
                    && !bench.view.shown.route.findings.contains { $0.text.contains("obstacle_0") }
            }, "\(bench.view.shown.route.findings)")
        bench.close()
    }

    @Test func `each meridian has space for its label, at every scale`() async {
        let bench = MapBench()
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.resize(columns: 78, rows: 19), .zoom(steps: -12, around: nil))
        var seen: Set<Double> = []
        for _ in 0..<30 {
            bench.do(.zoom(steps: 1, around: nil))
            let metresPerColumn = bench.view.shown.viewport.metresPerColumn
            let meridians = bench.view.shown.grid.filter { $0.label.hasSuffix(" E") }
            for (one, next) in zip(meridians, meridians.dropFirst()) {
                let columns = (next.from.east - one.from.east) / metresPerColumn
                #expect(columns >= Double(one.label.count + 1), "\(one.label) at \(metresPerColumn) m")
                seen.insert(metresPerColumn)
            }
        }
        #expect(seen.count > 5 && seen.contains { $0 < 0.3 })
        bench.close()
    }

    @Test func `the geofence of a plan is shown, what it keeps in and what it keeps out`() async {
        let circle = "{\"circle\": {\"center\": [47.397743, 8.545594], \"radius\": 80}, \"inclusion\": true}"
        let corners = "[[47.39790, 8.54560], [47.39800, 8.54560], [47.39800, 8.54580]]"
        let items = [47.3977, 47.3978].map {
            "{\"type\":\"SimpleItem\",\"command\":16,\"frame\":0,\"params\":[0,0,0,null,\($0),8.5456,350]}"
        }
        let plan = """
            {"fileType": "Plan", "version": 1, "mission": {"items": [\(items.joined(separator: ","))]},
             "geoFence": {"circles": [\(circle)], "polygons": [{"polygon": \(corners), "inclusion": false}]}}
            """
        let bench = MapBench(files: ["fenced.plan": plan])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("fenced.plan"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        #expect(bench.view.shown.fences.count == 1 && bench.view.shown.obstacles.count == 1)
        let fence = bench.view.shown.fences.first ?? []
        #expect(fence.count > 8)
        #expect(fence.allSatisfy { abs(($0.east * $0.east + $0.north * $0.north).squareRoot() - 80) < 2 })
        #expect(bench.view.shown.obstacles.first?.count == 3)
        bench.do(.route(.clear))
        #expect(bench.view.shown.fences.isEmpty && bench.view.shown.obstacles.isEmpty)
        bench.close()
    }
}
