public import FlightVolume
public import UAVLink

extension WorldSession {
    /// A frame name without its prefix: `/uav1/world_origin` becomes `world_origin`.
    public func bare(_ frame: FrameName) -> FrameName {
        let name = frame.name.hasPrefix("/") ? String(frame.name.dropFirst()) : frame.name
        let prefix = vehicle + "/"
        return FrameName(!vehicle.isEmpty && name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
    }

    /// East and north in `world_origin`, metres.
    public func world(_ place: GeographicCoordinate) throws(GeodesyError) -> (xMetres: Double, yMetres: Double) {
        try grid.local(place)
    }

    /// The geographic coordinate of an east and north offset in `world_origin`, metres.
    public func geographic(xMetres: Double, yMetres: Double) throws(GeodesyError) -> GeographicCoordinate {
        try grid.geographic(xMetres: xMetres, yMetres: yMetres)
    }

    /// The coordinate on the session's grid of an east and north offset in `world_origin`, metres.
    public func utm(xMetres: Double, yMetres: Double) -> UTMCoordinate {
        UTMCoordinate(
            zone: zone, eastingMetres: grid.origin.eastingMetres + xMetres,
            northingMetres: grid.origin.northingMetres + yMetres)
    }

    /// East and north in `world_origin`, metres, of a horizontal position in any frame (degrees in `latlon_origin`).
    ///
    /// - Throws: ``GeodesyError`` if the frame's position in the world is not known.
    public func world(x: Double, y: Double, frame: FrameName) throws(GeodesyError) -> (xMetres: Double, yMetres: Double)
    {
        switch bare(frame) {
        case .worldOrigin: return (x, y)
        case .localOrigin:
            let start = try knownStart()
            return (x + start.x, y + start.y)
        case .utm: return grid.local(eastingMetres: x, northingMetres: y)
        case .latitudeLongitude:
            return try grid.local(GeographicCoordinate(latitudeDegrees: x, longitudeDegrees: y))
        default: throw unknown(frame)
        }
    }

    /// Converts a height in any frame to a height in `world_origin`, metres.
    ///
    /// - Throws: ``GeodesyError`` if the frame's position in the world is not known.
    public func worldZ(_ z: Double, frame: FrameName) throws(GeodesyError) -> Double {
        switch bare(frame) {
        case .worldOrigin: z
        case .localOrigin: z + (try knownStart()).z
        case .utm, .latitudeLongitude: z - (try knownAltitude())
        default: throw unknown(frame)
        }
    }

    /// Converts a position in any frame to `world_origin`.
    ///
    /// - Throws: ``GeodesyError`` if the frame's position in the world is not known.
    public func world(_ position: Vector3, frame: FrameName) throws(GeodesyError) -> Vector3 {
        let (x, y) = try world(x: position.x, y: position.y, frame: frame)
        return Vector3(x: x, y: y, z: try worldZ(position.z, frame: frame))
    }

    /// Converts a position in `world_origin` to any frame.
    ///
    /// - Throws: ``GeodesyError`` if the frame's position in the world is not known.
    public func position(_ world: Vector3, in frame: FrameName) throws(GeodesyError) -> Vector3 {
        switch bare(frame) {
        case .worldOrigin: return world
        case .localOrigin: return world - (try knownStart())
        case .utm:
            let place = utm(xMetres: world.x, yMetres: world.y)
            return Vector3(x: place.eastingMetres, y: place.northingMetres, z: world.z + (try knownAltitude()))
        case .latitudeLongitude:
            let place = try geographic(xMetres: world.x, yMetres: world.y)
            return Vector3(x: place.latitudeDegrees, y: place.longitudeDegrees, z: world.z + (try knownAltitude()))
        default: throw unknown(frame)
        }
    }

    /// Where a vehicle may fly in this world.
    ///
    /// - Parameter obstacleMarginMetres: how far the vehicle's centre must stay away from obstacles.
    /// - Throws: ``GeodesyError`` if a frame of the area or of an obstacle is not known.
    public func volume(
        _ area: SafetyArea, obstacleMarginMetres: Double = FlyableVolume.usualObstacleMarginMetres
    ) throws(GeodesyError) -> FlyableVolume {
        var obstacles: [FlightObstacle] = []
        // Of an area that is switched off they do not count either, and a frame that is not known does not matter.
        if area.isEnabled { for obstacle in area.obstacles { obstacles.append(try self.obstacle(obstacle)) } }
        return FlyableVolume(
            isEnabled: area.isEnabled, corners: try corners(area.corners, frame: area.horizontalFrame),
            minimumZMetres: try worldZ(area.minimumZMetres, frame: area.verticalFrame),
            maximumZMetres: try worldZ(area.maximumZMetres, frame: area.verticalFrame), obstacles: obstacles,
            obstacleMarginMetres: obstacleMarginMetres)
    }

    private func corners(
        _ corners: [SafetyArea.Corner], frame: FrameName
    ) throws(GeodesyError) -> [SIMD2<Double>] {
        var found: [SIMD2<Double>] = []
        found.reserveCapacity(corners.count)
        for corner in corners {
            let (x, y) = try world(x: corner.x, y: corner.y, frame: frame)
            found.append(SIMD2(x, y))
        }
        return found
    }

    private func obstacle(_ obstacle: SafetyArea.Obstacle) throws(GeodesyError) -> FlightObstacle {
        let frame = obstacle.horizontalFrame
        let shape: FlightObstacle.Shape =
            switch obstacle.shape {
            case .polygon(let corners): .polygon(try self.corners(corners, frame: frame))
            case .circle(let centre, let radius):
                .circle(centre: try corners([centre], frame: frame).first ?? .zero, radiusMetres: radius)
            }
        guard let heights = obstacle.heights else { return FlightObstacle(name: obstacle.name, shape: shape) }
        return FlightObstacle(
            name: obstacle.name, shape: shape,
            minimumZMetres: try worldZ(heights.minimumZMetres, frame: heights.frame),
            maximumZMetres: try worldZ(heights.maximumZMetres, frame: heights.frame))
    }

    private func knownStart() throws(GeodesyError) -> Vector3 {
        guard let localOrigin else {
            throw GeodesyError(
                .frame,
                "the position of local_origin, where the vehicle started, is not known; give it (--local-origin X,Y,Z)")
        }
        return localOrigin
    }

    private func knownAltitude() throws(GeodesyError) -> Double {
        guard let altitudeMetres else {
            throw GeodesyError(.frame, "the altitude of world_origin above mean sea level is not known")
        }
        return altitudeMetres
    }

    private func unknown(_ frame: FrameName) -> GeodesyError {
        GeodesyError(
            .frame,
            "found the frame '\(frame.description.sanitizedLine)', expected world_origin, local_origin, utm_origin or"
                + " latlon_origin")
    }
}
