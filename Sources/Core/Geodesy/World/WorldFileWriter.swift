internal import UAVLink
internal import YAML

/// Writes world files, which ``WorldFileReader`` reads back as the same world.
public enum WorldFileWriter {
    /// The bytes of a world file.
    ///
    /// In the current layout of the flight stack; in the oldest one where obstacles are circles, or have no heights.
    ///
    /// - Throws: ``GeodesyError`` for a number that is not finite, with the place where it stands, and for a world that no layout holds:
    ///   with circles beside prisms in another frame.
    public static func bytes(of world: WorldFile) throws(GeodesyError) -> [UInt8] {
        try requireFinite(world)
        var fields = [YAMLText.Field("world_origin", origin(world.origin))]
        if let area = world.safetyArea {
            let isFlat = area.obstacles.contains { $0.heights == nil }
            guard let written = isFlat ? flat(area) : current(area) else {
                throw GeodesyError(
                    .worldFile, "no layout of a world file holds these obstacles: circles, and prisms in another frame")
            }
            fields += written
        }
        return Array((YAMLText.record([.init("mrs_uav_managers", .record(fields))]).flow + "\n").utf8)
    }

    private static func origin(_ origin: WorldFile.Origin) -> YAMLText {
        let (units, x, y) =
            switch origin {
            case .geographic(let place): ("LATLON", place.latitudeDegrees, place.longitudeDegrees)
            case .utm(let easting, let northing): ("UTM", easting, northing)
            }
        return .record([.init("units", .text(units)), .init("origin_x", .number(x)), .init("origin_y", .number(y))])
    }

    // MARK: The current layout

    private static func current(_ area: SafetyArea) -> [YAMLText.Field]? {
        let safetyArea: [YAMLText.Field] = [
            .init("enabled", .bool(area.isEnabled)),
            .init("horizontal", horizontal(area.horizontalFrame, area.corners)),
            .init("vertical", vertical(area.verticalFrame, area.minimumZMetres, area.maximumZMetres)),
        ]
        var manager = [YAMLText.Field("safety_area", .record(safetyArea))]
        if !area.obstacles.isEmpty {
            guard let obstacles = prisms(area.obstacles) else { return nil }
            manager.append(.init("obstacles", obstacles))
        }
        return [.init("safety_area_manager", .record(manager))]
    }

    private static func horizontal(_ frame: FrameName, _ corners: [SafetyArea.Corner]) -> YAMLText {
        .record([
            .init("frame_name", .text(frame.name)), .init("points", .list(corners.flatMap { numbers([$0.x, $0.y]) })),
        ])
    }

    private static func vertical(_ frame: FrameName, _ lowest: Double, _ greatest: Double) -> YAMLText {
        .record([
            .init("frame_name", .text(frame.name)), .init("min_z", .number(lowest)), .init("max_z", .number(greatest)),
        ])
    }

    /// Obstacles with heights; `nil` if one is a circle.
    private static func prisms(_ obstacles: [SafetyArea.Obstacle]) -> YAMLText? {
        var fields: [YAMLText.Field] = [
            .init("present", .bool(true)), .init("count", .integer(obstacles.count)),
        ]
        for (index, obstacle) in obstacles.enumerated() {
            guard case .polygon(let corners) = obstacle.shape, let heights = obstacle.heights else { return nil }
            fields.append(
                .init(
                    "obstacle_\(index)",
                    .record([
                        .init("horizontal", horizontal(obstacle.horizontalFrame, corners)),
                        .init(
                            "vertical", vertical(heights.frame, heights.minimumZMetres, heights.maximumZMetres)),
                    ])))
        }
        return .record(fields)
    }

    // MARK: The oldest layout

    /// `nil` where its matrices, which have the frame of the area and no heights, do not hold the obstacles.
    private static func flat(_ area: SafetyArea) -> [YAMLText.Field]? {
        let open = area.obstacles.filter { $0.heights == nil }
        guard area.verticalFrame == .worldOrigin, open.allSatisfy({ $0.horizontalFrame == area.horizontalFrame }) else {
            return nil
        }
        var safetyArea: [YAMLText.Field] = [
            .init("enabled", .bool(area.isEnabled)), .init("frame_name", .text(area.horizontalFrame.name)),
            .init("points", .list(area.corners.flatMap { numbers([$0.x, $0.y]) })),
            .init("min_z", .number(area.minimumZMetres)), .init("max_z", .number(area.maximumZMetres)),
        ]
        var polygons: [[SafetyArea.Corner]] = []
        var circles: [[YAMLText]] = []
        for obstacle in open {
            switch obstacle.shape {
            case .polygon(let corners): polygons.append(corners)
            case .circle(let centre, let radius): circles.append(numbers([centre.x, centre.y, radius]))
            }
        }
        if !polygons.isEmpty {
            // x of all polygons, then y of all, as the flight stack reads matrices.
            let rows = polygons.flatMap { numbers($0.map(\.x)) } + polygons.flatMap { numbers($0.map(\.y)) }
            safetyArea.append(.init("polygon_obstacles", matrices(rows, rows: 2, columns: polygons.map(\.count))))
        }
        if !circles.isEmpty {
            safetyArea.append(
                .init(
                    "point_obstacles",
                    matrices(circles.flatMap { $0 }, rows: 1, columns: circles.map(\.count))))
        }
        var fields = [YAMLText.Field("safety_area", .record(safetyArea))]
        let closed = area.obstacles.filter { $0.heights != nil }
        if !closed.isEmpty {
            guard let obstacles = prisms(closed) else { return nil }
            fields.append(.init("obstacles", obstacles))
        }
        return fields
    }

    private static func matrices(_ data: [YAMLText], rows: Int, columns: [Int]) -> YAMLText {
        .record([
            .init("enabled", .bool(true)), .init("data", .list(data)), .init("rows", .integer(rows)),
            .init("cols", .list(columns.map { .integer($0) })),
        ])
    }

    private static func numbers(_ values: [Double]) -> [YAMLText] { values.map { .number($0) } }
}

// MARK: Numbers

extension WorldFileWriter {
    /// A vehicle that reads such a number may take its safety area for one without limits.
    private static func requireFinite(_ world: WorldFile) throws(GeodesyError) {
        switch world.origin {
        case .geographic(let place):
            try requireFinite([place.latitudeDegrees, place.longitudeDegrees], "the origin")
        case .utm(let easting, let northing): try requireFinite([easting, northing], "the origin")
        }
        guard let area = world.safetyArea else { return }
        let name = "the safety area"
        try requireFinite(area.corners, of: name)
        try requireFinite([area.minimumZMetres, area.maximumZMetres], "the heights of \(name)")
        for obstacle in area.obstacles {
            let name = "the obstacle '\(obstacle.name.sanitizedLine)'"
            switch obstacle.shape {
            case .polygon(let corners): try requireFinite(corners, of: name)
            case .circle(let centre, let radius):
                try requireFinite([centre.x, centre.y], "the centre of \(name)")
                try requireFinite([radius], "the radius of \(name)")
            }
            if let heights = obstacle.heights {
                try requireFinite([heights.minimumZMetres, heights.maximumZMetres], "the heights of \(name)")
            }
        }
    }

    private static func requireFinite(_ corners: [SafetyArea.Corner], of name: String) throws(GeodesyError) {
        for (index, corner) in corners.enumerated() {
            try requireFinite([corner.x, corner.y], "corner \(index + 1) of \(name)")
        }
    }

    private static func requireFinite(_ numbers: [Double], _ place: String) throws(GeodesyError) {
        guard let wrong = numbers.first(where: { !$0.isFinite }) else { return }
        throw GeodesyError(.worldFile, "\(place): found \(wrong), expected a finite number")
    }
}
