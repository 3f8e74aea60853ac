internal import UAVLink
internal import YAML

/// Reads the obstacles of a world file's safety area, in the current layout and in the oldest one.
enum WorldObstacles {
    /// The largest number of obstacles accepted.
    private static let maximumCount = 1_000

    // MARK: The current layout

    /// `present`, `count` and `obstacle_0`, `obstacle_1`, ...; they may stand in one mapping or in two, the obstacles in any order.
    ///
    /// With `present: false` the vehicle ignores what else is there.
    static func read(_ mappings: YAMLNode?...) throws(YAMLError) -> [SafetyArea.Obstacle] {
        var present: YAMLNode?
        var count: YAMLNode?
        var entries: [YAMLMapping.Entry] = []
        for mapping in mappings {
            guard let mapping, !mapping.isNull else { continue }
            present = present ?? mapping["present"]
            count = count ?? mapping["count"]
            entries += try mapping.mapping.entries.filter { !["present", "count"].contains($0.key) }
        }
        if let present, try !present.bool { return [] }
        let number = try count?.int ?? entries.count
        guard (0...maximumCount).contains(number) else {
            throw (count ?? present)?.unexpected("at most \(maximumCount) obstacles")
                ?? YAMLError(.unexpected, at: nil, "more than \(maximumCount) obstacles")
        }
        let names = (0..<number).map { "obstacle_\($0)" }
        for entry in entries where !names.contains(entry.key) {
            let ends = [names.first, names.count > 1 ? names.last : nil].compactMap(\.self)
            let known = ["present", "count"] + (ends.isEmpty ? [] : [ends.joined(separator: " to ")])
            let said = count == nil ? "" : " (count says \(number))"
            throw YAMLError(
                .unknownKey, at: entry.keyPosition,
                "unknown key '\(entry.key.sanitizedLine)' among the obstacles; known keys: "
                    + known.joined(separator: ", ") + said)
        }
        var found: [SafetyArea.Obstacle] = []
        for name in names {
            guard let entry = entries.first(where: { $0.key == name }) else {
                let announced = number == 1 ? "1 obstacle" : "\(number) obstacles"
                throw YAMLError(
                    .missing, at: (count ?? present)?.position,
                    "the file announces \(announced), but '\(name)' is missing")
            }
            found.append(try obstacle(entry.value, named: name))
        }
        // Not by its count: a file that announces obstacles and lists none lacks them.
        if let present, count == nil, found.isEmpty {
            throw YAMLError(
                .unexpected, at: present.position,
                "'present: true', but no obstacle follows: add 'obstacle_0', or write 'present: false'")
        }
        return found
    }

    /// How many obstacles are listed beside `present: false`.
    static func ignoredCount(_ mappings: YAMLNode?...) throws(YAMLError) -> Int {
        var (isPresent, count): (Bool?, Int) = (nil, 0)
        for mapping in mappings {
            guard let mapping, !mapping.isNull else { continue }
            if isPresent == nil, let present = mapping["present"] { isPresent = try present.bool }
            count += try mapping.mapping.entries.filter { !["present", "count"].contains($0.key) }.count
        }
        return isPresent == false ? count : 0
    }

    /// How many matrices of obstacles have values and are not enabled.
    static func ignoredMatrices(_ nodes: YAMLNode?...) throws(YAMLError) -> Int {
        var count = 0
        for case let node? in nodes where node.find("enabled") != nil {
            guard try !node.value("enabled").bool, let data = node.find("data"), !data.isNull else { continue }
            if try !data.sequence.isEmpty { count += 1 }
        }
        return count
    }

    private static func obstacle(_ node: YAMLNode, named name: String) throws(YAMLError) -> SafetyArea.Obstacle {
        try node.requireKeys(in: ["horizontal", "vertical"])
        let (horizontal, vertical) = (try node.value("horizontal"), try node.value("vertical"))
        try horizontal.requireKeys(in: ["frame_name", "points"])
        try vertical.requireKeys(in: ["frame_name", "min_z", "max_z"])
        let frame = try WorldFileReader.frameName(horizontal.value("frame_name"))
        let corners = try WorldFileReader.corners(
            horizontal.value("points"), isGeographic: frame == .latitudeLongitude)
        let (lowest, highest) = (try vertical.value("min_z"), try vertical.value("max_z"))
        let (low, high) = (try lowest.finiteDouble, try highest.finiteDouble)
        guard low < high else { throw highest.unexpected("a max_z above the min_z of \(low)") }
        return SafetyArea.Obstacle(
            name: name, horizontalFrame: frame, shape: .polygon(corners),
            heights: .init(
                frame: try WorldFileReader.frameName(vertical.value("frame_name")), minimumZMetres: low,
                maximumZMetres: high))
    }

    // MARK: The oldest layout

    /// `polygon_obstacles`: x of the corners of all polygons, then y of all; `point_obstacles`: x, y and radius of each.
    static func matrices(
        polygons: YAMLNode?, points: YAMLNode?, frame: FrameName
    ) throws(YAMLError) -> [SafetyArea.Obstacle] {
        var found: [SafetyArea.Obstacle] = []
        if let polygons, let matrix = try Matrix(polygons, rows: 2) {
            for (index, columns) in matrix.blocks.enumerated() {
                let count = columns.count / 2
                guard count >= 3 else { throw matrix.cols.unexpected("3 corners or more for each polygon") }
                var corners: [SafetyArea.Corner] = []
                for corner in 0..<count {
                    corners.append(try self.corner(columns[corner], columns[count + corner], frame: frame))
                }
                found.append(
                    .init(name: "polygon_obstacles \(index + 1)", horizontalFrame: frame, shape: .polygon(corners)))
            }
        }
        if let points, let matrix = try Matrix(points, rows: 1) {
            for (index, values) in matrix.blocks.enumerated() {
                guard values.count == 3 else { throw matrix.cols.unexpected("3 values for each point: x, y, radius") }
                let radius = try values[2].finiteDouble
                guard radius > 0 else { throw values[2].unexpected("a radius above 0 metres") }
                found.append(
                    .init(
                        name: "point_obstacles \(index + 1)", horizontalFrame: frame,
                        shape: .circle(
                            centre: try corner(values[0], values[1], frame: frame), radiusMetres: radius)))
            }
        }
        return found
    }

    private static func corner(
        _ x: YAMLNode, _ y: YAMLNode, frame: FrameName
    ) throws(YAMLError) -> SafetyArea.Corner {
        frame == .latitudeLongitude
            ? .init(x: try WorldFileReader.latitude(x), y: try WorldFileReader.longitude(y))
            : .init(x: try WorldFileReader.metres(x), y: try WorldFileReader.metres(y))
    }

    /// Matrices of the same number of rows, side by side: `data` has the first row of all of them, then the next row of all.
    ///
    /// So the flight stack reads them: `loadMatrixArray` in `mrs_lib/param_loader.h` maps `data` row by row to one matrix with the sum of
    /// `cols`, and cuts it into blocks of whole columns, in each version of that file since matrices can be listed.
    private struct Matrix {
        let cols: YAMLNode
        /// The values of each matrix, row by row.
        private(set) var blocks: [[YAMLNode]] = []

        /// `nil` if it is not enabled.
        init?(_ node: YAMLNode, rows: Int) throws(YAMLError) {
            try node.requireKeys(in: ["enabled", "data", "rows", "cols"])
            guard try node.value("enabled").bool else { return nil }
            let (data, given) = (try node.value("data"), try node.value("rows"))
            guard try given.int == rows else { throw given.unexpected("\(rows)") }
            cols = try node.value("cols")
            var widths: [Int] = []
            for width in try cols.sequence {
                let count = try width.int
                guard (1...WorldFileReader.maximumCorners).contains(count) else {
                    throw width.unexpected("a number of columns from 1 to \(WorldFileReader.maximumCorners)")
                }
                widths.append(count)
            }
            let (values, total) = (try data.sequence, widths.reduce(0, +))
            guard values.count == rows * total, widths.count <= maximumCount else {
                throw data.unexpected("\(rows) values for each column of \"cols\"")
            }
            var first = 0
            for width in widths {
                blocks.append((0..<rows).flatMap { values[($0 * total + first)...].prefix(width) })
                first += width
            }
        }
    }
}
