internal import RouteFiles
package import RouteFlight
internal import Trajectories
package import UAVLink

/// Flight plans in files, and routes of the map mode that become plans or are made of them.
package struct PlanFiles: Sendable {
    private let access: any FileAccess

    /// A route of a Tello is small.
    private static let mostRouteBytes = 16 << 20

    /// Plans in these files.
    package init(_ access: any FileAccess) { self.access = access }

    /// A plan that was made of a route.
    package struct Imported: Sendable {
        /// The plan, with the lines that its file has.
        package var plan: FlightPlan
        /// What its reader found.
        package var problems: [PlanProblem]
        /// What would have been flown, or limited the flight, and is left out; lines for display.
        package var omissions: [String]
        /// What else is lost or was assumed; lines for display.
        package var notes: [String]
        /// Whether the file names no frame.
        package var lacksFrame: Bool
    }

    /// Reads a plan; lines with a problem are left out of it.
    ///
    /// - Throws: ``RouteFlight/FileAccessError``.
    package func read(_ path: String) async throws(FileAccessError) -> (plan: FlightPlan, problems: [PlanProblem]) {
        PlanReader.read(try await access.read(path, atMost: PlanReader.mostBytes))
    }

    /// Writes a plan.
    ///
    /// - Throws: ``RouteFlight/FileAccessError``.
    package func write(_ plan: FlightPlan, to path: String, replacing: Bool) async throws(FileAccessError) {
        try await access.write(Array(plan.text.utf8), to: path, replacing: replacing)
    }

    /// Makes a plan of a route; nothing is written.
    ///
    /// - Throws: ``RouteFlight/FileAccessError``, ``RouteFiles/RouteFileError``, or a ``PlanProblem`` for a route that a Tello
    ///   cannot fly.
    package func importRoute(_ path: String) async throws -> Imported {
        let read = try RouteFiles.read(try await access.read(path, atMost: Self.mostRouteBytes), name: path)
        let made = try PlanRoute.plan(of: read.route, within: read.fence)
        let findings = read.findings(flown: DryRun.usualSpeed)
        // By the lines of the file that it would be.
        let again = PlanReader.read(Array(made.value.text.utf8))
        return Imported(
            plan: again.plan, problems: again.problems,
            omissions: findings.filter { $0.weight == .failure }.map(\.text) + made.omissions,
            notes: findings.filter { $0.weight == .warning }.map(\.text) + made.notes,
            lacksFrame: read.notes.contains(ReadRoute.frameNote))
    }

    /// Writes a plan as a route.
    ///
    /// - Parameter frame: that of its places: x along the nose at take-off.
    /// - Returns: how many points it has, and what it does not hold.
    /// - Throws: ``RouteFlight/FileAccessError``, ``RouteFiles/RouteFileError`` for a format without local places, or a
    ///   ``PlanProblem`` for a plan whose places are not known, or a name that says no format.
    package func exportRoute(
        _ plan: FlightPlan, to path: String, frame: FrameName = .localOrigin, replacing: Bool
    ) async throws -> (points: Int, notes: [String]) {
        guard let format = RouteFormat.named(path) else {
            throw PlanProblem(line: nil, "'\(path.sanitizedLine)' names no format of routes: end it with .csv")
        }
        let route = try PlanRoute.route(of: plan, frame: frame)
        let written = try RouteFiles.write(route.value, as: format)
        try await access.write(written.bytes, to: path, replacing: replacing)
        return (route.value.points.count, route.notes + written.notes)
    }
}
