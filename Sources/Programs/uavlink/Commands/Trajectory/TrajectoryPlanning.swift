import FlightControl
import FlightRecorder
internal import FlightVolume
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
    /// Without the vehicle's origin.
    let setup: WorldSetup

    /// Reads the file of points and the world file.
    init(_ path: String, _ arguments: ParsedCommand) async throws {
        let files = await PlannedFile.files
        self.path = path
        settings = try RouteOptions.settings(arguments)
        defaults = try RouteOptions.defaults(arguments)
        setup = try await RouteOptions.setup(arguments, files)
        route = try LoadedRoute.read(try await files.read(path, atMost: LocalFiles.largest), name: path)
    }
}

/// A checked trajectory made from a file of points.
@MainActor
struct PlannedFile {
    let plan: TrajectoryPlan
    let session: WorldSession?
    /// Flies it over the link; `nil` without one.
    let controller: RouteFlightController?

    static var files: LocalFiles { LocalFiles(home: HostProcess.environment["HOME"]) }

    /// Resolves the points, makes the trajectory and checks it.
    init(
        _ input: RouteInput, _ arguments: ParsedCommand, over link: (any UAVLink)?, in session: CommandSession
    ) async throws {
        var setup = input.setup
        controller = link.map { RouteFlightController(FlightDependency(link: $0, clock: session.clock)) }
        let flight = controller?.flight
        if let flight {
            try await waitForVehicle(flight.link, session)
            do {
                setup.vehicleOrigin = try await flight.readEnvelope().worldOrigin
            } catch {
                session.console.progress("the vehicle's limits were not read: \(error.description)")
            }
        }
        let world: WorldSession?
        let volume: FlyableVolume?
        do {
            world = try setup.session()
            volume = try setup.volume(world)
        } catch {
            throw FileAccessError(error.what)
        }
        self.session = world
        flight?.session = world
        let resolver = setup.resolver(
            world, homeZMetres: try arguments[RouteOptions.home] ?? flight?.home?.z,
            vehicleGroundZMetres: flight?.groundZMetres, input.defaults)
        let loaded = try LoadedRoute(input.route, name: input.path, resolver: resolver)
        let findings = loaded.findings(allowsOmissions: try arguments[RouteOptions.allowOmissions])
        let conditions =
            (flight?.conditions(input.settings, volume: volume)
            ?? FlightConditions(volume: volume, settings: input.settings))
            .limited(by: loaded.limits)
        do {
            plan = try await TrajectoryPlan.make(through: loaded.points, conditions).warned(of: setup, world).including(
                findings)
        } catch {
            throw RouteLoadingError.route(error, file: input.path)
        }
    }

    /// Records the plan that the vehicle holds, where the recording has no command that sent it.
    func record(in session: CommandSession) {
        session.recordings?.note(plan.generated.trajectory, of: session.connector.profile.vehicle)
    }

    /// The start of the trajectory; `nil` for one without samples.
    var start: KnownDestination? {
        let world = WorldPosition(session: session)
        return plan.generated.trajectory.points.first.map { first in
            KnownDestination(positionMetres: first.position) { world.position(of: $0) }
        }
    }

    func tell(_ session: CommandSession) {
        session.console.result(plan.report.json, failure: "the flight check failed")
        for line in plan.report.lines { session.console.result(line.sanitizedLine) }
    }
}

/// Waits for the telemetry that the checks need, since the first frames hold only parts; with a timeout.
func waitForVehicle(_ link: any UAVLink, _ session: CommandSession) async throws {
    let deadline = session.clock.now + min(session.timeout, link.kind == .ssh ? .seconds(8) : .seconds(3))
    var isCompleteAt: MonotonicTime?
    while session.clock.now < deadline {
        if let seen = link.latestTelemetry, seen.pose != nil, seen.flight != nil, seen.battery != nil {
            let since = isCompleteAt ?? session.clock.now
            isCompleteAt = since
            // Not every vehicle measures its height above ground.
            let hasHeight = seen.heightAboveGroundMetres != nil || seen.rangeFinderMetres != nil
            if hasHeight || session.clock.now - since > .milliseconds(300) { return }
        }
        try await Task.sleep(for: .milliseconds(10))
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
    do {
        link = try await session.connect()
    } catch {
        guard !isNamed else { throw error }
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
