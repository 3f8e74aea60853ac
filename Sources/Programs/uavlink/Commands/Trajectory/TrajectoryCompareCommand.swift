import FlightControl
import RouteFlight
import CommandLineKit
import Figures
import Geodesy
import Trajectories
import UAVLink

/// `uavlink trajectory compare`
enum TrajectoryCompareCommand: Subcommand {
    static let bag = Argument.parameter(
        "BAG", .path, help: "a bag of ROS 1 or ROS 2 (MCAP) with odom_main and trajectory_reference")
    static let plan = Argument.option(
        "plan", .path, help: "the planned file of points, instead of the trajectory in the bag")
    static let svg = Argument.option("svg", .path, help: "draw planned and flown into this file")
    static let png = Argument.option("png", .path, help: "the same as PNG")
    static let degrees = Argument.flag("degrees", help: "longitude and latitude in the drawing; needs an origin")

    static let spec = CommandSpec(
        "compare", summary: "planned against flown, from a recorded flight",
        discussion: """
            Prints the mean, the 95th percentile and the maximum of the distance to the path, and to the planned position at the
            time. --uav selects a vehicle if the bag has several.
            """,
        arguments: [bag, plan, svg, png, degrees] + RouteOptions.all, exclusive: RouteOptions.exclusive,
        examples: [
            .init(
                "uavlink trajectory compare flight.bag --svg flight.svg --png flight.png",
                "drawings and tracking error")
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let recorded = try await read(
            try arguments[bag], vehicle: try arguments[VehicleOptions.uav], session.console)
        var setup = try await RouteOptions.setup(arguments, PlannedFile.files)
        // Places on a map do not need the height of z = 0; that of the bag's frame is kept.
        setup.vehicleOrigin = nil
        let world: WorldSession?
        do {
            world = try setup.session()
        } catch {
            throw FileAccessError(error.what)
        }
        var given: GeneratedTrajectory?
        if let path = try arguments[plan] {
            let input = try await RouteInput(path, arguments, profileWorld: nil)
            given = try await PlannedFile(input, arguments, over: nil, in: session).plan.generated
        }
        let wantsDegrees = try arguments[degrees]
        guard !wantsDegrees || world != nil else {
            throw UsageError(
                "--degrees needs the world's origin", hint: "give --world FILE or --origin LAT,LON")
        }
        let comparison = try FlightComparison(recorded, plan: given, session: world)
        try await draw(
            comparison, in: wantsDegrees ? world : nil, svg: try arguments[svg], png: try arguments[png])
        session.console.result(comparison.json)
        for line in comparison.lines { session.console.result(line) }
        return .done
    }

    /// Writes the requested drawings.
    static func draw(
        _ comparison: FlightComparison, in session: WorldSession? = nil, svg: String?, png: String?
    ) async throws {
        let figure = comparison.figure(in: session)
        let files = await PlannedFile.files
        if let svg { try await files.write(Array(SVG.text(figure).utf8), to: svg, replacing: true) }
        guard let png else { return }
        let bytes: [UInt8]
        do {
            bytes = try PNG.bytes(figure)
        } catch {
            throw FileAccessError(error.what)
        }
        try await files.write(bytes, to: png, replacing: true)
    }

    /// Read in chunks: a bag may be larger than the memory.
    private static func read(_ path: String, vehicle: String?, _ console: Console) async throws -> RecordedFlight {
        let progress = ProgressLine("reading", console)
        defer { progress.end() }
        do throws(LinkError) {
            return try await BagFile(path: path).read(vehicle: vehicle, onProgress: progress.onProgress)
        } catch {
            // No vehicle is asked for it: none is named.
            if error.code == .cancelled { throw CancellationError() }
            throw error
        }
    }
}
