/// The ROS arguments of a command line: `from:=to`, `__name:=`, `_parameter:=value` and others.
public struct CommandLineNames: Hashable, Sendable {
    /// The remappings (`from` to `to`) as written; they are resolved in the node's namespace later.
    public var remappings: [String: String] = [:]
    /// `_name:=value`: private parameters to be set when the node starts.
    public var privateParameters: [String: String] = [:]
    /// `__name`: the node's name.
    public var nodeName: String?
    /// `__ns`: the node's namespace.
    public var namespace: String?
    /// `__ip`: the address announced to other nodes.
    public var ip: String?
    /// `__hostname`: the host name announced to other nodes.
    public var hostname: String?
    /// `__master`: the master's URI.
    public var masterURI: String?
    /// The arguments that are not ROS arguments.
    public var otherArguments: [String] = []

    /// Creates an empty set of arguments.
    public init() {}

    /// Parses the arguments (without the program's name).
    ///
    /// An unknown `__key` is consumed and ignored, as in the ROS libraries (`__log`).
    public init(arguments: [String]) {
        for argument in arguments {
            guard let (key, value) = Self.parts(of: argument) else {
                otherArguments.append(argument)
                continue
            }
            switch key {
            case "__name": nodeName = value
            case "__ns": namespace = value
            case "__ip": ip = value
            case "__hostname": hostname = value
            case "__master": masterURI = value
            default:
                if key.hasPrefix("__") { continue }
                if key.hasPrefix("_") {
                    privateParameters[String(key.dropFirst())] = value
                } else {
                    remappings[key] = value
                }
            }
        }
    }

    private static func parts(of argument: String) -> (key: String, value: String)? {
        var index = argument.startIndex
        while index < argument.endIndex {
            let next = argument.index(after: index)
            if argument[index] == ":", next < argument.endIndex, argument[next] == "=" {
                let key = String(argument[..<index])
                let value = String(argument[argument.index(after: next)...])
                return key.isEmpty ? nil : (key, value)
            }
            index = next
        }
        return nil
    }
}
