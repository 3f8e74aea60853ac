import FlightControl
import FlightRecorder
import RouteFlight
import CommandLineKit
import Geodesy
import RouteFiles
import SystemKit
import Trajectories
import UAVLink
import VehicleAccess

/// What a trajectory is made from: the files, which are read before a vehicle is asked for anything, and the options.
struct RouteInput: Sendable {
    let path: String
    let route: ReadRoute
    let settings: TrajectorySettings
    let defaults: RouteDefaults
    /// Without the vehicle's origin and its own world.
    let setup: WorldSetup
    /// The samples of a trajectory in `world_origin`, of a file that has its settings beside it; `nil` for points.
    let samples: Trajectory?

    /// Reads the file of points and the world file: that of the options, else that of the vehicle's profile.
    ///
    /// - Parameter profileWorld: the path that the profile names; `nil`: none.
    init(_ path: String, _ arguments: ParsedCommand, profileWorld: String?) async throws {
        let files = await PlannedFile.files
        self.path = path
        settings = try RouteOptions.settings(arguments)
        defaults = try RouteOptions.defaults(arguments)
        setup = try await RouteOptions.setup(arguments, files, profileWorld: profileWorld)
        let bytes = try await files.read(path, atMost: LocalFiles.largest)
        route = try LoadedRoute.read(bytes, name: path)
        var found: Trajectory?
        // Whoever gives a frame or another heading of their own has a file of points.
        if defaults.frame == nil || defaults.frame == .worldOrigin, let beside = TrajectoryFile.settingsName(of: path),
            let settings = try? await files.read(beside, atMost: LocalFiles.largest),
            // Another YAML file may have that name.
            let read = try? TrajectoryFile.read(bytes, name: path, settings: settings, settingsName: beside),
            read.frame == .worldOrigin
        {
            found = read
        }
        samples = found
    }
}

extension RouteInput {
    /// The same with the world file that the profile of the session's vehicle names.
    init(_ path: String, _ arguments: ParsedCommand, in session: CommandSession) async throws {
        try await self.init(path, arguments, profileWorld: session.connector.profile.world)
    }
}

/// A checked trajectory made from a file of points.
@MainActor
struct PlannedFile {
    let plan: TrajectoryPlan
    private let session: WorldSession?
    /// Flies it over the link; `nil` without one.
    let controller: RouteFlightController?

    static var files: LocalFiles { LocalFiles(home: HostProcess.environment["HOME"]) }

    /// Resolves the points, makes the trajectory and checks it.
    init(
        _ input: RouteInput, _ arguments: ParsedCommand, over link: (any UAVLink)?, in session: CommandSession
    ) async throws {
        controller = link.map { RouteFlightController(FlightDependency(link: $0, clock: session.clock)) }
        controller?.flight.snapshotService = session.connector.profile.snapshotService
        let world: PlanningWorld
        do {
            world = try await PlanningWorld(input.setup, controller?.flight, in: session)
        } catch let error as GeodesyError {
            throw FileAccessError(error.what)
        }
        self.session = world.session
        if let samples = input.samples {
            plan = world.plan(samples, input.settings)
            return
        }
        plan = try await world.plan(
            input.route, name: input.path, input.settings, input.defaults,
            homeZMetres: try arguments[RouteOptions.home],
            allowsOmissions: try arguments[RouteOptions.allowOmissions])
    }

    /// Adopts the plan as the one that the vehicle holds.
    ///
    /// - Throws: ``TrajectoryFlightFailure`` if the vehicle reports another one within `timeout`.
    func requireHeld(within timeout: Duration) async throws {
        controller?.adopt(plan)
        try await controller?.compareWithVehicle(within: timeout)
    }

    /// Shows the report of the checks. If one failed, it is the result of the command.
    ///
    /// - Throws: ``TrajectoryFlightFailure`` if a check failed, unless `--force` is given.
    func requireClear(_ arguments: ParsedCommand, in session: CommandSession) throws {
        for line in plan.report.lines { session.console.progress(line) }
        do {
            _ = try FlightConfirmation(plan).accept(force: try arguments[TrajectorySendCommand.force])
        } catch let failure as TrajectoryFlightFailure {
            session.console.result(plan.report.json)
            throw failure
        }
    }

    /// Records the plan that the vehicle holds, where the recording has no command that sent it.
    func record(in session: CommandSession) {
        session.recordings?.note(plan.generated.trajectory, of: session.connector.profile.vehicle)
    }

    /// The start of the trajectory; `nil` for one without samples.
    var start: KnownDestination? { plan.start(in: session) }

    func tell(_ session: CommandSession) {
        session.console.result(plan.report.json, failure: "the flight check failed")
        session.console.head()
        for line in plan.report.lines { session.console.result(line.sanitizedLine) }
    }
}

extension CommandSession {
    /// Warns where a flight is recorded without its plan, which an earlier command sent.
    func warnOfUnrecordedPlan() {
        guard recordings != nil else { return }
        console.warning(
            "the recording has no plan, so that 'uavlink trajectory compare' will need --plan FILE; "
                + "'uavlink trajectory start FILE' records it", isInResults: true)
    }
}

extension PlanningWorld {
    /// With what the vehicle does not tell as progress.
    init(_ setup: WorldSetup, _ flight: TrajectoryFlight?, in session: CommandSession) async throws {
        let console = session.console
        try await self.init(setup, flight, telemetryWithin: session.timeout) { console.progress($0) }
    }

    /// The same over a link.
    init(_ setup: WorldSetup, over link: (any UAVLink)?, in session: CommandSession) async throws {
        let flight = link.map { TrajectoryFlight(FlightDependency(link: $0, clock: session.clock)) }
        try await self.init(setup, flight, in: session)
    }
}

/// Runs `body` with a link, or without one with `--offline` or when a vehicle that was not named does not answer.
@MainActor
func withOptionalLink(
    _ arguments: ParsedCommand, in session: CommandSession, _ body: ((any UAVLink)?) async throws -> ExitCode
) async throws -> ExitCode {
    if try arguments[RouteOptions.offline] { return try await body(nil) }
    let isNamed = [VehicleOptions.host, VehicleOptions.vehicle, VehicleOptions.link].contains {
        arguments.isGiven($0)
    }
    let console = session.console
    let link: any UAVLink
    do throws(LinkError) {
        link = try await session.connect()
    } catch {
        // Who interrupts the log-in wants the whole command to end.
        guard !isNamed, error.code != .cancelled else { throw error }
        try Task.checkCancellation()
        console.progress("continuing without a vehicle: \(error.description)")
        return try await body(nil)
    }
    do {
        let code = try await body(link)
        await link.close()
        return code
    } catch {
        await link.close()
        throw error
    }
}
