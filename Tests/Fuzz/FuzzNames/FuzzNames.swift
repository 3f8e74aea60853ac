import FuzzKit
import ROS1

/// Any words, parted by zeros, as graph names, and as a node's environment and arguments: a name that is taken is
/// complete and reads as itself, however it was written.
@main enum FuzzNames: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let words = bytes.split(separator: 0, maxSplits: 15, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        for word in words { if let name = try? GraphName(word) { check(name) } }
        var environment: [String: String] = [:]
        let variables = ["ROS_NAMESPACE", "ROS_MASTER_URI", "ROS_HOSTNAME"]
        for (key, word) in zip(variables, words) { environment[key] = word }
        // Always given, so that no input asks the machine for its interfaces.
        environment["ROS_IP"] = "127.0.0.1"
        let arguments = Array(words.dropFirst(variables.count))
        guard
            let configuration = try? ROSConfiguration(name: "node", environment: environment, arguments: arguments)
        else { return }
        check(configuration.names.node)
        check(configuration.names.namespace)
        precondition(configuration.names.node.namespace == configuration.names.namespace, "a node elsewhere")
        for word in words {
            guard let name = try? configuration.names.resolve(word) else { continue }
            check(name)
        }
    }

    private static func check(_ name: GraphName) {
        precondition((try? GraphName(name.text)) == name, "'\(name)' is not read back")
        precondition(name.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "'\(name)'")
        let above = name.namespace == .root ? "/" : "\(name.namespace)/"
        precondition(name.text.hasPrefix(above), "'\(name)' is not in its namespace")
        precondition(!name.text.dropFirst(above.count).contains("/"), "'\(name)' is deeper in its namespace")
    }
}
