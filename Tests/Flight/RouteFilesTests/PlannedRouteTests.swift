import Geodesy
import RouteFiles
import Testing
import Trajectories
import UAVLink

/// A plan written as a file and read again is the same plan.
@Suite struct PlannedRouteTests {
    static let plan = [
        PlannedPoint(position: Vector3(x: 1.5, y: -2.25, z: 3)),
        PlannedPoint(
            position: Vector3(x: 40, y: 30, z: 4), heading: .fixed(radians: 1), holdSeconds: 2,
            cameraPitchRadians: -0.5,
            takesSnapshot: true),
        PlannedPoint(position: Vector3(x: 40, y: 0, z: 4), heading: .towards(xMetres: 10, yMetres: 20)),
    ]

    func session(altitude: Double?) throws -> WorldSession {
        try WorldSession(typed: .init(latitudeDegrees: 49.36, longitudeDegrees: 14.26), altitudeMetres: altitude)
    }

    @Test(arguments: [RouteFormat.geoJSON, .kml, .kmz, .gpx, .csv])
    func `every format that holds it all gives it back within a micrometre`(format: RouteFormat) throws {
        for altitude in [nil, 402.5] {
            let session = try session(altitude: altitude)
            let route = try Route(planned: Self.plan, for: format, session: session)
            let file = try RouteFiles.write(route, as: format).bytes
            let back = try RouteResolver(references: .init(session: session))
                .resolve(try RouteFiles.read(file, name: "a.\(format.fileExtension)").route)
            #expect(back.count == Self.plan.count)
            for (one, other) in zip(Self.plan, back) {
                #expect((one.position - other.position).length < 1e-6)
                #expect(one.holdSeconds == other.holdSeconds)
                #expect(one.cameraPitchRadians == other.cameraPitchRadians)
                #expect(one.takesSnapshot == other.takesSnapshot)
                switch (one.heading, other.heading) {
                case (.towards(let x, let y), .towards(let otherX, let otherY)):
                    #expect(abs(x - otherX) < 1e-6 && abs(y - otherY) < 1e-6)
                default: #expect(one.heading == other.heading)
                }
            }
        }
    }

    @Test func `places on the globe need a world, tables do not`() throws {
        #expect(throws: RouteFileError.self) { try Route(planned: Self.plan, for: .geoJSON, session: nil) }
        #expect(try Route(planned: Self.plan, for: .csv, session: nil).points.count == 3)
    }
}
