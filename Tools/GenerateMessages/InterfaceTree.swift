internal import FoundationEssentials
internal import ROS2

/// The definitions of ROS 2 below a folder, or those of ROS 1 as they are in ROS 2.
///
/// Beside the folders `msg` and `srv` of a package stands `jazzy` with what is different there: `Name.msg` is the definition of a
/// type that has other fields, or that only ROS 2 has; `Name.absent` says that ROS 2 has no such type.
struct InterfaceTree {
    private(set) var interfaces = InterfaceSet()
    /// The full names of the messages of the folder, sorted.
    private(set) var messages: [String] = []
    /// The full names of its services, sorted.
    private(set) var services: [String] = []
    private(set) var packages: [String] = []
    /// The full names of the messages that stand in `jazzy`.
    private(set) var overrides: Set<String> = []

    /// Adds the definitions of a folder.
    ///
    /// - Parameter isKnown: they are only referred to: nothing is generated for them.
    mutating func read(_ folder: String, isKnown: Bool = false) throws {
        let files = FileManager.default
        for package in try files.contentsOfDirectory(atPath: folder).filter({ !$0.hasPrefix(".") }).sorted() {
            func names(_ kind: String, _ ending: String) throws -> [String] {
                let path = "\(folder)/\(package)/\(kind)"
                guard files.fileExists(atPath: path) else { return [] }
                return try files.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) }
                    .map { String($0.dropLast(ending.count)) }.sorted()
            }
            func text(_ path: String) throws -> String {
                let data = try Data(contentsOf: URL(filePath: "\(folder)/\(package)/\(path)"))
                return String(decoding: data, as: UTF8.self)
            }
            let others = try names("jazzy", ".msg")
            let hidden = Set(try others + names("jazzy", ".absent"))
            var found: [String] = []
            for name in try names("msg", ".msg") where !hidden.contains(name) {
                let typeName = "\(package)/msg/\(name)"
                interfaces.insert(try InterfaceDefinition(typeName: typeName, text: ofROS2(text("msg/\(name).msg"))))
                found.append(typeName)
            }
            for name in others {
                let typeName = "\(package)/msg/\(name)"
                interfaces.insert(try InterfaceDefinition(typeName: typeName, text: text("jazzy/\(name).msg")))
                overrides.insert(typeName)
                found.append(typeName)
            }
            for name in try names("srv", ".srv") {
                let typeName = "\(package)/srv/\(name)"
                let lines = ofROS2(try text("srv/\(name).srv")).split(
                    separator: "\n", omittingEmptySubsequences: false)
                guard let rule = lines.firstIndex(where: { $0.hasPrefix("---") }) else {
                    fail("\(typeName): there is no line '---'")
                }
                func side(_ name: String, _ lines: ArraySlice<Substring>) throws {
                    let text = lines.map { $0 + "\n" }.joined()
                    interfaces.insert(try InterfaceDefinition(typeName: typeName + name, text: text))
                }
                try side("_Request", lines[..<rule])
                // The file ends with a line feed.
                try side("_Response", lines[(rule + 1)...].dropLast(lines.last?.isEmpty == true ? 1 : 0))
                if !isKnown { services.append(typeName) }
            }
            guard !isKnown else { continue }
            messages += found
            packages.append(package)
        }
    }

    /// A definition of ROS 1 in the words of ROS 2.
    private func ofROS2(_ text: String) -> String {
        let words = [
            "time": "builtin_interfaces/Time", "duration": "builtin_interfaces/Duration", "Header": "std_msgs/Header",
        ]
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let end = line.firstIndex { $0 == " " || $0 == "[" } ?? line.endIndex
            return (words[String(line[..<end])] ?? String(line[..<end])) + line[end...]
        }.joined(separator: "\n")
    }
}
