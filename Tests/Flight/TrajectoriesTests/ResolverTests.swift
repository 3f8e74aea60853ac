import Geodesy
import Testing
import Trajectories
import UAVLink

@Suite("A route is resolved, and nothing in it is assumed")
struct ResolverTests {
    private let origin = GeographicCoordinate(latitudeDegrees: 49.36225, longitudeDegrees: 14.26143)

    private func session(altitude: Double? = nil) throws -> WorldSession {
        try WorldSession(typed: origin, altitudeMetres: altitude)
    }

    private func local(_ altitude: RoutePoint.Altitude?, frame: FrameName = .worldOrigin) -> RoutePoint {
        RoutePoint(place: .local(xMetres: 3, yMetres: 4, frame: frame), altitude: altitude, name: "gate\u{1B}[2J")
    }

    private func failure(_ point: RoutePoint, _ references: WorldReferences = .init()) -> RouteError? {
        do {
            let first = RoutePoint(
                place: .local(xMetres: 0, yMetres: 0, frame: .worldOrigin),
                altitude: .init(metres: 1, reference: .frame(.worldOrigin)))
            _ = try RouteResolver(references: references).resolve(Route(points: [first, point]))
            return nil
        } catch {
            return error
        }
    }

    @Test("A missing altitude is asked for, and names the point")
    func missing() throws {
        let error = try #require(failure(local(nil)))
        #expect(error.code == .altitudeMissing)
        #expect(error.pointIndex == 1)
        #expect(error.what.hasPrefix("point 2 (gate"))
        #expect(!error.what.contains("\u{1B}"))
        let given = RouteResolver(
            references: .init(), defaultAltitude: .init(metres: 7, reference: .frame(.worldOrigin)))
        #expect(try given.resolve(Route(points: [local(nil)])).first?.position == Vector3(x: 3, y: 4, z: 7))
    }

    @Test("Each reference needs what it counts from")
    func references() throws {
        typealias Case = (RoutePoint.AltitudeReference, WorldReferences, Double)
        let known = WorldReferences(
            session: try session(altitude: 400), geoidSeparationMetres: 45, groundZMetres: -2, homeZMetres: 1.5)
        let cases: [Case] = [
            (.meanSeaLevel, known, 410 - 400), (.ellipsoid, known, 410 - 45 - 400), (.ground, known, 408),
            (.home, known, 411.5), (.frame(.worldOrigin), .init(), 410), (.frame(.utm), known, 10),
        ]
        for (reference, references, z) in cases {
            let point = local(.init(metres: 410, reference: reference))
            let planned = try RouteResolver(references: references).resolve(Route(points: [point]))
            #expect(planned.first?.position.z == z, "\(reference)")
        }
        for reference in [
            RoutePoint.AltitudeReference.meanSeaLevel, .ellipsoid, .ground, .home, .frame(.localOrigin),
        ] {
            let point = local(.init(metres: 410, reference: reference))
            let error = failure(point, WorldReferences(session: try session()))
            #expect(error?.code == .heightUnknown, "\(reference)")
            #expect(error?.pointIndex == 1)
        }
    }

    @Test("What is missing is told apart: the geoid, the altitude of world_origin, or both")
    func missingReferences() throws {
        typealias Case = (geoid: Double?, altitude: Double?, unknown: RoutePoint.AltitudeReference, lacks: Bool)
        let cases: [Case] = [
            (nil, 400, .ellipsoid, false), (nil, nil, .ellipsoid, true), (45, nil, .meanSeaLevel, true),
        ]
        for entry in cases {
            let references = WorldReferences(
                session: try session(altitude: entry.altitude), geoidSeparationMetres: entry.geoid)
            let error = failure(local(.init(metres: 410, reference: .ellipsoid)), references)
            #expect(error?.unknownReference == entry.unknown && error?.lacksWorldAltitude == entry.lacks)
        }
    }

    @Test("Places on the globe need the world's origin")
    func globe() throws {
        let point = RoutePoint(
            place: .geographic(origin), altitude: .init(metres: 2, reference: .frame(.worldOrigin)),
            heading: .towards(.geographic(origin)))
        #expect(failure(point)?.code == .frameUnknown)
        let planned = try RouteResolver(references: .init(session: try session())).resolve(Route(points: [point]))
        #expect(planned.first.map { $0.position.x.magnitude < 1e-6 && $0.position.y.magnitude < 1e-6 } == true)
        let pole = RoutePoint(
            place: .geographic(.init(latitudeDegrees: 95, longitudeDegrees: 0)),
            altitude: .init(metres: 2, reference: .frame(.worldOrigin)))
        #expect(failure(pole, .init(session: try session()))?.code == .invalid)
    }

    @Test("A frame that is not known is no place")
    func frames() throws {
        let altitude = RoutePoint.Altitude(metres: 1, reference: .frame(.worldOrigin))
        #expect(failure(local(altitude, frame: .current), .init(session: try session()))?.code == .frameMissing)
        let said = RouteResolver(references: .init(), defaultFrame: .worldOrigin)
        let unnamed = local(.init(metres: 2, reference: .frame(.current)), frame: .current)
        #expect(try said.resolve(Route(points: [unnamed])).first?.position == Vector3(x: 3, y: 4, z: 2))
        for frame in [.bodyUntilted, FrameName.localOrigin, FrameName("elsewhere")] {
            #expect(failure(local(altitude, frame: frame), .init(session: try session()))?.code == .frameUnknown)
        }
        var placed = try session()
        placed.localOrigin = Vector3(x: 100, y: 200, z: 3)
        let planned = try RouteResolver(references: .init(session: placed)).resolve(
            Route(points: [local(altitude, frame: .localOrigin)]))
        #expect(planned.first?.position == Vector3(x: 103, y: 204, z: 1))
    }

    @Test("Values that are no numbers are refused")
    func numbers() {
        var point = local(.init(metres: .nan, reference: .frame(.worldOrigin)))
        #expect(failure(point)?.code == .invalid)
        point = local(.init(metres: 1, reference: .frame(.worldOrigin)))
        point.holdSeconds = -1
        #expect(failure(point)?.code == .invalid)
        point.holdSeconds = 0
        point.heading = .fixed(radians: .infinity)
        #expect(failure(point)?.code == .invalid)
    }
}
