internal import Geodesy
internal import Trajectories
internal import UAVLink

/// For formats that hold places on the globe only.
enum GlobeOnly {
    /// The point's place on the globe.
    ///
    /// - Throws: an error that names the point when it stands in metres of some frame, or its numbers are none.
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
                "point \(number) stands in metres of '\(frame.description.harmlessLine)', and \(format) holds places on the globe"
                    + " only: it needs a world origin")
        }
    }

    /// Refuses numbers that no reader would take back.
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
