import FlightVolume
import Geodesy
import ReportKit
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

    @Test func `an omission fails the check unless it is allowed`() throws {
        let loaded = try Self.loaded([16, 177, 206, 16])
        let texts = [
            "command 177 (DO_JUMP) is left out; the points around it are joined directly",
            "command 206 (camera trigger) is left out",
        ]
        #expect(loaded.findings().map(\.text) == texts)
        #expect(loaded.findings().map(\.weight) == [.failure, .warning])
        #expect(loaded.findings(allowsOmissions: true).map(\.text) == texts)
        #expect(loaded.findings(allowsOmissions: true).allSatisfy { $0.weight == .warning })
        let plan = try TrajectoryPlan(through: loaded.points, FlightConditions())
        #expect(plan.report.isOK)
        let checked = plan.including(loaded.findings())
        #expect(!checked.report.isOK)
        #expect(checked.report.lines.contains("failure: " + texts[0]))
        #expect(checked.report.lines.last == "not ready to fly")
        #expect(throws: TrajectoryFlightFailure.self) { try FlightConfirmation(checked).accept() }
        #expect(plan.including(loaded.findings(allowsOmissions: true)).report.isOK)
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
