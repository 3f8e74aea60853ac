internal import JSON
internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Reads the geofence of a QGroundControl plan: version 2 with lists of circles and polygons, version 1 with one polygon.
struct PlanFence {
    private let document: JSONDocument
    /// A fence of more areas or corners is no fence.
    private static let largest = 1_000

    /// The fence; without areas if the plan has none. A key or version that is not known is an error: it may limit the flight.
    static func read(_ node: JSONNode, _ document: JSONDocument) throws(RouteFileError) -> Geofence {
        let reader = PlanFence(document: document)
        try reader.requireKeys(
            in: node, ["version", "circles", "polygons", "polygon", "breachReturn", "parameters"], versions: [1, 2],
            "the geofence")
        var areas: [Geofence.Area] = []
        for circle in try reader.list("circles", in: node) { areas.append(try reader.circle(circle)) }
        for polygon in try reader.list("polygons", in: node) { areas.append(try reader.polygon(polygon)) }
        let single = try reader.list("polygon", in: node)
        if !single.isEmpty {
            areas.append(Geofence.Area(.polygon(try reader.corners(single, node)), isInclusion: true))
        }
        return Geofence(areas)
    }

    /// Keys with `null` say nothing.
    private func requireKeys(
        in node: JSONNode, _ keys: [String], versions: [Double], _ what: String
    ) throws(RouteFileError) {
        for member in try document.object(node, what) where !keys.contains(member.key) && !member.value.isNull {
            throw document.error(
                at: member.value,
                "unknown key '\(member.key.sanitizedLine)' in \(what), which may limit where the vehicle may fly; known keys: "
                    + keys.joined(separator: ", "))
        }
        guard let version = document.find("version", in: node), !version.isNull else { return }
        guard versions.contains(try document.number(version)) else {
            let known = versions.map(PlainNumber.text).joined(separator: " or ")
            throw document.unexpected(version, "version \(known) of \(what)")
        }
    }

    private func list(_ key: String, in node: JSONNode) throws(RouteFileError) -> [JSONNode] {
        guard let found = document.find(key, in: node), !found.isNull else { return [] }
        let elements = try document.array(found)
        guard elements.count <= Self.largest else {
            throw document.unexpected(found, "at most \(Self.largest) elements")
        }
        return elements
    }

    private func circle(_ node: JSONNode) throws(RouteFileError) -> Geofence.Area {
        try requireKeys(in: node, ["circle", "inclusion", "version"], versions: [1], "a circle of the geofence")
        let circle = try document.value("circle", in: node, "a circle of the geofence")
        try requireKeys(in: circle, ["center", "radius"], versions: [], "a circle of the geofence")
        let centre = try place(document.value("center", in: circle, "a circle of the geofence"))
        let radiusNode = try document.value("radius", in: circle, "a circle of the geofence")
        let radius = try document.number(radiusNode, "a radius in metres")
        guard radius > 0, radius < 1e6 else { throw document.unexpected(radiusNode, "a radius in metres") }
        return Geofence.Area(.circle(centre: centre, radiusMetres: radius), isInclusion: try isInclusion(node))
    }

    private func polygon(_ node: JSONNode) throws(RouteFileError) -> Geofence.Area {
        try requireKeys(in: node, ["polygon", "inclusion", "version"], versions: [1], "a polygon of the geofence")
        let list = try document.value("polygon", in: node, "a polygon of the geofence")
        return Geofence.Area(
            .polygon(try corners(document.array(list), list)), isInclusion: try isInclusion(node))
    }

    private func corners(_ nodes: [JSONNode], _ list: JSONNode) throws(RouteFileError) -> [GeographicCoordinate] {
        guard (3...Self.largest).contains(nodes.count) else {
            throw document.unexpected(list, "a polygon of at least 3 corners")
        }
        var corners: [GeographicCoordinate] = []
        for node in nodes { corners.append(try place(node)) }
        return corners
    }

    private func place(_ node: JSONNode) throws(RouteFileError) -> GeographicCoordinate {
        let values = try document.array(node, "latitude and longitude")
        guard values.count >= 2 else { throw document.unexpected(node, "latitude and longitude") }
        let (latitude, longitude) = (try document.number(values[0]), try document.number(values[1]))
        do throws(RouteFileError) {
            return try GeographicPlace.make(longitude: longitude, latitude: latitude).get()
        } catch { throw document.error(at: node, error.what) }
    }

    private func isInclusion(_ node: JSONNode) throws(RouteFileError) -> Bool {
        guard let found = document.find("inclusion", in: node) else { return true }
        guard case .bool(let value) = found.content else { throw document.unexpected(found, "true or false") }
        return value
    }
}
