import FlightVolume
import Geodesy
import ReportKit
import RouteFiles
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// Findings about what a file contains and its route leaves out.
@Suite struct FileFindingTests {
    private static func loaded(_ commands: [Int]) throws -> LoadedRoute {
        let items = commands.enumerated().map { index, command in
            "{\"type\": \"SimpleItem\", \"command\": \(command), \"frame\": 0, "
                + "\"params\": [0,0,0,0,\(47.0 + Double(index) * 1e-4),8,409]}"
        }
        let text =
            "{\"fileType\": \"Plan\", \"version\": 1, \"mission\": {\"items\": [\(items.joined(separator: ","))]}}"
        var setup = WorldSetup()
        setup.typed = .init(place: .init(latitudeDegrees: 47, longitudeDegrees: 8), altitudeMetres: 400)
        let session = try setup.session()
        return try LoadedRoute(
            Array(text.utf8), name: "a.plan", resolver: setup.resolver(session, homeZMetres: nil, RouteDefaults()))
    }

    @Test func `altitudes above home count from what is known of it, at last from the planned home`() throws {
        let items = "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 3, \"params\": [0,0,0,0,47,8,20]}"
        func load(
            home: String, vehicle: Double? = nil, ground: Double? = nil, altitude: Double? = 400
        ) throws -> LoadedRoute {
            let text =
                "{\"fileType\": \"Plan\", \"mission\": {\(home)\"items\": [\(items),\(items)]}}"
            var setup = WorldSetup()
            setup.typed = .init(place: .init(latitudeDegrees: 47, longitudeDegrees: 8), altitudeMetres: altitude)
            return try LoadedRoute(
                Array(text.utf8), name: "a.plan",
                resolver: setup.resolver(
                    try setup.session(), homeZMetres: vehicle, vehicleGroundZMetres: ground, RouteDefaults()))
        }
        let planned = "\"plannedHomePosition\": [47, 8, 409.5], "
        let loaded = try load(home: planned)
        #expect(loaded.points.map(\.position.z) == [29.5, 29.5])
        let taken = "altitudes above home are taken above "
        let used = taken + "the file's planned home, 409.5 m above sea level"
        #expect(loaded.notes == [used])
        let standing = try load(home: planned, vehicle: 5)
        #expect(standing.points.map(\.position.z) == [25, 25])
        // In flight the same file would be flown 4.5 m higher.
        let position =
            "the take-off position, 405.0 m above sea level; the file's planned home is 409.5 m above sea level"
        #expect(standing.notes == [taken + position] && standing.doubts == [])
        #expect(try load(home: planned, vehicle: 9).notes == [])
        // Another height than the vehicle's own is doubted, on the ground and in flight, and both are named.
        let doubt = ": was it planned for another place?"
        let above = try load(home: planned, vehicle: 1)
        #expect(above.points.map(\.position.z) == [21, 21])
        #expect(
            above.notes == [
                taken + "the take-off position, 401.0 m above sea level; the file's planned home is 409.5 m above sea "
                    + "level" + doubt
            ])
        let flying = try load(home: planned, ground: -138.8)
        #expect(flying.points.map(\.position.z) == [29.5, 29.5])
        #expect(flying.notes == [used + "; the ground under the vehicle is 261.2 m above sea level" + doubt])
        #expect(flying.findings().map(\.weight) == [.warning])
        // What is used without being known can be given; where the vehicle stands is known.
        #expect(flying.findings().first?.remedy == .giveHome)
        #expect(above.findings().count == 1 && above.findings().first?.remedy == nil)
        #expect(flying.findings().first?.json.text.contains(doubt + " (--home Z gives z of the take-off") == true)
        #expect(loaded.findings().count == 1 && loaded.findings().first?.remedy == nil)
        let near = try load(home: planned, ground: 12)
        #expect(near.notes == [used + "; the ground under the vehicle is 412.0 m above sea level" + doubt])
        #expect(near.doubts.map(\.kind) == [.altitude])
        #expect(try load(home: planned, ground: 10).notes == [used])
        #expect(above.doubts.map(\.kind) == [.altitude] && loaded.doubts == [])
        // Where no ground is known, the height of the world's origin says as much, more roughly.
        let sea = try load(home: "\"plannedHomePosition\": [47, 8, 0], ")
        #expect(
            sea.notes == [
                taken + "the file's planned home, 0.0 m above sea level; world_origin is 400.0 m above sea level"
                    + doubt
            ])
        #expect(sea.doubts.map(\.kind) == [.altitude])
        for (home, altitude) in [("", 400.0), ("\"plannedHomePosition\": [47, 8, null], ", 400), (planned, nil)] {
            #expect {
                try load(home: home, altitude: altitude)
            } throws: {
                ($0 as? RouteLoadingError)?.unknownReference == .home
            }
        }
    }

    @Test func `a file without a frame is no finding where one was given, and is one where it was assumed`() throws {
        func notes(given frame: FrameName?, assumed: Bool = false) throws -> [String] {
            var resolver = WorldSetup().resolver(nil, homeZMetres: nil, RouteDefaults(frame: frame))
            resolver.assumesFrame = assumed
            return try LoadedRoute(Array("1,2,3,0\n4,5,6,0\n".utf8), name: "a.csv", resolver: resolver).notes
        }
        #expect(try notes(given: .worldOrigin) == [])
        #expect(try notes(given: .worldOrigin, assumed: true).first?.hasPrefix("a.csv names no frame; ") == true)
        #expect {
            try notes(given: nil)
        } throws: {
            ($0 as? RouteLoadingError)?.lacksFrame == true
        }
    }

    @Test func `headings that may be degrees are in doubt, beside what is not checked`() throws {
        func doubts(_ text: String) throws -> [String] {
            let resolver = WorldSetup().resolver(nil, homeZMetres: nil, RouteDefaults(frame: .worldOrigin))
            return try LoadedRoute(Array(text.utf8), name: "a.csv", resolver: resolver).doubts.map(\.text)
        }
        #expect(try doubts("x,y,z,heading\n0,0,3,90\n5,0,3,180\n") == ["headings in doubt (more than 7 rad)"])
        #expect(try doubts("x,y,z,heading\n0,0,3,1.5\n5,0,3,3.1\n") == [])
    }

    @Test func `a column of altitudes that was left out is named where they are missing`() throws {
        let resolver = WorldSetup().resolver(nil, homeZMetres: nil, RouteDefaults(frame: .worldOrigin))
        let error = #expect(throws: RouteLoadingError.self) {
            try LoadedRoute(Array("x,y,alt\n0,0,5\n5,0,5\n".utf8), name: "a.csv", resolver: resolver)
        }
        #expect(error?.lacksAltitude == true)
        #expect(error?.description.contains("name the column altitude_amsl") == true)
    }

    @Test func `a turn that is left out changes no leg`() throws {
        var loaded = try Self.loaded([16, 16])
        loaded.omissions = ["a yaw by an angle after a waypoint without a yaw is left out"]
        #expect(loaded.findings().map(\.text).first == loaded.omissions.first)
    }

    @Test func `a file whose points are not resolved has the same findings, without its frame`() throws {
        let items = [16, 177, 16, 21].map {
            "{\"type\": \"SimpleItem\", \"command\": \($0), \"frame\": 3, \"params\": [0,0,0,0,47,8,9]}"
        }
        let text =
            "{\"fileType\": \"Plan\", \"version\": 1, \"mission\": {\"items\": [\(items.joined(separator: ","))]}}"
        let read = try LoadedRoute.read(Array(text.utf8), name: "a.plan")
        #expect(
            read.findings().map(\.text) == [
                "command 177 (DO_JUMP) is left out; the route goes straight on to the next point, if there is one",
                "the landing is left out: land afterwards",
            ])
        #expect(read.findings().map(\.weight) == [.failure, .warning])
        let table = try LoadedRoute.read(Array("1,2,3,0\n4,5,6.5,0\n".utf8), name: "a.csv")
        #expect(table.notes.count == 1 && table.findings() == [])
        #expect(read.findings(allowsOmissions: true).map(\.weight) == [.warning, .warning])
    }

    @Test func `an omission fails the check unless it is allowed`() throws {
        let loaded = try Self.loaded([16, 177, 206, 16])
        let texts = [
            "command 177 (DO_JUMP) is left out; the route goes straight on to the next point, if there is one",
            "command 206 (camera trigger) is left out",
        ]
        #expect(loaded.findings().map(\.text) == texts)
        #expect(loaded.findings().map(\.weight) == [.failure, .warning])
        #expect(loaded.findings(allowsOmissions: true).map(\.text) == texts)
        #expect(loaded.findings(allowsOmissions: true).allSatisfy { $0.weight == .warning })
        let plan = try TrajectoryPlan(through: loaded.points, FlightConditions())
        #expect(plan.report.isOK)
        let checked = plan.of(loaded)
        #expect(!checked.report.isOK)
        #expect(checked.report.lines.contains("failure: " + texts[0]))
        #expect(checked.report.lines.last == "not ready to fly")
        #expect(throws: TrajectoryFlightFailure.self) { try FlightConfirmation(checked).accept() }
        #expect(plan.of(loaded, allowsOmissions: true).report.isOK)
    }

    @Test func `every check says how far away the flight begins, and doubts what is implausible`() throws {
        let points = [
            PlannedPoint(position: Vector3(x: 3, y: 4, z: 0)), PlannedPoint(position: Vector3(x: 9, y: 4, z: 0)),
        ]
        func report(_ points: [PlannedPoint], vehicle: Vector3? = nil) throws -> TrajectoryReport {
            try TrajectoryPlan(through: points, FlightConditions(vehiclePosition: vehicle)).report
        }
        #expect(try report(points).lines[1] == "point 1 is 5.0 m from the origin of world_origin")
        let near = try report(points, vehicle: Vector3(x: 3, y: 1, z: 0))
        #expect(near.lines[1] == "point 1 is 3.0 m from the vehicle")
        #expect(near.json.text.contains(#""start_distance_m": 3, "start_distance_from": "vehicle""#))
        #expect(!near.findings.contains { $0.kind == .distance })
        let far = points.map { point in
            var point = point
            point.position = point.position + Vector3(x: 56_000, y: 0, z: 0)
            return point
        }
        let doubt = "are latitude and longitude swapped, or is the origin wrong?"
        let offline = try report(far).findings.filter { $0.kind == .distance }
        #expect(
            offline.count == 1 && offline.allSatisfy { $0.weight == .warning && $0.text.hasSuffix(doubt) }, "\(offline)"
        )
        let online = try report(far, vehicle: .zero).findings.filter { $0.kind == .distance }
        #expect(
            online.count == 1 && online.allSatisfy { $0.weight == .failure && $0.text.hasSuffix(doubt) }, "\(online)")
    }

    @Test func `what is beyond any flight fails, and a doubted distance is named beside the verdict`() throws {
        func report(_ metres: [Double], vehicle: Double? = nil, isPlaceKnown: Bool = true) throws -> TrajectoryReport {
            var settings = TrajectorySettings()
            settings.maximumDistanceMetres = 1e6
            settings.isPlaceKnown = isPlaceKnown
            // One sample for each point: no check but that of the motion needs more.
            let points = metres.map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 0)) }
            let samples = points.map { Trajectory.Point(position: $0.position, headingRadians: 0) }
            let generated = GeneratedTrajectory(
                trajectory: Trajectory(frame: .worldOrigin, points: samples, timeStepSeconds: 1),
                pointSamples: Array(points.indices), points: points)
            return TrajectoryPlan(
                generated,
                FlightConditions(vehiclePosition: vehicle.map { Vector3(x: $0, y: 0, z: 0) }, settings: settings)
            ).report
        }
        func distances(_ report: TrajectoryReport) -> [TrajectoryFinding] {
            report.findings.filter { $0.kind == .distance }
        }
        // 6127 km from the origin, as with swapped latitude and longitude; then from the vehicle, then between two points.
        let beyond = [
            try report([6_127_000]), try report([6_127_000], vehicle: 0), try report([0, 6_127_000], vehicle: 0),
        ]
        for far in beyond {
            #expect(distances(far).map(\.weight) == [.failure] && far.lines.last == "not ready to fly", "\(far.lines)")
            #expect(distances(far).first?.text.hasSuffix("is the origin wrong?") == true)
        }
        let near = try report([99_000], vehicle: 0)
        #expect(distances(near).isEmpty)
        let ownCoordinates = try report([6_127_000], isPlaceKnown: false)
        #expect(distances(ownCoordinates).map(\.weight) == [.warning])
        let points = [5_000.0, 5_010].map { PlannedPoint(position: Vector3(x: $0, y: 0, z: 0)) }
        let doubted = try TrajectoryPlan(through: points, FlightConditions()).report
        #expect(doubted.isOK)
        #expect(
            doubted.lines.last?.hasPrefix(
                "ready, except: distance implausible (point 1 is 5000 m from the origin of world_origin), safety area")
                == true, "\(doubted.lines)")
        #expect(Self.unchecked(doubted) == ["distance", "safety_area", "battery"])
    }

    private static func unchecked(_ report: TrajectoryReport) -> JSONValue? {
        guard case .object(let members) = report.json else { return nil }
        return members.first { $0.key == "not_checked" }?.value
    }

    @Test func `what was not checked is named beside the verdict`() throws {
        let points = try Self.loaded([16, 16]).points
        let unknown = try TrajectoryPlan(through: points, FlightConditions()).report
        #expect(
            unknown.lines.last
                == "ready, except: safety area not checked (no world file with a safety area), "
                + "battery not checked (the remaining battery is unknown)")
        #expect(Self.unchecked(unknown) == ["safety_area", "battery"])
        var settings = TrajectorySettings()
        settings.enduranceSeconds = 1200
        let charged = try TrajectoryPlan(
            through: points, FlightConditions(batteryRemaining: 0.9, settings: settings)
        ).report
        #expect(Self.unchecked(charged) == ["safety_area"])
        let volume = FlyableVolume(
            corners: [SIMD2(-99, -99), SIMD2(99, -99), SIMD2(99, 99), SIMD2(-99, 99)], minimumZMetres: 0,
            maximumZMetres: 99)
        let known = try TrajectoryPlan(
            through: points, FlightConditions(volume: volume, batteryRemaining: 0.9, settings: settings)
        ).report
        #expect(Self.unchecked(known) == [])
        #expect(known.lines.last == "ready to fly")
    }
}
