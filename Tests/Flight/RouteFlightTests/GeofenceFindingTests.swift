import FlightVolume
import Geodesy
import ReportKit
import RouteFiles
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// What the geofence of a plan says of its flight.
@Suite struct GeofenceFindingTests {
    /// A square of about 200 m around the origin of the plan, and what its check says of a flight 60 m to the north and back.
    private static func fenced(_ areas: String, vehicle: Vector3? = nil) throws -> TrajectoryReport {
        func item(_ latitude: Double) -> String {
            "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 0, \"params\": [0,0,0,0,\(latitude),8,409]}"
        }
        let text =
            "{\"fileType\": \"Plan\", \"geoFence\": {\(areas)}, \"mission\": {\"items\": [\(item(47)),\(item(47.00054))]}}"
        var setup = WorldSetup()
        setup.typed = .init(place: .init(latitudeDegrees: 47, longitudeDegrees: 8), altitudeMetres: 400)
        let loaded = try LoadedRoute(
            Array(text.utf8), name: "a.plan",
            resolver: setup.resolver(try setup.session(), homeZMetres: nil, RouteDefaults()))
        return try TrajectoryPlan(
            through: loaded.points, FlightConditions(vehiclePosition: vehicle).limited(by: loaded.limits)
        ).report
    }

    private static func circle(_ metres: Double, at latitude: Double = 47, inclusion: Bool = true) -> String {
        "{\"circle\": {\"center\": [\(latitude), 8], \"radius\": \(metres)}, \"inclusion\": \(inclusion)}"
    }

    @Test func `the geofence of a plan limits its flight`() throws {
        func failures(_ areas: String, vehicle: Vector3? = nil) throws -> [String] {
            try Self.fenced(areas, vehicle: vehicle).findings.filter { $0.weight == .failure }.map(\.text)
        }
        #expect(try failures("") == [])
        #expect(try failures("\"circles\": [\(Self.circle(61))]") == [])
        let left = try failures("\"circles\": [\(Self.circle(30))]")
        #expect(left.count == 1 && left[0].hasSuffix("it leaves geofence 1 of the file"), "\(left)")
        // Inside of one is not inside of both.
        #expect(try failures("\"circles\": [\(Self.circle(61)), \(Self.circle(30))]").count == 1)
        let zone = Self.circle(5, at: 47.00027, inclusion: false)
        let entered = try failures("\"circles\": [\(Self.circle(61)), \(zone)]")
        #expect(
            entered.count == 1 && entered[0].contains("within 0.6 m of the obstacle 'exclusion zone 1 of the file'"),
            "\(entered)")
        // With the margin of obstacles: the flight begins 5.56 m north of this one's centre.
        for (radius, count) in [(5.3, 1), (4.9, 0)] {
            let beside = try failures("\"circles\": [\(Self.circle(radius, at: 46.99995, inclusion: false))]")
            #expect(beside.count == count, "\(beside)")
        }
        let square = "[[46.9991, 7.9987], [47.0009, 7.9987], [47.0009, 8.0013], [46.9991, 8.0013]]"
        #expect(try failures("\"polygons\": [{\"polygon\": \(square), \"inclusion\": true}]") == [])
        #expect(try failures("\"polygons\": [{\"polygon\": \(square), \"inclusion\": false}]").count == 1)
        // The way from the vehicle to the first point counts too.
        let out = try failures(
            "\"circles\": [\(Self.circle(5, at: 46.9996, inclusion: false))]", vehicle: Vector3(x: 0, y: -90, z: 2))
        let comes = "the straight line from the vehicle to point 1 comes within"
        #expect(out.count == 1 && out[0].contains(comes), "\(out)")
    }
}
