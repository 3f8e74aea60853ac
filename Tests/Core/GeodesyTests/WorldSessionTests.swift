import FlightVolume
import Geodesy
import Testing
import UAVLink

@Suite struct WorldSessionTests {
    static let prague = GeographicCoordinate(latitudeDegrees: 50.076408, longitudeDegrees: 14.418019)

    func session() throws -> WorldSession {
        var session = try WorldSession(typed: Self.prague, altitudeMetres: 200)
        session.localOrigin = Vector3(x: 10, y: 20, z: 1)
        session.vehicle = "uav1"
        return session
    }

    @Test(arguments: [
        "world_origin", "local_origin", "utm_origin", "latlon_origin", "uav1/utm_origin", "/uav1/local_origin",
    ])
    func `every frame goes there and back`(frame: String) throws {
        let session = try session()
        let here = Vector3(x: 123.4, y: -56.7, z: 8.9)
        let there = try session.position(here, in: FrameName(frame))
        #expect((try session.world(there, frame: FrameName(frame)) - here).length < 1e-6)
    }

    @Test func `frames stand where they should`() throws {
        let session = try session()
        #expect(try session.world(Vector3(x: 1, y: 2, z: 3), frame: .localOrigin) == Vector3(x: 11, y: 22, z: 4))
        let utm = try session.position(.zero, in: .utm)
        #expect(abs(utm.x - 458_357.390) < 0.001)
        #expect(abs(utm.y - 5_547_288.346) < 0.001)
        #expect(utm.z == 200)
        #expect(session.utm(xMetres: 1, yMetres: 0).zone.description == "33N")
    }

    @Test(arguments: ["fcu", "uav2/world_origin", "", "map"])
    func `a frame without a known place in the world is refused by name`(frame: String) throws {
        let session = try session()
        #expect(throws: GeodesyError.self) { try session.world(.zero, frame: FrameName(frame)) }
        #expect(throws: GeodesyError.self) { try session.position(.zero, in: FrameName(frame)) }
    }

    @Test func `what is not known is said, not assumed`() throws {
        let bare = try WorldSession(typed: Self.prague)
        #expect(throws: GeodesyError.self) { try bare.worldZ(300, frame: .utm) }
        #expect(throws: GeodesyError.self) { try bare.world(.zero, frame: .localOrigin) }
        #expect(try bare.worldZ(3, frame: .worldOrigin) == 3)
        let inUTM = WorldFile(origin: .utm(eastingMetres: 458_357.39, northingMetres: 5_547_288.346))
        #expect(throws: GeodesyError.self) { try WorldSession(worldFile: inUTM) }
        let zone = try #require(UTMZone(number: 33, isNorth: true))
        let place = try WorldSession(worldFile: inUTM, zone: zone).geographic(xMetres: 0, yMetres: 0)
        #expect(abs(place.latitudeDegrees - Self.prague.latitudeDegrees) < 1e-8)
    }

    @Test func `the vehicle's own origin serves`() throws {
        let origin = FlightEnvelope.WorldOrigin(
            latitudeDegrees: 47.4, longitudeDegrees: 8.5, altitudeMetres: .nan, source: .satelliteFix)
        let session = try WorldSession(vehicle: origin)
        #expect(session.source == .vehicle(.satelliteFix))
        #expect(session.altitudeMetres == nil)
        #expect(session.zone.description == "32N")
    }

    /// A field on the border of zones 32 and 33 (12 degrees east): metres stay metres, in either zone.
    @Test(arguments: [32, 33])
    func `a field on a zone's border does not tear`(number: Int) throws {
        let zone = try #require(UTMZone(number: number, isNorth: true))
        let session = try WorldSession(
            typed: .init(latitudeDegrees: 50, longitudeDegrees: 12), altitudeMetres: 0, zone: zone)
        let west = try session.world(.init(latitudeDegrees: 50, longitudeDegrees: 11.999))
        let east = try session.world(.init(latitudeDegrees: 50, longitudeDegrees: 12.001))
        let apart =
            ((east.xMetres - west.xMetres) * (east.xMetres - west.xMetres)
            + (east.yMetres - west.yMetres) * (east.yMetres - west.yMetres)).squareRoot()
        // 0.002 degrees of the parallel at 50 degrees north are 143.39 m, and the grid's scale is 1.0006 at a zone's edge there.
        #expect(abs(apart - 143.4) < 0.2)
        #expect(session.zone == zone)
    }

    @Test func `a safety area becomes a volume`() throws {
        let area = SafetyArea(
            horizontalFrame: .localOrigin, corners: [.init(x: 0, y: 0), .init(x: 10, y: 0), .init(x: 0, y: 10)],
            verticalFrame: .latitudeLongitude, minimumZMetres: 201, maximumZMetres: 215)
        let volume = try session().volume(area)
        #expect(volume.corners.first == [10, 20])
        #expect(volume.minimumZMetres == 1)
        #expect(volume.contains(Vector3(x: 12, y: 22, z: 10)))
    }
}
