internal import TextScreen

/// The rows of an added topic in its panel: its name with its status, and its fields.
struct TopicRows {
    /// Columns left of a status below its name.
    static let statusIndent = 4
    /// The most rows of a status: an error of the vehicle may be long.
    private static let statusRows = 6

    let topic: TelemetryTopic
    /// The columns of the panel.
    let columns: Int

    /// The status in whole words below the name; empty where it fits beside the name.
    var statusBelow: [String] {
        guard topic.name.cells + topic.status.cells + 4 > columns else { return [] }
        return topic.status.wrapped(to: max(1, columns - Self.statusIndent), atMost: Self.statusRows)
    }

    /// How many there are.
    var count: Int { 1 + statusBelow.count + topic.fields.count }
}
