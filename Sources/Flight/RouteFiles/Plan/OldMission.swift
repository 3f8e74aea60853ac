internal import JSON

/// Rewrites missions as QGroundControl saved them before its plans (`.mission`, version 1.0 and 2) into a plan.
///
/// Version 1.0 has `param1` to `param4` and a `coordinate` in each item, version 2 four `params` and a `coordinate`
/// (https://docs.qgroundcontrol.com/master/en/qgc-dev-guide/file_formats/plan.html, MissionManager of version 3.1).
struct OldMission {
    private let document: JSONDocument

    /// Whether an object is such a mission: a plan has a file type instead.
    static func isOne(_ document: JSONDocument) -> Bool {
        document.find("fileType", in: document.root) == nil && document.find("items", in: document.root) != nil
            && keys.contains { document.find($0, in: document.root) != nil }
    }

    /// The keys of which such a mission has one and no GeoJSON has any.
    static let keys = ["MAV_AUTOPILOT", "groundStation", "plannedHomePosition"]

    private static let own = [
        "MAV_AUTOPILOT", "version", "items", "complexItems", "plannedHomePosition", "mission", "fileType",
    ]
    private static let ofMission = ["cruiseSpeed", "hoverSpeed", "firmwareType", "vehicleType"]

    /// The same mission as a plan.
    ///
    /// - Throws: ``RouteFileError`` that names the place.
    static func plan(_ document: JSONDocument) throws(RouteFileError) -> JSONDocument {
        let mission = OldMission(document: document)
        return JSONDocument(source: document.source, bytes: document.bytes, root: try mission.root())
    }

    private func root() throws(RouteFileError) -> JSONNode {
        let root = document.root
        var items: [JSONNode] = []
        for item in try document.array(document.value("items", in: root), "a list of items") {
            items.append(try self.item(item))
        }
        if let complex = document.find("complexItems", in: root), !complex.isNull {
            for item in try document.array(complex, "a list of items") { items.append(complexItem(item)) }
        }
        var mission = [JSONMember(key: "items", value: node(.array(items), root))]
        if let home = try home() { mission.append(JSONMember(key: "plannedHomePosition", value: home)) }
        var members = [JSONMember(key: "fileType", value: node(.string("Plan"), root))]
        // What is not known there is not known in a plan either.
        for member in try document.object(root) where !Self.own.contains(member.key) {
            if Self.ofMission.contains(member.key) { mission.append(member) } else { members.append(member) }
        }
        members.append(JSONMember(key: "mission", value: node(.object(mission), root)))
        return node(.object(members), root)
    }

    /// Version 1.0 has the home position as an item. A home at altitude 0 is what was saved if it was not known.
    private func home() throws(RouteFileError) -> JSONNode? {
        guard let found = document.find("plannedHomePosition", in: document.root), !found.isNull else { return nil }
        let place = document.find("coordinate", in: found) ?? found
        let values = try document.array(place, "latitude, longitude and altitude")
        guard values.count == 3, case .number(0) = values[2].content else { return place }
        return nil
    }

    private func item(_ item: JSONNode) throws(RouteFileError) -> JSONNode {
        var parameters: [JSONNode]
        let command = try document.number(document.value("command", in: item, "an item"), "a command's number")
        if let list = document.find("params", in: item) {
            parameters = try document.array(list, "four parameters")
        } else {
            parameters = (1...4).map { document.find("param\($0)", in: item) ?? node(.null, item) }
            // Version 1.0 has no way to say that a waypoint has no heading but 0.
            if command == 16 || command == 82, case .number(0) = parameters[3].content {
                parameters[3] = node(.null, item)
            }
        }
        if parameters.count == 4 {
            let place = document.find("coordinate", in: item)
            let values = try place.map { (place) throws(RouteFileError) in
                try document.array(place, "latitude, longitude and altitude")
            }
            guard let values else { throw document.missing("coordinate", in: item) }
            guard values.count == 3 else {
                throw document.unexpected(place ?? item, "latitude, longitude and altitude")
            }
            parameters += values
        }
        var members = [
            JSONMember(key: "type", value: node(.string("SimpleItem"), item)),
            JSONMember(key: "params", value: node(.array(parameters), item)),
        ]
        // The others as they are: what is not known in a plan is not known here either.
        for member in try document.object(item) where !["type", "params", "coordinate"].contains(member.key) {
            members.append(member)
        }
        return node(.object(members), item)
    }

    /// It is flown where its items stand in the list above; none is in this list.
    private func complexItem(_ item: JSONNode) -> JSONNode {
        let kind = document.find("complexItemType", in: item) ?? document.find("name", in: item)
        return node(
            .object([
                JSONMember(key: "type", value: node(.string("ComplexItem"), item)),
                JSONMember(key: "complexItemType", value: kind ?? node(.string("complex item"), item)),
            ]), item)
    }

    private func node(_ content: JSONNode.Content, _ place: JSONNode) -> JSONNode {
        JSONNode(content: content, offset: place.offset)
    }
}
