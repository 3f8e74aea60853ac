/// Reads OpenStreetMap extracts (XML, version 0.6): ways with tags, and towers. Relations are left out with a warning; their
/// ways are read by their own tags.
final class OSMReader: FileElementHandler {
    private struct Node {
        let id: Int64
        let latitude: Double
        let longitude: Double
    }

    private let source: String
    private var collector = OSMCollector()
    private var tags: [String: String] = [:]
    private var way: [Int64] = []
    private var node: Node?
    private var inside = ""
    private var hasRoot = false

    static func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> MapFeatures {
        let reader = OSMReader(source: source)
        try XMLFile.read(bytes, source: source, handler: reader)
        return reader.collector.finished()
    }

    private init(source: String) { self.source = source }

    func start(_ element: FileElement) throws(RouteFileError) {
        if !hasRoot {
            hasRoot = true
            guard element.name == "osm" else {
                throw RouteFileError(
                    source, line: element.line, "found the element \(RouteFileError.shown(element.name)), expected osm")
            }
        }
        switch element.name {
        case "node": try begin(node: element)
        case "way": (way, tags, inside) = ([], [:], "way")
        case "relation":
            (tags, inside) = ([:], "relation")
            collector.relation()
        case "nd" where inside == "way": try corner(element)
        case "tag" where inside == "way" || inside == "node":
            guard let key = element.attribute("k"), let value = element.attribute("v"), tags.count < 256 else { break }
            tags[key] = value
        default: break
        }
    }

    private func begin(node element: FileElement) throws(RouteFileError) {
        (tags, inside) = ([:], "node")
        guard let id = element.attribute("id").flatMap({ Int64($0) }),
            let latitude = element.attribute("lat").flatMap({ PlainNumber.double($0) }),
            let longitude = element.attribute("lon").flatMap({ PlainNumber.double($0) })
        else {
            throw RouteFileError(source, line: element.line, "a node lacks id, lat or lon, or they are not numbers")
        }
        node = Node(id: id, latitude: latitude, longitude: longitude)
    }

    private func corner(_ element: FileElement) throws(RouteFileError) {
        guard let reference = element.attribute("ref").flatMap({ Int64($0) }) else {
            throw RouteFileError(source, line: element.line, "a node of a way has no ref, or it is not a number")
        }
        // One more than the limit is enough for it to be refused.
        if way.count <= OSMCollector.maximumNodesOfWay { way.append(reference) }
    }

    func end(_ name: String, text: String, line: Int) throws(RouteFileError) {
        do throws(RouteFileError) {
            switch name {
            case "node":
                guard let done = node else { break }
                (node, inside) = (nil, "")
                try collector.node(done.id, latitude: done.latitude, longitude: done.longitude, tags: tags)
            case "way":
                inside = ""
                try collector.way(way, tags: tags)
            case "relation": inside = ""
            default: break
            }
        } catch { throw error.at(source, line: line) }
    }
}
