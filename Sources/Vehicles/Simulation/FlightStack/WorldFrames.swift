#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import FlightVolume
internal import Geodesy
internal import UAVLink

/// The frames that the vehicle's transformer knows, converted to its control frame (the axes of `world_origin`).
struct WorldFrames: Sendable {
    let vehicle: String
    let grid: GridFrame
    /// Metres above mean sea level of the ground, where z is 0.
    let groundAltitude: Double
    /// Initial position of the vehicle.
    let start: Vector3

    /// The frame's name without the vehicle's prefix, which is optional.
    func bare(_ frame: FrameName) -> String {
        let name = frame.name.hasPrefix("/") ? String(frame.name.dropFirst()) : frame.name
        let prefix = vehicle + "/"
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }

    /// The position in the control frame; `nil` for an unknown frame or an invalid position.
    func resolve(
        _ position: Vector3, headingRadians: Double, frame: FrameName, body: (position: Vector3, attitude: Quaternion)
    ) -> Trajectory.Point? {
        let heading = body.attitude.headingRadians
        switch bare(frame) {
        case "", "world_origin", "gps_garmin_origin", "gps_baro_origin", "fixed_origin", "stable_origin":
            return .init(position: position, headingRadians: headingRadians)
        case "local_origin":
            return .init(position: position + start, headingRadians: headingRadians)
        case "fcu":
            return .init(
                position: body.position + body.attitude.rotate(position), headingRadians: headingRadians + heading)
        case "fcu_untilted":
            let level = Quaternion(headingRadians: heading)
            return .init(position: body.position + level.rotate(position), headingRadians: headingRadians + heading)
        case "latlon_origin":
            let place = GeographicCoordinate(latitudeDegrees: position.x, longitudeDegrees: position.y)
            guard let (x, y) = try? grid.local(place) else { return nil }
            return .init(
                position: Vector3(x: x, y: y, z: position.z - groundAltitude), headingRadians: headingRadians)
        case "utm_origin":
            let (x, y) = grid.local(eastingMetres: position.x, northingMetres: position.y)
            return .init(
                position: Vector3(x: x, y: y, z: position.z - groundAltitude), headingRadians: headingRadians)
        default: return nil
        }
    }

    /// A position of the control frame in another frame; `nil` for an unknown frame.
    func express(
        _ place: Trajectory.Point, in frame: FrameName, body: (position: Vector3, attitude: Quaternion)
    ) -> Trajectory.Point? {
        let heading = body.attitude.headingRadians
        func turned(_ position: Vector3) -> Trajectory.Point {
            .init(position: position, headingRadians: Heading.wrapped(place.headingRadians - heading))
        }
        let altitude = place.position.z + groundAltitude
        switch bare(frame) {
        case "", "world_origin", "gps_garmin_origin", "gps_baro_origin", "fixed_origin", "stable_origin": return place
        case "local_origin":
            return .init(position: place.position - start, headingRadians: place.headingRadians)
        case "fcu": return turned(body.attitude.conjugate.rotate(place.position - body.position))
        case "fcu_untilted":
            return turned(Quaternion(headingRadians: -heading).rotate(place.position - body.position))
        case "latlon_origin":
            guard let there = try? grid.geographic(xMetres: place.position.x, yMetres: place.position.y) else {
                return nil
            }
            return .init(
                position: Vector3(x: there.latitudeDegrees, y: there.longitudeDegrees, z: altitude),
                headingRadians: place.headingRadians)
        case "utm_origin":
            return .init(
                position: Vector3(
                    x: place.position.x + grid.origin.eastingMetres, y: place.position.y + grid.origin.northingMetres,
                    z: altitude), headingRadians: place.headingRadians)
        default: return nil
        }
    }

    /// A velocity in the axes of the control frame.
    func resolve(velocity: Vector3, frame: FrameName, attitude: Quaternion) -> Vector3? {
        switch bare(frame) {
        case "fcu": attitude.rotate(velocity)
        case "fcu_untilted": Quaternion(headingRadians: attitude.headingRadians).rotate(velocity)
        case "latlon_origin": nil
        default:
            resolve(.zero, headingRadians: 0, frame: frame, body: (.zero, attitude)).map { _ in velocity }
        }
    }

    /// The safety area of a world file in the control frame. The flight stack keeps no margin to obstacles.
    func volume(_ area: SafetyArea) -> FlyableVolume? {
        guard let corners = corners(area.corners, frame: area.horizontalFrame),
            let low = height(area.minimumZMetres, frame: area.verticalFrame),
            let high = height(area.maximumZMetres, frame: area.verticalFrame)
        else { return nil }
        var obstacles: [FlightObstacle] = []
        for each in area.obstacles {
            guard let obstacle = obstacle(each) else { return nil }
            obstacles.append(obstacle)
        }
        return FlyableVolume(
            isEnabled: area.isEnabled, corners: corners, minimumZMetres: low, maximumZMetres: high,
            obstacles: obstacles)
    }

    private func corners(_ corners: [SafetyArea.Corner], frame: FrameName) -> [SIMD2<Double>]? {
        var found: [SIMD2<Double>] = []
        let body = (position: start, attitude: Quaternion.identity)
        for corner in corners {
            let place = Vector3(x: corner.x, y: corner.y, z: 0)
            guard let point = resolve(place, headingRadians: 0, frame: frame, body: body) else { return nil }
            found.append(SIMD2(point.position.x, point.position.y))
        }
        return found
    }

    private func obstacle(_ obstacle: SafetyArea.Obstacle) -> FlightObstacle? {
        let shape: FlightObstacle.Shape
        switch obstacle.shape {
        case .polygon(let corners):
            guard let found = self.corners(corners, frame: obstacle.horizontalFrame) else { return nil }
            shape = .polygon(found)
        case .circle(let centre, let radius):
            guard let found = corners([centre], frame: obstacle.horizontalFrame)?.first else { return nil }
            shape = .circle(centre: found, radiusMetres: radius)
        }
        guard let heights = obstacle.heights else { return FlightObstacle(name: obstacle.name, shape: shape) }
        guard let low = height(heights.minimumZMetres, frame: heights.frame),
            let high = height(heights.maximumZMetres, frame: heights.frame)
        else { return nil }
        return FlightObstacle(name: obstacle.name, shape: shape, minimumZMetres: low, maximumZMetres: high)
    }

    /// A height in the control frame.
    func height(_ z: Double, frame: FrameName) -> Double? {
        switch bare(frame) {
        case "latlon_origin", "utm_origin": z - groundAltitude
        case "local_origin": z + start.z
        case "", "world_origin", "gps_garmin_origin", "gps_baro_origin", "fixed_origin", "stable_origin": z
        default: nil
        }
    }
}
