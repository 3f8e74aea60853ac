internal import UAVLink
internal import YAML

/// The section `robot` of a vehicle in the configuration file: what the robot's own program understands.
///
/// ```yaml
/// robot:
///   keys: {forward: f, stop: s}
///   tasks:
///     Status: "0"
///     Remote: "1"
///   most-speed: 255
///   remote-task: "1"
///   stop-task: "0"
/// ```
extension RobotProgram {
    /// What is not there keeps its default; an empty `remote-task` or `stop-task` stands for none.
    init(node: YAMLNode) throws(YAMLError) {
        self.init()
        if node.isNull { return }
        try node.requireKeys(in: ["keys", "tasks", "most-speed", "remote-task", "stop-task"])
        if let keys = node.find("keys"), !keys.isNull {
            try keys.requireKeys(in: Key.allCases.map(\.rawValue))
            for entry in try keys.mapping.entries {
                guard let key = Key(rawValue: entry.key) else { continue }
                self.keys[key] = try Self.text(entry.value)
            }
        }
        if let tasks = node.find("tasks"), !tasks.isNull {
            self.tasks = []
            for entry in try tasks.mapping.entries {
                let task = RobotTask(name: entry.key, text: try entry.value.string)
                if let problem = Self.problem(task) { throw entry.value.unexpected("another one: \(problem)") }
                self.tasks.append(task)
            }
            guard self.tasks.count <= Self.mostTasks else { throw tasks.unexpected("at most \(Self.mostTasks) tasks") }
        }
        if let most = node.find("most-speed") {
            mostSpeed = try most.int
            guard (1...Self.highestSpeed).contains(mostSpeed) else {
                throw most.unexpected("a speed from 1 to \(Self.highestSpeed)")
            }
        }
        if let remote = node.find("remote-task") { remoteTask = try Self.optional(remote) }
        if let stop = node.find("stop-task") { stopTask = try Self.optional(stop) }
    }

    /// The section on one line; defaults are left out.
    var flow: String {
        func mapping(_ pairs: [(String, String)]) -> String {
            "{"
                + pairs.map { "\(ConfigurationEdit.scalar($0)): \(ConfigurationEdit.scalar($1))" }.joined(
                    separator: ", ")
                + "}"
        }
        let standard = Self()
        var parts: [String] = []
        let changed = Key.allCases.compactMap { key in
            keys[key].flatMap { $0 == standard.keys[key] ? nil : (key.rawValue, $0) }
        }
        if !changed.isEmpty { parts.append("keys: " + mapping(changed)) }
        if tasks != standard.tasks { parts.append("tasks: " + mapping(tasks.map { ($0.name, $0.text) })) }
        if mostSpeed != standard.mostSpeed { parts.append("most-speed: \(mostSpeed)") }
        if remoteTask != standard.remoteTask {
            parts.append("remote-task: \(ConfigurationEdit.scalar(remoteTask ?? ""))")
        }
        if stopTask != standard.stopTask { parts.append("stop-task: \(ConfigurationEdit.scalar(stopTask ?? ""))") }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    private static func text(_ node: YAMLNode) throws(YAMLError) -> String {
        let text = try node.string
        if let problem = problem(text: text) { throw node.unexpected("a text to send; this one \(problem)") }
        return text
    }

    private static func optional(_ node: YAMLNode) throws(YAMLError) -> String? {
        if node.isNull { return nil }
        return try node.string.isEmpty ? nil : text(node)
    }
}
