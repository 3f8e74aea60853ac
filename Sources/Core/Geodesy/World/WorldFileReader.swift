internal import UAVLink
internal import YAML

/// Reads world files.
///
/// Three layouts are supported: the current one (`mrs_uav_managers.safety_area_manager.safety_area`), the previous one
/// without the `safety_area_manager` level, and the oldest with all keys at the top level (`utm_origin_units`, a matrix
/// under `safety_area.safety_area`). Corners may be one flat list or pairs.
public enum WorldFileReader {
    /// The largest number of corners accepted.
    public static let maximumCorners = 10_000

    /// Parses the bytes of a world file.
    ///
    /// - Parameter source: the file's name, for errors.
    /// - Throws: ``GeodesyError`` that names the file, the line, what was found and what was expected.
    public static func read(_ bytes: some Collection<UInt8>, source: String) throws(GeodesyError) -> WorldFile {
        do throws(YAMLError) {
            let top = try YAMLReader.document(bytes, limits: YAMLLimits(bytes: 1 << 20, depth: 32, nodes: 100_000))
            let root = top.find("mrs_uav_managers") ?? top
            // What stands beside the managers is not read.
            if root != top { try UnknownLimits.refuse(in: top, known: ["mrs_uav_managers"]) }
            return WorldFile(origin: try origin(root), safetyArea: try safetyArea(root))
        } catch {
            throw GeodesyError(.worldFile, error.from(source).description)
        }
    }

    private static func origin(_ root: YAMLNode) throws(YAMLError) -> WorldFile.Origin {
        if root.find("world_origin") == nil, let old = root.find("utm_origin_units") {
            let isGeographic = try old.int == 1
            return isGeographic
                ? try geographic(root.value("utm_origin_lat"), root.value("utm_origin_lon"))
                : try grid(root.value("utm_origin_x"), root.value("utm_origin_y"))
        }
        let origin = try root.value("world_origin")
        let units = try origin.value("units")
        let (x, y) = (try origin.value("origin_x"), try origin.value("origin_y"))
        switch try units.string.uppercased() {
        case "LATLON": return try geographic(x, y)
        case "UTM": return try grid(x, y)
        default: throw units.unexpected("LATLON or UTM")
        }
    }

    /// A coordinate in metres; a hundred thousand kilometres are more than any frame of the vehicle has.
    static func metres(_ node: YAMLNode) throws(YAMLError) -> Double {
        let value = try node.finiteDouble
        guard abs(value) <= 1e8 else { throw node.unexpected("at most 100000000 metres") }
        return value
    }

    private static func geographic(_ x: YAMLNode, _ y: YAMLNode) throws(YAMLError) -> WorldFile.Origin {
        .geographic(
            GeographicCoordinate(latitudeDegrees: try latitude(x), longitudeDegrees: try longitude(y)))
    }

    private static func grid(_ x: YAMLNode, _ y: YAMLNode) throws(YAMLError) -> WorldFile.Origin {
        let (easting, northing) = (try x.finiteDouble, try y.finiteDouble)
        guard (0...1_000_000).contains(easting) else { throw x.unexpected("an easting from 0 to 1000000 metres") }
        guard (0...10_000_000).contains(northing) else { throw y.unexpected("a northing from 0 to 10000000 metres") }
        return .utm(eastingMetres: easting, northingMetres: northing)
    }

    static func latitude(_ node: YAMLNode) throws(YAMLError) -> Double {
        let value = try node.finiteDouble
        guard (-90...90).contains(value) else { throw node.unexpected("a latitude from -90 to 90 degrees") }
        return value
    }

    static func longitude(_ node: YAMLNode) throws(YAMLError) -> Double {
        let value = try node.finiteDouble
        guard (-180...180).contains(value) else { throw node.unexpected("a longitude from -180 to 180 degrees") }
        return value
    }

    private static func safetyArea(_ root: YAMLNode) throws(YAMLError) -> SafetyArea? {
        // What is there twice is read once only: the other one is as unknown as any key.
        let twice = ["safety_area", "obstacles"].filter { root.find("safety_area_manager", $0) != nil }
        try UnknownLimits.refuse(
            in: root, known: ["safety_area_manager", "safety_area", "obstacles"].filter { !twice.contains($0) })
        try root.find("safety_area_manager")?.requireKeys(in: ["safety_area", "obstacles"])
        // Beside the safety area, in whichever mapping that is.
        let beside = root.find("safety_area_manager", "obstacles") ?? root.find("obstacles")
        guard let area = root.find("safety_area_manager", "safety_area") ?? root.find("safety_area") else {
            if let beside, try !WorldObstacles.read(beside).isEmpty {
                throw beside.unexpected("a safety area that the obstacles belong to")
            }
            return nil
        }
        if let horizontal = area.find("horizontal") {
            let vertical = try area.value("vertical")
            try area.requireKeys(in: ["enabled", "horizontal", "vertical", "obstacles"])
            try horizontal.requireKeys(in: ["frame_name", "points"])
            try vertical.requireKeys(in: ["frame_name", "min_z", "max_z"])
            var made = try make(
                enabled: area.value("enabled"), frame: horizontal.value("frame_name"),
                points: horizontal.value("points"), verticalFrame: vertical.value("frame_name"),
                lowest: vertical.value("min_z"), highest: vertical.value("max_z"))
            made.obstacles = try WorldObstacles.read(area.find("obstacles"), beside)
            made.ignoredObstacleCount = try WorldObstacles.ignoredCount(area.find("obstacles"), beside)
            return made
        }
        try area.requireKeys(in: [
            "enabled", "use_safety_area", "frame_name", "points", "safety_area", "min_z", "min_height", "max_z",
            "max_height", "polygon_obstacles", "point_obstacles",
        ])
        var made = try make(
            enabled: either(area, "enabled", "use_safety_area"), frame: area.value("frame_name"),
            points: either(area, "points", "safety_area"), verticalFrame: nil,
            lowest: either(area, "min_z", "min_height"), highest: either(area, "max_z", "max_height"))
        made.obstacles = try WorldObstacles.matrices(
            polygons: area.find("polygon_obstacles"), points: area.find("point_obstacles"), frame: made.horizontalFrame)
        made.obstacles += try WorldObstacles.read(beside)
        made.ignoredObstacleCount =
            try WorldObstacles.ignoredCount(beside)
            + WorldObstacles.ignoredMatrices(area.find("polygon_obstacles"), area.find("point_obstacles"))
        return made
    }

    /// The value of a key, or of the key that older files use instead.
    private static func either(_ node: YAMLNode, _ key: String, _ older: String) throws(YAMLError) -> YAMLNode {
        if let found = node.find(key) { return found }
        return try node.value(older)
    }

    private static func make(
        enabled: YAMLNode, frame: YAMLNode, points: YAMLNode, verticalFrame: YAMLNode?, lowest: YAMLNode,
        highest: YAMLNode
    ) throws(YAMLError) -> SafetyArea {
        let horizontalFrame = try frameName(frame)
        let (low, high) = (try lowest.finiteDouble, try highest.finiteDouble)
        guard low < high else { throw highest.unexpected("a max_z above the min_z of \(low)") }
        var vertical = FrameName.worldOrigin
        if let verticalFrame { vertical = try frameName(verticalFrame) }
        return SafetyArea(
            isEnabled: try enabled.bool, horizontalFrame: horizontalFrame,
            corners: try corners(points, isGeographic: horizontalFrame == .latitudeLongitude), verticalFrame: vertical,
            minimumZMetres: low, maximumZMetres: high)
    }

    static func frameName(_ node: YAMLNode) throws(YAMLError) -> FrameName {
        let name = FrameName(try node.string)
        guard name.isValid, !name.name.isEmpty else {
            throw node.unexpected("a frame such as world_origin or latlon_origin")
        }
        return name
    }

    static func corners(_ node: YAMLNode, isGeographic: Bool) throws(YAMLError) -> [SafetyArea.Corner] {
        var numbers: [YAMLNode] = []
        for element in try node.sequence {
            guard case .sequence(let pair) = element.content else {
                numbers.append(element)
                continue
            }
            guard pair.count == 2 else { throw element.unexpected("a corner of two numbers") }
            numbers += pair
        }
        guard numbers.count.isMultiple(of: 2) else {
            throw node.unexpected("x and y of each corner, an even number of values")
        }
        guard (6...2 * maximumCorners).contains(numbers.count) else {
            throw node.unexpected("3 to \(maximumCorners) corners")
        }
        var corners: [SafetyArea.Corner] = []
        for index in stride(from: 0, to: numbers.count, by: 2) {
            let (x, y) = (numbers[index], numbers[index + 1])
            corners.append(
                isGeographic
                    ? .init(x: try latitude(x), y: try longitude(y))
                    : .init(x: try metres(x), y: try metres(y)))
        }
        return corners
    }
}
