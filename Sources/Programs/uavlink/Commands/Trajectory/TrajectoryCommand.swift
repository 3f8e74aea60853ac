import FlightControl
import RouteFlight
import Trajectories
import CommandLineKit
import UAVLink

/// `uavlink trajectory`
enum TrajectoryCommand: Subcommand {
    private static let commands: [any Subcommand.Type] = [
        TrajectoryCheckCommand.self, TrajectoryPreviewCommand.self, TrajectorySendCommand.self,
        TrajectoryGoToStartCommand.self, TrajectoryStartCommand.self, TrajectoryStopCommand.self,
        TrajectoryResumeCommand.self, TrajectoryCompareCommand.self,
    ]

    static let spec = CommandSpec(
        "trajectory", summary: "make a trajectory from points, check it, send it, fly it, and compare what was flown",
        discussion: """
            Files of points are GeoJSON, KML, KMZ, GPX, CSV (x,y,z,heading), QGroundControl plans, Mission Planner's
            waypoints and the flight stack's trajectories. A missing altitude or frame is never assumed: give --altitude and
            --frame.
            """,
        subcommands: commands.map { $0.spec },
        examples: [
            .init("uavlink trajectory check field.geojson --world world.yaml --altitude '5 world'", "check it"),
            .init("uavlink trajectory send field.geojson --altitude '5 world'", "load it; nothing moves"),
            .init("uavlink trajectory goto-start field.geojson --altitude '5 world' --wait", "fly to its first point"),
            .init(
                "uavlink trajectory start field.geojson --altitude '5 world' --wait",
                "fly it and print the tracking error"),
            .init("uavlink trajectory compare flight.bag --svg flight.svg", "planned against flown, from a recording"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let name = arguments.path.dropFirst().first,
            let command = commands.first(where: { $0.spec.name == name })
        else {
            throw UsageError("'uavlink trajectory' needs a subcommand", hint: "'uavlink trajectory --help' lists them")
        }
        do {
            return try await command.run(arguments, in: session)
        } catch let failure as TrajectoryFlightFailure {
            if Task.isCancelled, case .vehicle(let words) = failure {
                throw CommandFailure("interrupted: \(words)", code: .interrupted, ofVehicle: true)
            }
            throw CommandFailure(failure.description, code: .refused, ofVehicle: failure.isOfVehicle)
        } catch let error as RouteLoadingError {
            throw CommandFailure(error.description, hint: option(for: error), code: .usage)
        }
    }
}

extension TrajectoryCommand {
    private static let worldAltitude = "--origin LAT,LON,ALT or --world-altitude ALT"

    /// The option that gives what is missing; `nil` when none does.
    static func option(for error: RouteLoadingError) -> String? {
        if error.lacksAltitude { return "give --altitude, such as --altitude '5 world', or '5 ground' with --ground Z" }
        if error.lacksFrame { return "give --frame, such as --frame world_origin" }
        switch error.unknownReference {
        case .ground: return "give --ground Z"
        case .home:
            let planned =
                error.lacksWorldAltitude
                ? "; or, if the file has a planned home, the altitude of world_origin by \(worldAltitude)" : ""
            return "give --home Z\(planned); or let the vehicle stand at its take-off position: in flight it does not"
                + " report the height of that position"
        case .ellipsoid:
            return "give --geoid METRES"
                + (error.lacksWorldAltitude ? ", and the altitude of world_origin by \(worldAltitude)" : "")
        case .meanSeaLevel: return "give the altitude of world_origin by \(worldAltitude)"
        case .frame, nil: return nil
        }
    }
}

/// `uavlink trajectory goto-start`
enum TrajectoryGoToStartCommand: Subcommand {
    static let file = Argument.optionalParameter(
        "FILE", .path, help: "the file that was sent, with the same options, to know where the trajectory starts")

    static let spec = CommandSpec(
        "goto-start", summary: "fly to the first point of the loaded trajectory",
        discussion: """
            Only the vehicle knows where the loaded trajectory starts. With FILE, --wait compares where the vehicle arrives
            with the start in the file; without FILE it is not known whether the vehicle is there, and --wait ends with 1.
            With FILE nothing is flown when a check fails, unless --force is given, or when the vehicle holds a trajectory of
            another length, and a recording has the plan.
            """,
        arguments: [file, FlightOptions.wait, TrajectorySendCommand.force] + RouteOptions.all,
        exclusive: RouteOptions.exclusive)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let path = try arguments[file] else {
            return try await fly(.goToTrajectoryStart, arguments, in: session)
        }
        let input = try await RouteInput(path, arguments, in: session)
        return try await session.withLink { link in
            let planned = try await PlannedFile(input, arguments, over: link, in: session)
            try await planned.requireClear(arguments, in: session)
            try await planned.requireHeld(within: session.limits.firstTelemetry)
            await planned.record(in: session)
            let start = await planned.start
            return try await fly(.goToTrajectoryStart, arguments, to: start, over: link, in: session)
        }
    }
}

/// `uavlink trajectory stop`
enum TrajectoryStopCommand: Subcommand {
    static let spec = CommandSpec(
        "stop", summary: "stop following the trajectory, and hold", arguments: [FlightOptions.wait])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await fly(.stopTrajectory, arguments, in: session)
    }
}

/// `uavlink trajectory resume`
enum TrajectoryResumeCommand: Subcommand {
    static let spec = CommandSpec(
        "resume", summary: "resume the trajectory where it was stopped",
        discussion: """
            The vehicle must be where it was stopped, which only itself knows: from afar it cuts across to the moving trajectory, on a
            way that no check has seen. With --wait it fails with 1 when the trajectory is stopped before its end, or when the vehicle
            is not seen to come to it.
            """,
        arguments: [FlightOptions.wait])

    private static let unchecked =
        "not checked whether the vehicle is where the trajectory was stopped: from afar it cuts across to the moving "
        + "trajectory, on a way that no check has seen"

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        session.console.warning(unchecked, isInResults: true)
        session.warnOfUnrecordedPlan()
        return try await fly(.resumeTrajectory, arguments, in: session)
    }
}
