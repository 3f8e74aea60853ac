import Geodesy
import SystemIO
import Testing

/// PROJ beside our projection.
@Suite(.enabled(if: Proj.isInstalled, "PROJ is not installed: scripts/setup --tests")) struct ProjPeerTests {
    @Test(arguments: [("1N", 1, true), ("33N", 33, true), ("56S", 56, false)])
    func `the grid is that of PROJ, there and back`(name: String, number: Int, isNorth: Bool) throws {
        let zone = try #require(UTMZone(number: number, isNorth: isNorth))
        let (ours, proj) = (UTMProjection(zone: zone), try Proj(zone: zone))
        let meridian = Double(number) * 6 - 183
        var count = 0
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            // Far beyond the zone: routes at its edge are planned on the grid of their origin.
            for difference in stride(from: -30.0, through: 30, by: 1.25) {
                let longitude = (meridian + difference).remainder(dividingBy: 360)
                let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
                let grid = try ours.grid(place)
                let (easting, northing) = proj.forward(place)
                #expect(abs(grid.eastingMetres - easting) < 1e-6 && abs(grid.northingMetres - northing) < 1e-6)
                let back = try ours.geographic(eastingMetres: easting, northingMetres: northing)
                let (backLatitude, backLongitude) = proj.inverse(easting, northing)
                #expect(abs(back.latitudeDegrees - backLatitude) < 1e-11)
                // At a pole every longitude is right.
                #expect(abs(back.longitudeDegrees - backLongitude) < 1e-10 || abs(latitude) == 90)
                count += 1
            }
        }
        #expect(count == 25 * 49)
    }
}

/// A transformation of the library.
private struct Proj {
    private typealias Create = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> OpaquePointer?
    private typealias Numbers = UnsafeMutablePointer<Double>
    private typealias Transform =
        @convention(c) (
            OpaquePointer, Int32, Numbers, Int, Int, Numbers, Int, Int, Numbers?, Int, Int, Numbers?, Int, Int
        ) -> Int

    private static let source = DynamicLibrary.Source(
        "PROJ", debianPackage: "libproj25", linux: (13...60).reversed().map { "libproj.so.\($0)" },
        darwin: ["libproj.dylib"])
    private let transform: Transform
    private let transformation: OpaquePointer

    static var isInstalled: Bool { (try? DynamicLibrary(source)) != nil }

    init(zone: UTMZone) throws {
        let library = try DynamicLibrary(Self.source)
        let create: Create = try library.function("proj_create")
        transform = try library.function("proj_trans_generic")
        // Kept to the end of the process.
        transformation = try #require(
            create(
                nil,
                "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
                    + "+step +proj=utm +zone=\(zone.number)\(zone.isNorth ? "" : " +south") +ellps=WGS84"))
    }

    func forward(_ place: GeographicCoordinate) -> (easting: Double, northing: Double) {
        run(1, place.longitudeDegrees, place.latitudeDegrees)
    }

    func inverse(_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double) {
        let (longitude, latitude) = run(-1, easting, northing)
        return (latitude, longitude)
    }

    private func run(_ direction: Int32, _ x: Double, _ y: Double) -> (Double, Double) {
        var (x, y) = (x, y)
        _ = transform(transformation, direction, &x, 8, 1, &y, 8, 1, nil, 0, 0, nil, 0, 0)
        return (x, y)
    }
}
