public import ROSMessages

/// Resolves names as written to fully qualified ones: namespace, private names and remappings of one node.
public struct NameResolver: Hashable, Sendable {
    /// The node's fully qualified name.
    public let node: GraphName
    /// The namespace of relative names.
    public let namespace: GraphName
    private let remapped: [GraphName: GraphName]

    /// Determines the node's name and resolves its remappings.
    ///
    /// - Parameters:
    ///   - name: the node's default name: one part, without a slash; `__name` overrides it.
    ///   - namespace: `ROS_NAMESPACE`; `__ns` overrides it.
    ///   - commandLine: the ROS arguments.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public init(
        name: String, namespace: String? = nil, commandLine: CommandLineNames = CommandLineNames()
    ) throws(ROSError) {
        let written = commandLine.nodeName ?? name
        let home = try GraphName("/" + (commandLine.namespace ?? namespace ?? ""))
        guard !written.isEmpty, !written.contains("/"), !written.contains("~") else {
            throw ROSError(
                .invalidName, "'\(written)' is not a node name", hint: "one part without '/'; use __ns for a namespace")
        }
        let node = try GraphName(written, namespace: home, node: .root)
        var remapped: [GraphName: GraphName] = [:]
        for (from, to) in commandLine.remappings {
            let source = try GraphName(from, namespace: home, node: node)
            remapped[source] = try GraphName(to, namespace: home, node: node)
        }
        self.node = node
        self.namespace = home
        self.remapped = remapped
    }

    /// Resolves a name to a fully qualified one, with remappings applied once.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func resolve(_ text: String) throws(ROSError) -> GraphName {
        guard !text.isEmpty else { throw ROSError(.invalidName, "a graph name must not be empty") }
        let complete = try GraphName(text, namespace: namespace, node: node)
        return remapped[complete] ?? complete
    }
}
