import Geodesy
import RouteFiles
import Testing
import Trajectories
import UAVLink

@Suite struct RoundTripTests {
    @Test(arguments: [RouteFormat.geoJSON, .kml, .kmz, .gpx])
    func `a route on the globe comes back whole`(format: RouteFormat) throws {
        let written = try RouteFiles.write(RouteSamples.globe, as: format)
        #expect(written.notes.isEmpty)
        let back = try RouteFiles.read(written.bytes, name: "field.\(format.fileExtension)")
        #expect(back.route == RouteSamples.globe)
        #expect(try RouteFiles.write(back.route, as: format).bytes == written.bytes)
    }

    /// The content tells the format, whatever the name says.
    @Test(arguments: [RouteFormat.geoJSON, .kml, .kmz, .gpx, .plan])
    func `a file with a wrong name is read anyway`(format: RouteFormat) throws {
        var route = RouteSamples.globe
        route.points = [route.points[1]]
        route.points[0].heading = nil
        let written = try RouteFiles.write(route, as: format)
        #expect(RouteFormat.of(written.bytes, name: "download.bin") == format)
        #expect(try RouteFiles.read(written.bytes, name: "download.bin").route.points.count == 1)
    }

    @Test func `tables come back whole, on the globe and in metres`() throws {
        var globe = RouteSamples.globe
        globe.name = ""
        let written = try RouteFiles.write(globe, as: .csv)
        #expect(try RouteFiles.read(written.bytes, name: "a.csv").route == globe)
        let local = try RouteFiles.write(RouteSamples.local, as: .csv)
        #expect(try RouteFiles.read(local.bytes, name: "a.csv").route == RouteSamples.local)
    }

    @Test func `a plain table of ours is x,y,z,heading`() throws {
        let route = Route(points: [RouteSamples.local.points[0]])
        let text = String(decoding: try RouteFiles.write(route, as: .csv).bytes, as: UTF8.self)
        #expect(text == "# frame: local_origin\n# heading: rad\nx,y,z,heading\n1,2,3,0.5\n")
    }

    @Test func `a plan comes back with what a plan can hold`() throws {
        let interest = RouteSamples.place(49.3625, 14.2617)
        let route = Route(points: [
            RoutePoint(
                place: RouteSamples.place(49.3622, 14.2614), altitude: .init(metres: 5, reference: .home),
                heading: .fixed(radians: 0.5), holdSeconds: 3, cameraPitchRadians: -0.25, takesSnapshot: true),
            RoutePoint(
                place: RouteSamples.place(49.3623, 14.2615), altitude: .init(metres: 402.25, reference: .meanSeaLevel),
                heading: .towards(interest), cameraPitchRadians: -0.25),
            RoutePoint(
                place: RouteSamples.place(49.3624, 14.2616), altitude: .init(metres: 6, reference: .ground),
                cameraPitchRadians: -0.5),
        ])
        let written = try RouteFiles.write(route, as: .plan)
        let back = try RouteFiles.read(written.bytes, name: "a.plan").route
        #expect(back.points.count == 3)
        for (one, other) in zip(route.points, back.points) {
            #expect(one.place == other.place)
            #expect(one.altitude == other.altitude)
            #expect(one.holdSeconds == other.holdSeconds)
            #expect(one.takesSnapshot == other.takesSnapshot)
            #expect(abs((one.cameraPitchRadians ?? 9) - (other.cameraPitchRadians ?? 9)) < 1e-12)
        }
        guard case .fixed(let heading) = back.points[0].heading else {
            Issue.record("no heading")
            return
        }
        #expect(abs(heading - 0.5) < 1e-12)
        #expect(back.points[1].heading == .towards(interest))
        #expect(back.points[2].heading == nil)
    }

    @Test func `samples and their settings come back whole`() throws {
        let trajectory = Trajectory(
            frame: .localOrigin,
            points: (0..<100).map {
                .init(position: Vector3(x: Double($0) * 0.08, y: 0.1, z: 1.5), headingRadians: -0.25)
            }, timeStepSeconds: 0.02, usesHeading: true, fliesNow: false, loops: true)
        let (samples, settings) = TrajectoryFile.write(trajectory)
        #expect(
            try TrajectoryFile.read(samples, name: "a.txt", settings: settings, settingsName: "a.yaml") == trajectory)
    }

    @Test(arguments: [RouteFormat.geoJSON, .kml, .kmz, .gpx, .plan])
    func `a point in metres is not written as a place on the globe`(format: RouteFormat) {
        #expect(throws: RouteFileError.self) { try RouteFiles.write(RouteSamples.local, as: format) }
    }

    @Test(arguments: RouteFormat.allCases)
    func `numbers that are not finite are not written`(format: RouteFormat) {
        let route = Route(points: [RoutePoint(place: RouteSamples.place(.nan, 0))])
        #expect(throws: RouteFileError.self) { try RouteFiles.write(route, as: format) }
        let deep = Route(points: [
            RoutePoint(
                place: RouteSamples.place(1, 0), altitude: .init(metres: .infinity, reference: .home),
                heading: .alongPath)
        ])
        #expect(throws: RouteFileError.self) { try RouteFiles.write(deep, as: format) }
    }

    /// XML's decimals have no exponent, and some readers take none.
    @Test(arguments: [RouteFormat.kml, .gpx])
    func `small numbers are written without an exponent and come back the same`(format: RouteFormat) throws {
        for value in [1e-7, -1.2345e-9, 4.9e-30, 1e-300, 0.1, -0.0] {
            let route = Route(points: [RoutePoint(place: RouteSamples.place(value, 1))])
            let bytes = try RouteFiles.write(route, as: format).bytes
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("e-") == (abs(value) < 1e-31 && value != 0))
            #expect(try RouteFiles.read(bytes, name: "a").route.points[0].place == RouteSamples.place(value, 1))
        }
    }

    @Test func `what a format cannot hold is an error or a note, never a silence`() throws {
        #expect(throws: RouteFileError.self) { try RouteFiles.write(RouteSamples.globe, as: .plan) }
        #expect(throws: RouteFileError.self) { try RouteFiles.write(RouteSamples.globe, as: .mrs) }
        var mixed = RouteSamples.local
        mixed.points.append(RouteSamples.globe.points[0])
        #expect(throws: RouteFileError.self) { try RouteFiles.write(mixed, as: .csv) }
        let samples = try RouteFiles.write(Route(points: [RouteSamples.local.points[0]]), as: .mrs)
        #expect(samples.notes == ["the file does not contain its frame: set frame_id 'local_origin' in the YAML file"])
        #expect(String(decoding: samples.bytes, as: UTF8.self) == "1, 2, 3, 0.5\n")
    }
}
