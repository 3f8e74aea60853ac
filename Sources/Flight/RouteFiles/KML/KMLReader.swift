internal import Geodesy
internal import Trajectories

/// Reads KML 2.2, also without its outermost element: placemarks with points, lines, rings, polygons and tracks, in the order of the file.
///
/// The altitude reference is the geometry's `altitudeMode`: `clampToGround` (also the default) gives no altitude,
/// `relativeToGround` the ground, `absolute` mean sea level. Network links are never followed.
final class KMLReader: FileElementHandler {
    private var builder: RouteBuilder
    private var path: [String] = []
    private var placemark: Placemark?
    private var geometry: Geometry?
    private var dataName: String?
    private var polygonMode = ""
    private var hasRoot = false
    /// How many positions of the open placemark are not yet points of the route.
    private var pending = 0
    /// The first element that points do not hold.
    private var otherElement: String?

    private struct Placemark {
        var name = ""
        var data: [(key: String, text: String)] = []
        /// Extended data and elements of other programs, and where they are, for display.
        var properties: [(name: String, text: String, source: String)] = []
        var geometries: [Geometry] = []
    }

    private struct Geometry {
        let name: String
        let line: Int
        /// Whether it is the border of a polygon.
        let isArea: Bool
        var mode = ""
        /// Whether it belongs to a polygon that is still open.
        var isRing = false
        var positions: [KMLCoordinates.Position] = []
    }

    /// The most files of an archive that are named.
    private static let mostNames = 20

    /// Reads the main document of an archive; of the other files that may have points there is a warning each.
    static func read(archive bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        let main = try KMZArchive.document(bytes, source: source)
        let reader = KMLReader(source: source, limit: limit)
        for name in main.others.prefix(mostNames) {
            reader.builder.note("'\(name)' is left out: of the archive only '\(main.name)' is read")
        }
        if main.others.count > mostNames {
            reader.builder.note("\(main.others.count - mostNames) more files of the archive are left out")
        }
        return try reader.read(main.bytes)
    }

    static func read(_ bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        try KMLReader(source: source, limit: limit).read(bytes)
    }

    private func read(_ bytes: [UInt8]) throws(RouteFileError) -> ReadRoute {
        try XMLFile.read(bytes, source: builder.source, handler: self)
        if let otherElement { builder.addExtra("elements such as \(RouteFileError.shown(otherElement))") }
        return builder.finished()
    }

    private init(source: String, limit: Int) { builder = RouteBuilder(source: source, limit: limit) }

    /// Some programs write a part of KML alone.
    private static let roots: Set<String> = ["kml", "Document", "Folder", "Placemark"]
    private static let geometries: Set<String> = ["Point", "LineString", "LinearRing", "Track"]
    /// The elements that points hold, or that have a warning of their own.
    private static let held = roots.union(geometries).union([
        "name", "coordinates", "coord", "altitudeMode", "ExtendedData", "Data", "value", "Polygon", "MultiGeometry",
        "outerBoundaryIs", "innerBoundaryIs", "NetworkLink", "Model", "PhotoOverlay", "GroundOverlay", "ScreenOverlay",
        "Tour",
    ])

    func start(_ element: FileElement) throws(RouteFileError) {
        if !hasRoot {
            hasRoot = true
            guard Self.roots.contains(element.name) else {
                throw RouteFileError(
                    builder.source, line: element.line,
                    "found the element \(RouteFileError.shown(element.name)), expected kml")
            }
        }
        path.append(element.name)
        if otherElement == nil, !Self.held.contains(element.name) { otherElement = element.name }
        switch element.name {
        case "Placemark": placemark = Placemark()
        case "NetworkLink": builder.note("a network link is not followed")
        case "SimpleData", "SimpleArrayData": dataName = element.attribute("name")
        case "Data":
            dataName = element.attribute("name")
            if Self.own(dataName ?? "").isEmpty { builder.addExtra("extended data") }
        case "Model", "PhotoOverlay", "GroundOverlay", "ScreenOverlay", "Tour":
            builder.note("\(element.name) is left out")
        case let name where Self.geometries.contains(name):
            if path.contains("innerBoundaryIs") {
                builder.note("the holes of a polygon are left out")
            } else {
                let isArea = path.contains("Polygon")
                geometry = Geometry(name: name, line: element.line, isArea: isArea, isRing: isArea)
            }
        default: break
        }
    }

    func end(_ name: String, text: String, line: Int) throws(RouteFileError) {
        _ = path.popLast()
        let parent = path.last
        switch name {
        case "name":
            if parent == "Placemark" { placemark?.name = XMLText.trimmed(text) }
            if parent == "Document", builder.route.name.isEmpty { builder.route.name = XMLText.trimmed(text) }
        case "value":
            guard let dataName else { break }
            if parent == "Data", !Self.own(dataName).isEmpty {
                placemark?.data.append((Self.own(dataName), XMLText.trimmed(text)))
            } else if parent == "Data" {
                property(dataName, text, "extended data")
            } else if parent == "SimpleArrayData" {
                // One for each position of a track.
                builder.leaveOut(property: dataName, text, source: "extended data \(RouteFileError.shown(dataName))")
            }
        case "SimpleData":
            if let dataName { property(dataName, text, "extended data") }
            dataName = nil
        case "Data", "SimpleArrayData": dataName = nil
        case "angles" where parent == "Track":
            if !XMLText.trimmed(text).isEmpty {
                builder.omit("the angles of a track are left out, and the route is flown without them")
            }
        case "altitudeMode":
            if parent == "Polygon" {
                polygonMode = XMLText.trimmed(text)
            } else {
                geometry?.mode = XMLText.trimmed(text)
            }
        case "Polygon":
            // A polygon has its mode next to its rings, before or after them.
            for index in (placemark?.geometries ?? []).indices where placemark?.geometries[index].isRing == true {
                placemark?.geometries[index].mode = polygonMode
                placemark?.geometries[index].isRing = false
            }
            polygonMode = ""
        case "finishAction", "flyToWaylineMode", "executeRCLostAction", "exitOnRCLost":
            setting(name, XMLText.trimmed(text))
        case "coordinates": try coordinates(text, line: line)
        case "coord": try track(text, line: line)
        case let name where Self.geometries.contains(name):
            guard let done = geometry, done.name == name else { break }
            geometry = nil
            if placemark == nil {
                builder.omit("a geometry outside of a placemark is left out")
                pending -= done.positions.count
            } else {
                placemark?.geometries.append(done)
            }
        case "Placemark":
            if let done = placemark { try append(done, line: line) }
            (placemark, pending) = (nil, 0)
        case let name where !Self.held.contains(name): foreign(name, text)
        default: break
        }
    }

    /// What a mission of DJI does before, after and beside its points.
    private func setting(_ name: String, _ text: String) {
        if text.isEmpty || text == "noAction" { return }
        let said = "\(name) \(RouteFileError.shown(text)) is left out"
        if name == "finishAction", text != "autoLand" {
            builder.omit("\(said): the trajectory ends at the last point")
        } else {
            builder.note(said)
        }
    }

    /// The elements of KML whose content says nothing of the route: views, styles, and what is left out with a warning.
    private static let views: Set<String> = [
        "LookAt", "Camera", "Style", "StyleMap", "IconStyle", "LabelStyle", "LineStyle", "PolyStyle", "BalloonStyle",
        "ListStyle", "Region", "LatLonAltBox", "LatLonBox", "Lod", "NetworkLink", "NetworkLinkControl", "Model",
        "PhotoOverlay", "GroundOverlay", "ScreenOverlay", "Tour",
    ]

    /// An element that may be of another program, however deep it stands: a speed everywhere, all else outside of views.
    private func foreign(_ name: String, _ text: String) {
        let isSpeed = if case .speed = builder.meaning(of: name) { true } else { false }
        if isSpeed || Self.views.isDisjoint(with: path) { property(name, text, "element") }
    }

    /// What says something of a placemark, or of the whole file.
    private func property(_ name: String, _ text: String, _ kind: String) {
        if case .none = builder.meaning(of: name) { return }
        let source = "\(kind) \(RouteFileError.shown(name))"
        if let count = placemark?.properties.count, count < Self.maximumProperties {
            placemark?.properties.append((name, text, source))
        } else {
            builder.leaveOut(property: name, text, source: source)
        }
    }

    /// Each is applied to each position of its placemark.
    private static let maximumProperties = 16

    private static func own(_ name: String) -> String {
        name.hasPrefix("uavlink_") ? String(name.dropFirst("uavlink_".count)) : ""
    }

    private func coordinates(_ text: String, line: Int) throws(RouteFileError) {
        guard geometry != nil else { return }
        do throws(RouteFileError) {
            let read = try KMLCoordinates.read(text, remaining: builder.remaining - pending, limit: builder.limit)
            geometry?.positions += read
            pending += read.count
        } catch { throw error.at(builder.source, line: line) }
    }

    /// A track separates numbers by blanks instead of commas.
    private func track(_ text: String, line: Int) throws(RouteFileError) {
        guard geometry?.name == "Track" else { return }
        let commas = text.split { $0 == " " || $0 == "\t" || $0.isNewline }.joined(separator: ",")
        try coordinates(commas, line: line)
    }

    private func append(_ placemark: Placemark, line: Int) throws(RouteFileError) {
        if placemark.geometries.allSatisfy(\.positions.isEmpty) {
            return builder.note("a placemark without coordinates is left out")
        }
        for geometry in placemark.geometries {
            let reference = try reference(geometry)
            for position in geometry.positions {
                var point = RoutePoint(place: .geographic(position.place), name: placemark.name)
                if let metres = position.altitude {
                    if let reference {
                        point.altitude = .init(metres: metres, reference: reference)
                    } else if metres != 0 {
                        builder.note("heights with altitudeMode clampToGround are left out: altitudes are missing")
                    }
                }
                for property in placemark.properties {
                    builder.take(property: property.name, property.text, source: property.source, to: &point)
                }
                do throws(RouteFileError) { try PointAnnotations.apply(placemark.data, to: &point) } catch {
                    throw error.at(builder.source, line: line)
                }
                try builder.append(point, line: line)
            }
            let kind: DrawnParts.Kind = geometry.isArea ? .polygon : geometry.name == "Point" ? .points : .line
            builder.drawn.add(kind, points: geometry.positions.count)
        }
    }

    private func reference(_ geometry: Geometry) throws(RouteFileError) -> RoutePoint.AltitudeReference? {
        switch geometry.mode {
        case "", "clampToGround", "clampToSeaFloor": return nil
        case "relativeToGround", "relativeToSeaFloor": return .ground
        case "absolute": return .meanSeaLevel
        default:
            throw RouteFileError(
                builder.source, line: geometry.line,
                "altitudeMode: found \(RouteFileError.shown(geometry.mode)), expected clampToGround, relativeToGround or absolute"
            )
        }
    }
}
