import MapTrajectoryMode
import ModeKit
import RouteKit
import Foundation
import RouteFiles
import UAVLink

/// Maps as tests show them: a field of some 150 m with a safety area that has a notch.
enum MapSamples {
    static func place(_ east: Double, _ north: Double) -> MapPlace { MapPlace(east: east, north: north) }

    private static func at(_ x: Double, _ y: Double, _ z: Double) -> Vector3 { Vector3(x: x, y: y, z: z) }

    /// A map that nothing is known on yet.
    static var empty: MapTrajectoryScreenState {
        var state = MapTrajectoryScreenState()
        state.scaleBar = ScaleBar(metres: 10, label: "10 m")
        state.route.cursorLines = ["0.0 m E, 0.0 m N"]
        state.sessionLine = "no origin: W reads a world file, O takes latitude and longitude"
        return state
    }

    /// A field with a route, all around it, and a plan that passed the checks.
    static var planned: MapTrajectoryScreenState {
        var state = MapTrajectoryScreenState()
        state.viewport = MapViewport(centre: place(10, 5), metresPerColumn: 3)
        state.safetyArea = [
            place(-70, -45), place(85, -45), place(95, 50), place(30, 55), place(20, 20), place(-5, 22), place(-10, 55),
            place(-65, 50),
        ]
        state.home = place(-55, -30)
        state.northRadians = 0.03
        state.grid =
            [-50.0, 0, 50].map { MapGridLine(from: place($0, -200), to: place($0, 200), label: "\(Int($0)) m") }
            + [-50.0, 0, 50].map { MapGridLine(from: place(-200, $0), to: place(200, $0), label: "\(Int($0)) m") }
        state.background = [
            MapShape(kind: .road, isArea: false, corners: [place(-200, -60), place(200, -52)]),
            MapShape(kind: .path, isArea: false, corners: [place(60, -60), place(70, 80)]),
            MapShape(
                kind: .building, isArea: true,
                corners: [place(-95, 10), place(-80, 10), place(-80, 30), place(-95, 30)]),
            MapShape(kind: .tower, isArea: false, corners: [place(-75, -15)]),
        ]
        state.route.points = [
            RouteMarker(position: at(-50, -25, 5), label: "1"),
            RouteMarker(
                position: at(-40, 35, 8), label: "2", isSelected: true, holds: true, takesSnapshot: true,
                headingRadians: .pi / 2),
            RouteMarker(position: at(45, 10, 8), label: "3", takesSnapshot: true, headingRadians: 0),
            RouteMarker(position: at(75, -30, 5), label: "4"),
        ]
        state.path = state.route.points.map(\.place)
        state.vehicles = [
            MapVehicle(
                place: place(-54, -28), headingRadians: 0.8,
                trail: (0..<20).map { place(-60 + Double($0) * 0.3, -38 + Double($0) * 0.5) },
                title: "uav1", isSelected: true),
            MapVehicle(place: place(20, -30), headingRadians: .pi, title: "uav2", isSelected: false),
        ]
        state.cursor = place(0, -10)
        state.scaleBar = ScaleBar(metres: 50, label: "50 m")
        state.route.cursorLines = [
            "49.362160 N 14.261430 E", "33U 446368.2 5468010.0", "33U VR 46368 68010", "55.0 m E, 20.0 m N of home",
        ]
        state.sessionLine = "origin 49.36225 N 14.26143 E (world file)  zone 33N  safety area 1-15 m"
        state.route.point = [
            LabeledValue("east, north", "-40.0, 35.0 m"), LabeledValue("z", "8.0 m"),
            LabeledValue("heading", "north, fixed"),
            LabeledValue("hold", "2 s"),
            LabeledValue("camera", "-30°"), LabeledValue("snapshot", "yes"),
        ]
        state.route.plan = [
            LabeledValue("length", "213.4 m"), LabeledValue("time", "1 min 12 s"),
            LabeledValue("samples", "3601, 0.02 s"),
            LabeledValue("spacing", "7.9 cm"),
            LabeledValue("battery", "11 % of 74 %"),
        ]
        state.route.stage = .ready
        state.route.canUndo = true
        return state
    }

    /// The same with a route that cuts through the notch.
    static var failed: MapTrajectoryScreenState {
        var state = planned
        state.route.points[2].position = at(45, 40, 8)
        state.route.points[1].hasFinding = true
        state.path = []
        state.route.stage = .failed
        state.route.findings = [
            FindingLine(
                text: "point 2: the way leaves the safety area after 31.2 m, through side 6", isFailure: true,
                place: place(-8, 36)),
            FindingLine(text: "the battery's endurance is unknown; the battery was not checked", isFailure: false),
        ]
        state.route.chosenFinding = 0
        state.cursor = place(-8, 36)
        state.route.isPathCurrent = false
        return state
    }

    /// On the way to its start, away from the route.
    static var toStart: MapTrajectoryScreenState {
        var state = planned
        state.route.stage = .toStart
        state.vehicles[0].place = place(30, -20)
        state.vehicles[0].headingRadians = .pi
        state.wayToStart = [state.vehicles[0].place, state.route.points[0].place]
        return state
    }

    /// In flight, what was flown over what was planned.
    static var flying: MapTrajectoryScreenState {
        var state = planned
        state.route.stage = .flying
        state.route.progress = 0.43
        state.route.followsVehicle = true
        state.flown = (0...40).map { place(-50 + Double($0) * 0.3, -25 + Double($0) * 1.45 + sin(Double($0)) * 0.5) }
        state.vehicles[0].place = place(-39, 34)
        state.vehicles[0].headingRadians = .pi / 2
        state.route.trackError = [
            LabeledValue("mean", "0.08 m"), LabeledValue("p95", "0.17 m"), LabeledValue("maximum", "0.24 m"),
        ]
        return state
    }
}
