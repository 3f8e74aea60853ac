import Geodesy
import RouteFiles
import RouteFlight
import Testing
import UAVLink

/// Which take-off position is written to a file.
@Suite struct RouteHomeTests {
    private static let origin = GeographicCoordinate(latitudeDegrees: 49.36, longitudeDegrees: 14.26)
    private static let ofFile = PlannedHome(
        place: GeographicCoordinate(latitudeDegrees: 49.3, longitudeDegrees: 14.25), altitudeMetres: 398.5)

    private func session(altitude: Double? = 400) throws -> WorldSession {
        try WorldSession(typed: Self.origin, altitudeMetres: altitude)
    }

    @Test func `the home of the file comes first, then where the vehicle stands or took off`() throws {
        var home = RouteHome(ofFile: Self.ofFile, takeOff: Vector3(x: 0, y: 0, z: -2), groundZMetres: 7)
        #expect(home.planned(in: try session()) == Self.ofFile)
        // One without a place is none.
        home.ofFile?.place = nil
        let stands = home.planned(in: try session())
        #expect(stands.altitudeMetres == 398)
        let place = try #require(stands.place)
        #expect(abs(place.latitudeDegrees - 49.36) < 1e-7 && abs(place.longitudeDegrees - 14.26) < 1e-7)
    }

    @Test func `otherwise only the ground is known, if it is`() throws {
        let ground = RouteHome(groundZMetres: -1.5)
        #expect(ground.planned(in: try session()) == PlannedHome(altitudeMetres: 398.5))
        #expect(ground.planned(in: try session(altitude: nil)) == PlannedHome())
        #expect(ground.planned(in: nil) == PlannedHome())
        #expect(RouteHome().planned(in: try session()) == PlannedHome())
    }
}
