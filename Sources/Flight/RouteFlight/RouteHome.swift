package import Geodesy
package import RouteFiles
package import UAVLink

/// What is known of the place where the flight of a route begins on the ground, for files that have a planned home.
package struct RouteHome: Hashable, Sendable {
    /// The planned home of the file that the route was read from; `nil` if it was read from none that has one.
    package var ofFile: PlannedHome?
    /// Where the vehicle stands or took off, metres in `world_origin`; `nil` if it is not known.
    package var takeOff: Vector3?
    /// z of the ground, metres in `world_origin`; `nil` if it is not known.
    package var groundZMetres: Double?

    package init(ofFile: PlannedHome? = nil, takeOff: Vector3? = nil, groundZMetres: Double? = nil) {
        self.ofFile = ofFile
        self.takeOff = takeOff
        self.groundZMetres = groundZMetres
    }

    /// The planned home to write: that of the file, else where the vehicle stands or took off, else a place that the
    /// writer assumes, on the ground as far as that is known.
    package func planned(in session: WorldSession?) -> PlannedHome {
        if let ofFile, ofFile.place != nil { return ofFile }
        var (place, z) = (GeographicCoordinate?.none, groundZMetres)
        if let takeOff, let found = try? session?.geographic(xMetres: takeOff.x, yMetres: takeOff.y) {
            (place, z) = (found, takeOff.z)
        }
        let zero = session?.altitudeMetres
        return PlannedHome(place: place, altitudeMetres: z.flatMap { z in zero.map { $0 + z } })
    }
}
