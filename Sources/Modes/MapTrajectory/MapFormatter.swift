internal import FlightVolume
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Formats the map mode's state as text.
@MainActor
struct MapFormatter {
    let interactor: MapTrajectoryInteractor

    /// A position in metres, degrees, UTM and MGRS, and its distance from home.
    func cursorLines(_ cursor: MapPlace) -> [String] {
        var lines = ["\(cursor.east.formatted(decimals: 2)) m E, \(cursor.north.formatted(decimals: 2)) m N"]
        if let session = interactor.session,
            let place = try? session.geographic(xMetres: cursor.east, yMetres: cursor.north)
        {
            lines.append(Self.degrees(place))
            let utm = session.utm(xMetres: cursor.east, yMetres: cursor.north)
            lines.append(
                "UTM \(utm.zone) \(utm.eastingMetres.formatted(decimals: 1)) \(utm.northingMetres.formatted(decimals: 1))"
            )
            if let square = try? MilitaryGridSquare(containing: place) { lines.append("MGRS \(square)") }
        }
        if let home = interactor.home {
            let (east, north) = (cursor.east - home.east, cursor.north - home.north)
            lines.append("\((east * east + north * north).squareRoot().formatted(decimals: 1)) m from home")
        }
        return lines
    }

    /// `49.362250 N 14.261430 E`
    static func degrees(_ place: GeographicCoordinate) -> String {
        let latitude = place.latitudeDegrees.magnitude.formatted(decimals: 7)
        let longitude = place.longitudeDegrees.magnitude.formatted(decimals: 7)
        return "\(latitude) \(place.latitudeDegrees < 0 ? "S" : "N") "
            + "\(longitude) \(place.longitudeDegrees < 0 ? "W" : "E")"
    }

    /// Origin, zone and safety area.
    var sessionLine: String {
        if let problem = interactor.worldProblem { return "world: \(problem)" }
        guard let session = interactor.session else {
            return "world: origin not known; metres of world_origin only"
        }
        let source =
            switch session.source {
            case .worldFile: "world file"
            case .vehicle(.transformer): "vehicle"
            case .vehicle(.satelliteFix): "vehicle's satellite fix"
            case .typed: "typed"
            }
        let area = interactor.volume.map { Self.area($0, of: interactor.desk.setup.checkedWorld) } ?? "no safety area"
        let warning = interactor.desk.setup.mismatchWarning(session).map { "; \($0)" } ?? ""
        let forced = interactor.desk.setup.zone == nil ? "" : " forced"
        return "world: origin from \(source), zone \(session.zone)\(forced), \(area)\(warning)"
    }

    /// Whose safety area it is, where the user did not name it.
    private static func whose(_ world: CheckedWorld?) -> String {
        switch world?.source {
        case .vehicle: "vehicle's "
        case .profile: "profile's "
        case .user, nil: ""
        }
    }

    private static func area(_ volume: FlyableVolume, of world: CheckedWorld?) -> String {
        let area = whose(world) + "safety area"
        guard volume.isEnabled else { return "\(area) switched off" }
        if world?.content == .border { return "\(area), obstacles not known" }
        let count = volume.obstacles.count
        return count == 0 ? area : "\(area) with \(count) obstacle\(count == 1 ? "" : "s")"
    }

    /// Facts on the selected point.
    var point: [LabeledValue] {
        RouteText.point(
            selectedIn: interactor.desk.editor, axes: "east, north",
            altitudeMetres: interactor.session?.altitudeMetres)
    }

    /// Facts on a plan.
    static func facts(_ report: TrajectoryReport) -> [LabeledValue] {
        RouteText.lengthAndTime(report) + [
            LabeledValue("samples", "\(report.samples)"),
            LabeledValue("spacing", "\((report.maximumSpacingMetres * 100).formatted(decimals: 1)) cm"),
            LabeledValue("speed", "up to \(report.greatestSpeed.formatted(decimals: 1)) m/s"),
            RouteText.battery(report),
        ]
    }

    /// Findings, failures first.
    static func lines(_ findings: [TrajectoryFinding]) -> [FindingLine] {
        RouteText.lines(findings, place: \.onMap)
    }

    /// The tracking error of the flight.
    static func trackError(_ track: FlownTrack?) -> [LabeledValue] {
        var facts = RouteText.crossTrack(track)
        if let timed = track?.atTimeError, !facts.isEmpty {
            facts.append(
                LabeledValue(
                    "at same time",
                    "mean \(timed.mean.formatted(decimals: 2)), max \(timed.maximum.formatted(decimals: 2)) m"))
        }
        return facts
    }
}

extension RouteFlightWords {
    /// The words of the map.
    static var map: Self {
        Self(
            facts: { MapFormatter.facts($0.plan.report) }, findings: { MapFormatter.lines($0.findings) },
            repeats: { _ in true })
    }
}
