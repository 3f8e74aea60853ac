internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Checks for formats that support geographic places only.
enum GeographicOnly {
    /// The geographic place of a point.
    ///
    /// - Throws: an error that names the point when its place is in metres of a frame, or its numbers are not finite.
    static func place(of point: RoutePoint, number: Int, format: String) throws(RouteFileError) -> GeographicCoordinate
    {
        try finite(point, number: number)
        switch point.place {
        case .geographic(let place):
            do throws(GeodesyError) { try place.validate() } catch {
                throw RouteFileError("point \(number): \(error.what)")
            }
            return place
        case .local(_, _, let frame):
            throw RouteFileError(
                "point \(number) is in metres of '\(frame.description.sanitizedLine)', and \(format) supports geographic places"
                    + " only: give a world origin")
        }
    }

    /// Rejects numbers that no reader would accept.
    static func finite(_ point: RoutePoint, number: Int) throws(RouteFileError) {
        var numbers = [point.altitude?.metres ?? 0, point.holdSeconds, point.cameraPitchRadians ?? 0]
        func add(_ place: RoutePoint.Place) {
            switch place {
            case .geographic(let place): numbers += [place.latitudeDegrees, place.longitudeDegrees]
            case .local(let x, let y, _): numbers += [x, y]
            }
        }
        add(point.place)
        switch point.heading {
        case .fixed(let radians): numbers.append(radians)
        case .towards(let place): add(place)
        case .alongPath, nil: break
        }
        guard numbers.allSatisfy(\.isFinite) else {
            throw RouteFileError("point \(number) has a number that is not finite")
        }
    }
}
