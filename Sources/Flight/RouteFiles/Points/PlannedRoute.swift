package import Geodesy
package import Trajectories
internal import UAVLink

extension Route {
    /// Creates a route from points in the vehicle's world, as a format requires: geographic, or in metres of `world_origin`
    /// for tables and samples.
    ///
    /// - Parameter session: the position of the world origin; required for geographic places. Altitudes become heights above
    ///   mean sea level if it has the altitude of z = 0, and stay z of `world_origin` otherwise.
    /// - Throws: ``RouteFileError`` that names what is missing.
    package init(
        name: String = "", planned points: [PlannedPoint], for format: RouteFormat, session: WorldSession?
    ) throws(RouteFileError) {
        let isOnGlobe =
            switch format {
            case .geoJSON, .kml, .kmz, .gpx, .plan: true
            case .csv, .mrs: false
            }
        guard session != nil || !isOnGlobe else {
            throw RouteFileError(
                "the position of world_origin is unknown, and \(format.title) needs geographic places: connect the vehicle, or"
                    + " give a world file (--world FILE) or an origin (--origin LAT,LON)")
        }
        self.init(name: name)
        self.points.reserveCapacity(points.count)
        let globe = isOnGlobe ? session : nil
        for (index, point) in points.enumerated() {
            do throws(GeodesyError) {
                self.points.append(try Self.point(point, session: globe))
            } catch { throw RouteFileError("point \(index + 1): \(error.what)") }
        }
    }

    private static func point(_ planned: PlannedPoint, session: WorldSession?) throws(GeodesyError) -> RoutePoint {
        func place(_ x: Double, _ y: Double) throws(GeodesyError) -> RoutePoint.Place {
            guard let session else { return .local(xMetres: x, yMetres: y, frame: .worldOrigin) }
            return .geographic(try session.geographic(xMetres: x, yMetres: y))
        }
        let heading: RoutePoint.HeadingRule
        switch planned.heading {
        case .fixed(let radians): heading = .fixed(radians: radians)
        case .alongPath: heading = .alongPath
        case .towards(let x, let y): heading = .towards(try place(x, y))
        }
        var altitude = RoutePoint.Altitude(metres: planned.position.z, reference: .frame(.worldOrigin))
        if let zero = session?.altitudeMetres {
            altitude = .init(metres: planned.position.z + zero, reference: .meanSeaLevel)
        }
        return RoutePoint(
            place: try place(planned.position.x, planned.position.y), altitude: altitude, heading: heading,
            holdSeconds: planned.holdSeconds, cameraPitchRadians: planned.cameraPitchRadians,
            takesSnapshot: planned.takesSnapshot)
    }
}
