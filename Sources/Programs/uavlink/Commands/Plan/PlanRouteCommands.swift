import CommandLineKit
import FlightPlans
import ReportKit
import RouteFiles
import RouteFlight
import UAVLink

/// `uavlink plan export`
enum PlanExportCommand: Subcommand {
    static let output = Argument.parameter(
        "ROUTE", .path, help: "the route to write: .csv, or another format with local places")
    static let frame = Argument.option(
        "frame", ValueKind.text.called("FRAME"), default: "local_origin", defaultText: "local_origin",
        help: "the frame of the route's places: x along the nose at take-off")

    static let spec = CommandSpec(
        "export", summary: "write a flight plan as a route of the map mode",
        arguments: [PlanOptions.file, output, frame, PlanOptions.force])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let (plan, found) = try await PlanOptions.read(arguments)
        if let problem = found.first { throw CommandFailure(problem.description, code: .usage) }
        let path = try arguments[output]
        guard RouteFormat.named(path) != nil else {
            throw UsageError("'\(path)' names no format of routes", hint: "end it with .csv")
        }
        do {
            let written = try await PlanFiles(PlanOptions.files).exportRoute(
                plan, to: path, frame: FrameName(try arguments[frame]), replacing: try arguments[PlanOptions.force])
            for note in written.notes { session.console.progress("note: \(note)") }
            session.console.result(["ok": true, "points": JSONValue(written.points)])
            session.console.result("\(written.points) points written to \(path)")
            return .done
        } catch let problem as PlanProblem {
            throw CommandFailure(problem.description, code: .usage)
        } catch let error as RouteFileError {
            throw CommandFailure(error.description, hint: "places in metres go into .csv", code: .usage)
        }
    }
}

/// `uavlink plan import`
enum PlanImportCommand: Subcommand {
    static let route = Argument.parameter("ROUTE", .path, help: "a file of points: GeoJSON, KML, GPX, CSV or a .plan")
    static let output = Argument.parameter("FILE", .path, help: "the flight plan to write")

    static let spec = CommandSpec(
        "import", summary: "write a route of the map mode as a flight plan",
        discussion: """
            The drone stands at the first point, with its nose along x of the route's frame, or to the east for places by latitude
            and longitude. The plan is checked; what is wrong with it is printed. A part of the route that would have been flown and
            that a plan cannot hold, or an area of its geofence, makes it fail, and no file is written, unless omissions are
            allowed.
            """,
        arguments: [route, output, PlanOptions.force, RouteOptions.allowOmissions])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let path = try arguments[route]
        let files = PlanFiles(PlanOptions.files)
        do {
            let made = try await files.importRoute(path)
            let allows = try arguments[RouteOptions.allowOmissions]
            let (omissions, notes) = (made.omissions, made.notes)
            if made.lacksFrame { session.console.progress("note: \(ReadRoute.frameNote(of: path))") }
            for note in notes { session.console.progress("note: \(note)") }
            let isWritten = omissions.isEmpty || allows
            if isWritten {
                try await files.write(
                    made.plan, to: try arguments[output], replacing: try arguments[PlanOptions.force])
            }
            let lost = PlanRoute.problems(omissions: omissions, notes: notes, allowsOmissions: allows)
            let report = PlanReport(plan: made.plan, check: PlanCheck(made.plan, found: made.problems + lost))
            session.console.success(report.json(), failure: report.failure)
            // On standard error even with --quiet: the flight is another one than in the file.
            for omission in omissions {
                if allows { session.console.warning(omission) } else { session.console.error(omission) }
            }
            for problem in report.check.problems where !lost.contains(problem) {
                session.console.result(problem.description)
            }
            guard isWritten else {
                throw CommandFailure(
                    "no flight plan was written: it would leave out parts of the route",
                    hint: "--allow-omissions writes it without them", code: .refused)
            }
            session.console.result("written to \(try arguments[output]): \(report.summary)")
            return report.check.isOK ? .done : .refused
        } catch let problem as PlanProblem {
            throw CommandFailure(problem.description, code: .usage)
        } catch let error as RouteFileError {
            throw CommandFailure(error.description, code: .usage)
        }
    }
}
