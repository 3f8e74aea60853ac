internal import JSON
internal import UAVLink

/// Reads missions as text (`QGC WPL 110`), as Mission Planner and older programs write them in `.waypoints` files, as the items
/// of a plan.
///
/// Each line has twelve values: number, current, frame, command, four parameters, latitude, longitude, altitude and
/// autocontinue (https://mavlink.io/en/file_formats/). The first one is the home position, which Mission Planner always
/// writes.
struct MissionText {
    private static let start = Array("QGC WPL".utf8)
    private static let version = "QGC WPL 110"

    static func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: start) }

    /// The items of a mission, and warnings.
    ///
    /// - Parameters:
    ///   - limit: how many items are accepted.
    ///   - points: how many of them may be points of the route.
    static func read(
        _ bytes: [UInt8], source: String, limit: Int, points: Int
    ) throws(RouteFileError) -> (document: JSONDocument, notes: [String]) {
        var (items, notes): ([JSONNode], [String]) = ([], [])
        var home: [Double?] = []
        var number = 0
        var found = 0
        var isFirst = true
        for line in TextLines(bytes) {
            number += 1
            guard line.count <= 1 << 16 else {
                throw RouteFileError(
                    source, line: number, "found a line of \(line.count) bytes, expected at most \(1 << 16)")
            }
            let text = XMLText.trimmed(String(decoding: line, as: UTF8.self))
            if text.isEmpty { continue }
            if isFirst {
                isFirst = false
                guard text == version else {
                    throw RouteFileError(
                        source, line: number,
                        "found \(RouteFileError.shown(text.prefix(20))), expected \(version); open the mission in Mission"
                            + " Planner or QGroundControl, and save it again")
                }
                continue
            }
            let cells = text.split { $0 == "\t" || $0 == " " }
            guard cells.count == 12 else {
                throw RouteFileError(source, line: number, "found \(cells.count) values, expected 12")
            }
            var values: [Double?] = []
            for cell in cells {
                let value = PlainNumber.double(cell)
                guard value != nil || cell.lowercased() == "nan" else {
                    throw RouteFileError(
                        source, line: number,
                        "found \(RouteFileError.shown(cell)), expected a number with a decimal point")
                }
                values.append(value)
            }
            if items.isEmpty, notes.isEmpty, values[0] == 0, values[2] == 0, values[3] == 16 {
                notes.append("the first item is taken as the home position, and left out")
                home = Array(values[8..<11])
                continue
            }
            guard items.count < limit else {
                throw RouteFileError(source, line: number, "found another item, expected at most \(limit)")
            }
            if let command = values[3], Int(exactly: command).flatMap(MissionCommand.init(rawValue:))?.isPoint == true {
                found += 1
                guard found <= points else {
                    throw RouteFileError(source, line: number, "found another point, expected at most \(points)")
                }
            }
            items.append(item(values, offset: line.startIndex))
        }
        return (JSONDocument(source: source, bytes: bytes, root: plan(items, home: home)), notes)
    }

    private static func item(_ values: [Double?], offset: Int) -> JSONNode {
        func node(_ content: JSONNode.Content) -> JSONNode { JSONNode(content: content, offset: offset) }
        func number(_ value: Double?) -> JSONNode { node(value.map { .number($0) } ?? .null) }
        var parameters = Array(values[4..<11])
        // ArduPilot has no yaw in its waypoints, and Mission Planner writes 0.
        if values[3] == 16 || values[3] == 82, parameters[3] == 0 { parameters[3] = nil }
        return node(
            .object([
                JSONMember(key: "type", value: node(.string("SimpleItem"))),
                JSONMember(key: "frame", value: number(values[2])),
                JSONMember(key: "command", value: number(values[3])),
                JSONMember(key: "params", value: node(.array(parameters.map(number)))),
                JSONMember(key: "autoContinue", value: node(.bool(values[11] != 0))),
            ]))
    }

    private static func plan(_ items: [JSONNode], home: [Double?]) -> JSONNode {
        func node(_ content: JSONNode.Content) -> JSONNode { JSONNode(content: content, offset: 0) }
        var mission = [JSONMember(key: "items", value: node(.array(items)))]
        // A home at altitude 0 is what programs write that do not know it.
        if home.count == 3, home[2] != 0 {
            let values = home.map { node($0.map { .number($0) } ?? .null) }
            mission.append(JSONMember(key: "plannedHomePosition", value: node(.array(values))))
        }
        return node(
            .object([
                JSONMember(key: "fileType", value: node(.string("Plan"))),
                JSONMember(key: "mission", value: node(.object(mission))),
            ]))
    }
}
