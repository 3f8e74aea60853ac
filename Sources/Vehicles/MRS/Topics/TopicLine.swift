internal import ReportKit
internal import UAVLink
internal import YAML

/// An update of a topic as a line of JSON, printed by `uavlink-companion topic` on the vehicle and parsed on the
/// ground.
///
/// ```
/// {"topic": "/uav1/x", "type": "a/B", "hertz": 10.2, "shortened": false, "fields": {"pose.x": "1.5", ...}}
/// {"topic": "/uav1/x", "silent": "not published", "hertz": 0}
/// {"topic": "/uav1/x", "error": "no ROS master", "hint": "start it", "code": "rosMasterUnreachable"}
/// {"topic": "/uav1/x", "type": "a/B"}     in a list of published topics
/// ```
public enum TopicLine {
    /// The longest path of a field; a field with a longer one is left out.
    private static let pathBytes = 256
    private static let limits = YAMLLimits(bytes: TopicLimits.lineBytes, depth: 4, nodes: 4 * TopicLimits.fields)

    /// A line without its newline; at most ``TopicLimits/lineBytes``.
    public static func text(_ update: TopicUpdate, of topic: String) -> String {
        var members: [JSONValue.Member] = [.init("topic", .string(topic))]
        switch update {
        case .silent(let why, let hertz):
            members += [.init("silent", .string(why)), .init("hertz", JSONValue(hertz))]
        case .failed(let error):
            members += [
                .init("error", .string(error.what)), .init("hint", .string(error.hint)),
                .init("code", .string(error.code.rawValue)),
            ]
        case .reading(let reading):
            let (fields, isCut) = fitting(reading.fields)
            members += [
                .init("type", .string(reading.type)), .init("hertz", JSONValue(reading.hertz)),
                .init("shortened", .bool(reading.isShortened || isCut)), .init("fields", .object(fields)),
            ]
        }
        return JSONValue.object(members).text
    }

    /// A line of the list of published topics.
    public static func text(_ topic: PublishedTopic) -> String {
        let value: JSONValue = ["topic": .string(topic.name), "type": .string(topic.type)]
        return value.text
    }

    /// As many fields as are sure to fit; escaping expands a byte to at most six.
    private static func fitting(_ fields: [TopicField]) -> ([JSONValue.Member], isCut: Bool) {
        var remaining = TopicLimits.lineBytes - 4096
        var members: [JSONValue.Member] = []
        for field in fields {
            guard field.path.utf8.count <= pathBytes else { continue }
            let value = String(field.value.prefix(TopicLimits.characters))
            remaining -= 6 * (field.path.utf8.count + value.utf8.count) + 8
            guard remaining >= 0 else { return (members, true) }
            members.append(.init(field.path, .string(value)))
        }
        return (members, members.count < fields.count)
    }

    /// Parses a line about a topic; `nil` for anything else, such as a greeting of the vehicle's shell.
    public static func update(in line: String) -> TopicUpdate? {
        guard let node = object(in: line) else { return nil }
        let hertz = try? node.find("hertz")?.finiteDouble
        if let what = text("error", of: node) {
            let code = text("code", of: node).flatMap(LinkError.Code.init(rawValue:)) ?? .remoteFailed
            return .failed(LinkError(code, what, hint: text("hint", of: node) ?? ""))
        }
        if let why = text("silent", of: node) { return .silent(why, hertz: hertz) }
        guard let type = text("type", of: node), let list = node.find("fields"),
            case .mapping(let mapping) = list.content
        else { return nil }
        let fields = mapping.entries.prefix(TopicLimits.fields).compactMap { entry -> TopicField? in
            guard case .scalar(let value, _) = entry.value.content else { return nil }
            return TopicField(path: entry.key, value: String(value.prefix(TopicLimits.characters + 1)))
        }
        let isShortened = (try? node.find("shortened")?.bool) ?? false
        return .reading(TopicReading(type: type, fields: fields, isShortened: isShortened, hertz: hertz))
    }

    /// Parses a line of the list of published topics.
    public static func published(in line: String) -> PublishedTopic? {
        guard let node = object(in: line), let name = text("topic", of: node), let type = text("type", of: node) else {
            return nil
        }
        return PublishedTopic(name: name, type: type)
    }

    /// JSON is a subset of YAML.
    private static func object(in line: String) -> YAMLNode? {
        guard line.hasPrefix("{"), let node = try? YAMLReader.document(line, limits: limits),
            case .mapping = node.content
        else { return nil }
        return node
    }

    private static func text(_ key: String, of node: YAMLNode) -> String? {
        guard case .scalar(let text, isPlain: false) = node.find(key)?.content else { return nil }
        return text
    }
}
