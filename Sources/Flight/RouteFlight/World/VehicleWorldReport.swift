internal import Geodesy
package import ReportKit
internal import UAVLink

/// A vehicle's own world as text and as JSON.
package struct VehicleWorldReport {
    private let file: VehicleWorldFile

    /// The report of a world that was read.
    package init(_ file: VehicleWorldFile) { self.file = file }

    private var fingerprint: String {
        let digits = String(file.fingerprint, radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }

    // MARK: Text

    /// A line each for the file, the origin, the safety area and every obstacle, and what is missing.
    package var lines: [String] {
        let name = file.path.isEmpty ? "" : "\(file.path.sanitizedLine), "
        let what =
            switch file.source {
            case .file: "the world file of its flight stack"
            case .markers: "the border that its flight stack shows"
            case .simulation: "the configuration of a simulated vehicle"
            }
        var lines = [
            "world: \(name)\(what), \(file.byteCount) bytes, fingerprint \(fingerprint)", "origin: \(origin)",
        ]
        lines += file.world.safetyArea.map { areaLines($0) } ?? ["safety area: none"]
        if let limitation = file.limitation { lines.append("warning: \(limitation)") }
        return lines
    }

    private var origin: String {
        switch file.world.origin {
        case .geographic(let place):
            "\(place.latitudeDegrees.formatted(decimals: 7)) \(place.longitudeDegrees.formatted(decimals: 7))"
                + " (latitude, longitude)"
        case .utm(let easting, let northing):
            "\(easting.formatted(decimals: 2)) \(northing.formatted(decimals: 2)) (UTM easting, northing)"
        }
    }

    private func areaLines(_ area: SafetyArea) -> [String] {
        let state = area.isEnabled ? "safety area" : "safety area, switched off"
        let heights = Self.heights(area.minimumZMetres, area.maximumZMetres, area.verticalFrame)
        let count = area.obstacles.count
        return [
            "\(state): \(Self.shape(area.corners, area.horizontalFrame)); \(heights)",
            count > 0 ? "obstacles: \(count)" : file.isComplete ? "obstacles: none" : "obstacles: not known",
        ] + area.obstacles.map { Self.obstacleLine($0) }
    }

    private static func obstacleLine(_ obstacle: SafetyArea.Obstacle) -> String {
        let frame = obstacle.horizontalFrame
        let shape =
            switch obstacle.shape {
            case .polygon(let corners): Self.shape(corners, frame)
            case .circle(let centre, let radius):
                "\(radius.formatted(decimals: 1)) m around \(place(centre, frame)) in \(frame.name.sanitizedLine)"
            }
        let heights = obstacle.heights.map { Self.heights($0.minimumZMetres, $0.maximumZMetres, $0.frame) }
        return "  \(obstacle.name.sanitizedLine): \(shape); \(heights ?? "all heights")"
    }

    private static func shape(_ corners: [SafetyArea.Corner], _ frame: FrameName) -> String {
        let shown = corners.prefix(mostCorners).map { place($0, frame) }.joined(separator: ", ")
        let rest = corners.count > mostCorners ? ", ..." : ""
        return "\(corners.count) corners in \(frame.name.sanitizedLine): \(shown)\(rest)"
    }

    /// As many corners fit on a line or two.
    private static let mostCorners = 8

    private static func place(_ corner: SafetyArea.Corner, _ frame: FrameName) -> String {
        let decimals = frame == .latitudeLongitude ? 7 : 1
        return "\(corner.x.formatted(decimals: decimals)) \(corner.y.formatted(decimals: decimals))"
    }

    private static func heights(_ lowest: Double, _ greatest: Double, _ frame: FrameName) -> String {
        "z from \(lowest.formatted(decimals: 1)) to \(greatest.formatted(decimals: 1)) m in \(frame.name.sanitizedLine)"
    }

    // MARK: JSON

    /// JSON for scripts. Corners are `[x, y]` in their frame: metres, or latitude and longitude in degrees.
    package var json: JSONValue {
        [
            "ok": true,
            "source": .string("\(file.source)"),
            "path": file.path.isEmpty ? .null : .string(file.path),
            "bytes": JSONValue(file.byteCount),
            "fingerprint": .string(fingerprint),
            "origin": Self.originJSON(file.world.origin),
            "safety_area": file.world.safetyArea.map { areaJSON($0) } ?? .null,
            "complete": .bool(file.isComplete),
            "warning": JSONValue(file.limitation),
        ]
    }

    private static func originJSON(_ origin: WorldFile.Origin) -> JSONValue {
        switch origin {
        case .geographic(let place):
            ["latitude_deg": .number(place.latitudeDegrees), "longitude_deg": .number(place.longitudeDegrees)]
        case .utm(let easting, let northing): ["easting_m": .number(easting), "northing_m": .number(northing)]
        }
    }

    /// `obstacles` is `null` where they are not known, and empty where there are none.
    private func areaJSON(_ area: SafetyArea) -> JSONValue {
        [
            "enabled": .bool(area.isEnabled),
            "frame": .string(area.horizontalFrame.name),
            "corners": Self.cornersJSON(area.corners),
            "vertical_frame": .string(area.verticalFrame.name),
            "min_z_m": .number(area.minimumZMetres),
            "max_z_m": .number(area.maximumZMetres),
            "obstacles": file.isComplete ? .array(area.obstacles.map { Self.obstacleJSON($0) }) : .null,
        ]
    }

    private static func obstacleJSON(_ obstacle: SafetyArea.Obstacle) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(obstacle.name)), .init("frame", .string(obstacle.horizontalFrame.name)),
        ]
        switch obstacle.shape {
        case .polygon(let corners): members.append(.init("corners", cornersJSON(corners)))
        case .circle(let centre, let radius):
            members.append(.init("centre", .array([.number(centre.x), .number(centre.y)])))
            members.append(.init("radius_m", .number(radius)))
        }
        if let heights = obstacle.heights {
            members.append(.init("vertical_frame", .string(heights.frame.name)))
            members.append(.init("min_z_m", .number(heights.minimumZMetres)))
            members.append(.init("max_z_m", .number(heights.maximumZMetres)))
        }
        return .object(members)
    }

    private static func cornersJSON(_ corners: [SafetyArea.Corner]) -> JSONValue {
        .array(corners.map { .array([.number($0.x), .number($0.y)]) })
    }
}
