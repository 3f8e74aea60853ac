import IndoorMode
import RouteFlight
import CommandLineKit
import Geodesy
import Planning
import PointCloud
import ReportKit
import RouteFiles
import SystemKit
import Trajectories
import UAVLink
import VehicleAccess

/// `uavlink map plan`
enum MapPlanCommand: Subcommand {
    static let points = Argument.requiredOption(
        "points", .path, help: "the waypoints to inspect: GeoJSON, KML, GPX, CSV (x,y,z,heading) or a .plan")
    static let start = Argument.option(
        "start", .place, help: "start position of the vehicle; default: the first waypoint")
    static let radius = Argument.option(
        "radius", .number(in: 0.01...20, unit: "metres"), default: 0.35, defaultText: "0.35",
        help: "from the vehicle's centre to its outermost part, metres")
    static let margin = Argument.option(
        "margin", .number(in: 0...20, unit: "metres"), default: 0.2, defaultText: "0.2",
        help: "additional clearance, metres")
    static let order = Argument.option(
        "order", .choice(["best", "given"]), default: "best", defaultText: "best",
        help: "the order with the shortest path, or the file's")
    static let returns = Argument.flag("return", help: "fly back to the start")
    static let open = Argument.flag("open-unknown", help: "treat unknown space as free")
    static let free = Argument.option(
        "free-start", .number(in: 0...20, unit: "metres"), default: 0, defaultText: "0",
        help: "treat everything within this distance of the start as free")
    static let viewpoint = Argument.repeatedOption(
        "viewpoint", .place, help: "sensor position of the map, if its file has none")
    static let offset = Argument.option(
        "offset", .place, help: "added to the map's coordinates to get those of world_origin")
    static let region = Argument.option(
        "region", .box,
        help: "use only this part of the map, in world_origin: two opposite corners, metres; its border is closed")
    static let cell = Argument.option(
        "cell", .number(in: 0.005...20, unit: "metres"),
        help: "cell size of the search grid, metres; default: a quarter of the clearance, larger for a large map")
    static let speed = Argument.option(
        "speed", .number(in: 0.05...30, unit: "m/s"), default: 1, defaultText: "1", help: "along the path, m/s")
    static let hold = Argument.option(
        "hold", .number(in: 0...3600, unit: "seconds"), default: 2, defaultText: "2",
        help: "hold time at waypoints without one, seconds")
    static let output = Argument.option(
        "output", .path,
        help:
            "write the plan: samples for .txt, with their frame and time step in a .yaml beside it; else waypoints and corners"
    )
    static let force = Argument.flag("force", help: "overwrite an existing file")

    static let spec = CommandSpec(
        "plan", summary: "a collision-free path through waypoints in a map, and the trajectory that flies it",
        discussion: """
            The path keeps radius plus margin from every point of the map and from unknown space. If there is none,
            exits with 1 and prints the reason: which waypoint is blocked and by what, how narrow the gap is, the
            nearest reachable position. A map with too many cells is searched in larger ones, with a warning, if unknown
            space is open; else the error names a --region and a --cell that work. The map is in world_origin, or moved
            there by --offset. The vehicle is asked for its limits, world, position and battery when it can be reached;
            nothing is sent to it, and without it the limits are the flight stack's defaults. Geographic places, in
            --points or --output, need the vehicle, --world or --origin; altitudes above ground or home need --ground or
            --home, or a vehicle that stands at home. Metres without a frame are those of world_origin. The safety area and
            the obstacles of --world apply, else those of the world file of the profile, else those of the vehicle's own
            world ('uavlink map world').
            """,
        arguments: [
            MapOptions.file, points, start, radius, margin, order, returns, open, free, viewpoint, offset, region, cell,
            speed, hold, RouteOptions.world, RouteOptions.origin, RouteOptions.worldAltitude, RouteOptions.localOrigin,
            RouteOptions.zone, RouteOptions.altitude, RouteOptions.frame, RouteOptions.ground, RouteOptions.home,
            RouteOptions.geoid, RouteOptions.offline, RouteOptions.allowOmissions, output, force,
        ], exclusive: [[RouteOptions.world, RouteOptions.origin]],
        examples: [
            .init("uavlink map plan room.pcd --points walls.csv --start 1,0,0", "in the best order"),
            .init("uavlink map plan room.pcd --points walls.csv --output flight.txt", "as samples for the vehicle"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let progress = ProgressLine("planning", session.console)
        defer { progress.end() }
        let map = try await MapInteractor().open(try arguments[MapOptions.file])
        for note in map.notes { session.console.warning(note, isInResults: true) }
        let setup = try await RouteOptions.setup(
            arguments, LocalFiles(home: HostProcess.environment["HOME"]), profileWorld: session.connector.profile.world)
        let path = try arguments[points]
        let route: ReadRoute
        do throws(InspectionFailure) { route = try await InspectionRoute.read(fromFile: path) } catch {
            throw UsageError(InspectionText.line(error), hint: "see 'uavlink map plan --help'")
        }
        return try await withOptionalLink(arguments, in: session) { link in
            let world: PlanningWorld
            do {
                world = try await PlanningWorld(setup, over: link, in: session)
            } catch let error as GeodesyError {
                throw UsageError(error.what, hint: "")
            }
            return try await plan(through: route, arguments, map, world, progress, in: session)
        }
    }

    private static func plan(
        through route: ReadRoute, _ arguments: ParsedCommand, _ map: IndoorMap, _ world: PlanningWorld,
        _ progress: ProgressLine, in session: CommandSession
    ) async throws -> ExitCode {
        let defaults = try RouteOptions.pointDefaults(arguments)
        let home = try arguments[RouteOptions.home]
        do {
            let plan = try await plan(through: route, defaults, homeZMetres: home, arguments, map, world, progress)
            progress.end()
            let files = try await write(plan, home: RouteHome(ofFile: route.plannedHome), world, arguments)
            session.console.result(
                InspectionReport.json(plan, writtenTo: files), failure: "the flight check failed")
            session.console.head()
            for line in InspectionReport.lines(plan, writtenTo: files) { session.console.result(line) }
            return plan.trajectory.report.isOK ? .done : .refused
        } catch let error as InspectionFailure {
            progress.end()
            switch error {
            case .cancelled: return .interrupted
            case .request(let line):
                throw UsageError(line, hint: hint(for: line))
            case .points(let problem):
                throw UsageError(
                    problem.description,
                    hint: TrajectoryCommand.option(for: problem) ?? "see 'uavlink map plan --help'")
            case .tooLarge(let line, _):
                throw UsageError(line, hint: InspectionText.advice(error) ?? "")
            case .noPath, .unsafe:
                session.console.result(InspectionReport.json(error))
                let hint = try MapPlanHint(map: map, session: world.session, arguments).text(error)
                throw CommandFailure(InspectionText.line(error), hint: hint, code: .refused)
            }
        }
    }

    private static func plan(
        through route: ReadRoute, _ defaults: RouteDefaults, homeZMetres home: Double?, _ arguments: ParsedCommand,
        _ map: IndoorMap, _ world: PlanningWorld, _ progress: ProgressLine
    ) async throws(InspectionFailure) -> InspectionPlan {
        let interactor: InspectionInteractor
        let path: String
        let allowsOmissions: Bool
        let from: Vector3?
        let cruiseSpeed: Double
        do {
            interactor = InspectionInteractor(
                map: map.cloud.moved(by: try arguments[offset] ?? .zero), settings: try settings(arguments))
            path = try arguments[points]
            allowsOmissions = try arguments[RouteOptions.allowOmissions]
            from = try arguments[start]
            cruiseSpeed = try arguments[speed]
        } catch {
            throw .request("\(error)")
        }
        return try await world.plan(
            past: route, name: path, from: from, in: interactor, cruiseSpeed: cruiseSpeed, defaults,
            homeZMetres: home, allowsOmissions: allowsOmissions, onProgress: progress.onProgress)
    }

    /// What helps against a refusal of the plan's file.
    private static func hint(for line: String) -> String {
        if line.contains("already exists") { return "--force overwrites it" }
        if line.contains("'frame:world_origin'") {
            return
                "give the altitude of world_origin above mean sea level: --world-altitude ALT, or --origin LAT,LON,ALT"
        }
        return "see 'uavlink map plan --help'"
    }

    private static func settings(_ arguments: ParsedCommand) throws -> InspectionSettings {
        var settings = InspectionSettings()
        settings.body = VehicleBody(
            radiusMetres: try arguments[radius], marginMetres: try arguments[margin])
        settings.order = try arguments[order] == "given" ? .given : .best
        settings.returns = try arguments[returns]
        settings.unknownIsOpen = try arguments[open]
        settings.freeAroundStartMetres = try arguments[free]
        let seen = try arguments[viewpoint]
        settings.viewpoints = seen.isEmpty ? nil : seen
        settings.cellMetres = try arguments[cell]
        settings.region = try arguments[region]
        settings.holdSeconds = try arguments[hold]
        return settings
    }

    /// - Returns: the files that were written.
    /// - Throws: ``InspectionFailure``, or ``CommandFailure`` where the disk did not take them.
    private static func write(
        _ plan: InspectionPlan, home: RouteHome, _ world: PlanningWorld, _ arguments: ParsedCommand
    ) async throws -> [String] {
        do {
            guard let path = try arguments[output] else { return [] }
            let file = try InspectionRoute.file(plan, name: path, session: world.session, home: home)
            let replaces = try arguments[force]
            var files = [(path: path, bytes: file.bytes)]
            if let settings = InspectionRoute.settingsFile(plan, besides: path) {
                files.append((path: settings.name, bytes: settings.bytes))
            }
            try await MapInteractor().write(files, replaces: replaces)
            return files.map(\.path)
        } catch let failure as InspectionFailure {
            throw failure
        } catch MapFailure.unwritten(let line) {
            throw CommandFailure(line, code: .unwritten)
        } catch {
            throw InspectionFailure.request("\(error)")
        }
    }
}
