internal import FlightControl
internal import MRS
internal import UAVLink

/// Formats watched topics, their fields as trees. A tree is built once per message.
struct TopicFormatter {
    private var trees: [String: (at: MonotonicTime, fields: [TelemetryTopic.Field])] = [:]

    mutating func topics(_ watched: [WatchedTopic], now: MonotonicTime) -> [TelemetryTopic] {
        if trees.count > watched.count { trees = trees.filter { entry in watched.contains { $0.name == entry.key } } }
        return watched.map { topic in
            TelemetryTopic(
                name: topic.name.sanitizedLine, status: status(topic, now).sanitizedLine, mark: mark(topic),
                fields: fields(of: topic))
        }
    }

    private mutating func fields(of topic: WatchedTopic) -> [TelemetryTopic.Field] {
        guard let reading = topic.reading else { return [] }
        if let known = trees[topic.name], known.at == reading.at { return known.fields }
        let fields = Self.tree(reading.value)
        trees[topic.name] = (reading.at, fields)
        return fields
    }

    private func status(_ watched: WatchedTopic, _ now: MonotonicTime) -> String {
        if let failure = watched.failure { return failure.description }
        guard let reading = watched.reading else { return watched.silence }
        var words = [reading.value.type]
        if let hertz = watched.hertz { words.append("\(Figures.hertz(hertz)) Hz") }
        if !watched.silence.isEmpty { words.append(watched.silence) }
        words.append(Figures.age(now - reading.at))
        return words.joined(separator: ", ")
    }

    private func mark(_ watched: WatchedTopic) -> TelemetrySeverity {
        if watched.failure != nil { return .danger }
        guard watched.reading != nil else { return .unknown }
        return watched.silence.isEmpty ? .plain : .warning
    }

    /// The fields with their nesting depth; each nested message gets its own line above its fields.
    static func tree(_ reading: TopicReading) -> [TelemetryTopic.Field] {
        var lines: [TelemetryTopic.Field] = []
        var open: [Substring] = []
        for field in reading.fields {
            let steps = Self.steps(field.path)
            guard let name = steps.last else { continue }
            let holders = steps.dropLast()
            let shared = zip(holders, open).prefix { $0 == $1 }.count
            for depth in shared..<max(shared, holders.count) {
                lines.append(.init(depth: depth, name: String(holders[depth]).sanitizedLine, value: ""))
            }
            lines.append(
                .init(depth: holders.count, name: String(name).sanitizedLine, value: field.value.sanitizedLine))
            open = steps
        }
        if reading.isShortened { lines.append(.init(depth: 0, name: "…", value: "truncated")) }
        return lines
    }

    /// `points[3].x` has the steps `points`, `[3]`, `x`.
    private static func steps(_ path: String) -> [Substring] {
        var steps: [Substring] = []
        for part in path.split(separator: ".") {
            guard let bracket = part.firstIndex(of: "[") else {
                steps.append(part)
                continue
            }
            if bracket > part.startIndex { steps.append(part[..<bracket]) }
            steps.append(part[bracket...])
        }
        return steps
    }
}
