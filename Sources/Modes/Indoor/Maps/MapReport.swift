internal import PointCloud
package import ReportKit
internal import RouteFlight
internal import UAVLink

/// The report on a map, as text and as JSON.
package struct MapReport: Sendable {
    private let map: IndoorMap

    /// A report on a map.
    package init(_ map: IndoorMap) { self.map = map }

    /// The report as JSON; scripts rely on its keys.
    package var json: JSONValue {
        .object([
            .init("file", .string(map.source)), .init("format", .string(map.format.rawValue)),
            .init("points", JSONValue(map.readPoints)), .init("kept_points", JSONValue(map.cloud.count)),
            .init("dropped_points", JSONValue(map.droppedPoints)),
            .init("min_m", Self.corner(map.bounds?.minimum)), .init("max_m", Self.corner(map.bounds?.maximum)),
            .init("viewpoint_m", Self.corner(map.cloud.viewpoint)),
            .init("layers", .array((0..<map.layers.count).map(layer))),
            .init("notes", .array(map.notes.map { .string($0) })),
        ])
    }

    /// The JSON object of one layer, as in ``json``; `null` for an index out of range.
    package func layer(_ index: Int) -> JSONValue {
        guard map.layers.ranges.indices.contains(index) else { return .null }
        return .object([
            .init("layer", JSONValue(index + 1)), .init("points", JSONValue(map.layers.ranges[index].count)),
            .init("min_z_m", .number(map.layers.borders[index])),
            .init("max_z_m", .number(map.layers.borders[index + 1])),
        ])
    }

    /// The report as lines of text.
    package var lines: [String] {
        var lines = [
            "\(map.source.sanitizedLine): \(map.readPoints.counted("point")) (\(map.format.rawValue))"
                + (map.droppedPoints > 0 ? ", \(map.droppedPoints) more without valid coordinates" : "")
        ]
        lines += map.notes.map { "note: \($0.sanitizedLine)" }
        if map.cloud.count != map.readPoints { lines.append("thinned to \(map.cloud.count.counted("point"))") }
        guard let bounds = map.bounds else { return lines }
        for (axis, low, high) in [
            ("x", bounds.minimum.x, bounds.maximum.x), ("y", bounds.minimum.y, bounds.maximum.y),
            ("z", bounds.minimum.z, bounds.maximum.z),
        ] {
            lines.append(
                "\(axis) from \(low.formatted(decimals: 3)) to \(high.formatted(decimals: 3)) m "
                    + "(\((high - low).formatted(decimals: 3)) m)")
        }
        lines.append(
            map.cloud.viewpoint.map { "seen from \(InspectionText.place($0)) m" } ?? "seen from: not in the file")
        var table = TextTable([
            .init("layer", .right), .init("from", .right), .init("to", .right), .init("points", .right),
        ])
        for index in (0..<map.layers.count).reversed() {
            table.rows.append([
                "\(index + 1)", map.layers.borders[index].formatted(decimals: 2) + " m",
                map.layers.borders[index + 1].formatted(decimals: 2) + " m", "\(map.layers.ranges[index].count)",
            ])
        }
        return lines + table.text.split(separator: "\n").map(String.init)
    }

    private static func corner(_ place: Vector3?) -> JSONValue {
        place.map { .array([.number($0.x), .number($0.y), .number($0.z)]) } ?? .null
    }
}
