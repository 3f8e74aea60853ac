import Geodesy
import RouteFiles
import Trajectories
import UAVLink

/// Routes that the tests write and read.
enum RouteSamples {
    static func place(_ latitude: Double, _ longitude: Double) -> RoutePoint.Place {
        .geographic(.init(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }

    /// On the globe, with everything that a point can have.
    static let globe = Route(
        name: "Fasáda <A> & \"B\"",
        points: [
            RoutePoint(place: place(49.362251, 14.261432)),
            RoutePoint(
                place: place(49.3623, 14.2615), altitude: .init(metres: 402.25, reference: .meanSeaLevel),
                heading: .fixed(radians: -1.25), holdSeconds: 2.5, cameraPitchRadians: -0.5, takesSnapshot: true,
                name: "roof, \"north\"; edge"),
            RoutePoint(
                place: place(-33.857, 151.215), altitude: .init(metres: 12, reference: .ground), heading: .alongPath),
            RoutePoint(
                place: place(49.3624, -179.5), altitude: .init(metres: 5.5, reference: .home),
                heading: .towards(place(49.3625, 14.2617))),
            RoutePoint(
                place: place(0, 0), altitude: .init(metres: 450, reference: .ellipsoid),
                heading: .towards(.local(xMetres: 1.5, yMetres: -2, frame: .worldOrigin))),
            RoutePoint(place: place(1, 2), altitude: .init(metres: 3, reference: .frame(.worldOrigin))),
        ])

    /// In metres of a frame.
    static let local = Route(points: [
        RoutePoint(
            place: .local(xMetres: 1, yMetres: 2, frame: .localOrigin),
            altitude: .init(metres: 3, reference: .frame(.localOrigin)), heading: .fixed(radians: 0.5)),
        RoutePoint(place: .local(xMetres: -1.25, yMetres: 1e-7, frame: .localOrigin), heading: .alongPath),
        RoutePoint(
            place: .local(xMetres: 4, yMetres: 5, frame: .localOrigin),
            altitude: .init(metres: 3, reference: .home),
            heading: .towards(.local(xMetres: 0, yMetres: 0, frame: .localOrigin)), holdSeconds: 1, name: "a, b"),
    ])
}

/// What reading that text says: the error, or what was read where none was expected.
func problem(_ text: String, name: String) -> String { problem(Array(text.utf8), name: name) }

/// What reading these bytes says.
func problem(_ bytes: [UInt8], name: String) -> String {
    do throws(RouteFileError) {
        return "read \(try RouteFiles.read(bytes, name: name))"
    } catch { return error.description }
}

/// Reads a text.
func read(_ text: String, name: String) throws -> ReadRoute { try RouteFiles.read(Array(text.utf8), name: name) }
