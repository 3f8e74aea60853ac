internal import YAML

/// What a running companion says of itself: the JSON of `uavlink-companion status`.
struct CompanionStatus: Hashable, Sendable {
    /// The pilot who has control authority.
    var pilot: String?

    /// Reads the output; `nil` if no line of it is a status.
    init?(_ printed: String) {
        // JSON is YAML too; other lines are greetings of the shell.
        let lines = printed.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }
        guard let line = lines.last, let node = try? YAMLReader.document(String(line)),
            (try? node.find("vehicle")?.string) != nil
        else { return nil }
        guard let pilot = node.find("pilot"), !pilot.isNull else { return }
        self.pilot = try? pilot.string
    }
}
