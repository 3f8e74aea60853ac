import FlightControl
import RouteFlight
import CommandLineKit
import Foundation
import Geodesy
import Trajectories
import UAVLink
import VehicleAccess

/// A file of points made into a checked trajectory, as the subcommands need it.
@MainActor
struct PlannedFile {
    let plan: TrajectoryPlan
    let session: WorldSession?
    /// The flight over the link; `nil` without one.
    let flight: TrajectoryFlight?

    static var files: LocalFiles { LocalFiles(home: ProcessInfo.processInfo.environment["HOME"]) }

    /// Reads, places, makes and checks.
    init(_ path: String, _ arguments: ParsedCommand, over link: (any UAVLink)?, in session: CommandSession) async throws
    {
        let settings = try RouteOptions.settings(arguments)
        let defaults = try RouteOptions.defaults(arguments)
        var setup = try await RouteOptions.setup(arguments, Self.files)
        let bytes = try await Self.files.read(path, atMost: LocalFiles.largest)
        flight = link.map { TrajectoryFlight(FlightDependency(link: $0, clock: session.clock)) }
        if let flight {
            try await waitForVehicle(flight.link, session)
            do {
                setup.vehicleOrigin = try await flight.readEnvelope().worldOrigin
            } catch {
                session.console.progress("the vehicle was not asked: \(error.description)")
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
        let resolver = RouteResolver(
            references: WorldReferences(
                session: world, geoidSeparationMetres: setup.geoidSeparationMetres, groundZMetres: setup.groundZMetres,
                homeZMetres: Self.homeZ(flight)),
            altitudeOfOthers: defaults.altitude, frameOfOthers: defaults.frame, headingOfOthers: defaults.heading)
        let loaded = try LoadedRoute(bytes, name: path, resolver: resolver)
        for note in loaded.notes { session.console.progress("\(path): \(note)") }
        let conditions =
            flight?.conditions(settings, volume: volume) ?? FlightConditions(volume: volume, settings: settings)
        do {
            var made = try await TrajectoryPlan.make(through: loaded.points, conditions)
            if let warning = setup.mismatchWarning(world) {
                made.report.findings.insert(TrajectoryFinding(.safetyArea, text: warning), at: 0)
            }
            plan = made
        } catch {
            throw RouteLoadingError.route(error, file: path)
        }
    }

    /// On the ground the vehicle stands at home; in the air nobody told where that is.
    private static func homeZ(_ flight: TrajectoryFlight?) -> Double? {
        guard let flight, let state = flight.link.latestTelemetry?.flight?.value.state,
            state == .disarmed || state == .armed
        else { return nil }
        return flight.vehiclePosition?.z
    }

    func tell(_ session: CommandSession) {
        session.console.result(plan.report.json)
        for line in plan.report.lines { session.console.result(line.harmlessLine) }
    }
}

/// The first frames hold only parts: wait for what the checks need, but not for ever.
private func waitForVehicle(_ link: any UAVLink, _ session: CommandSession) async throws {
    let deadline = session.clock.now + min(session.timeout, link.kind == .ssh ? .seconds(8) : .seconds(3))
    while session.clock.now < deadline {
        if let seen = link.latestTelemetry, seen.pose != nil, seen.flight != nil, seen.battery != nil { return }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Does `body` with a link, or without one where the vehicle is not to be asked or, unless it was named, does not answer.
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
        console.progress("no vehicle was asked: \(error.description)")
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
