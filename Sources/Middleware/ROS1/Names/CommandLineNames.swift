/// What the arguments of a ROS program say about names: `from:=to`, `__name:=`, `_parameter:=value` and the like.
public struct CommandLineNames: Hashable, Sendable {
    /// `from` and `to` of each remapping as they were written; they are resolved in the node's namespace later.
    public var remappings: [String: String] = [:]
    /// `_name:=value`: parameters to be set below the node when it starts.
    public var privateParameters: [String: String] = [:]
    /// `__name`: the node's name.
    public var nodeName: String?
    /// `__ns`: the node's namespace.
    public var namespace: String?
    /// `__ip`: the address that this node tells the others.
    public var ip: String?
    /// `__hostname`: the host name that this node tells the others.
    public var hostname: String?
    /// `__master`: the master's URI.
    public var masterURI: String?
    /// The arguments that are not ROS's.
    public var otherArguments: [String] = []

    /// Nothing said.
    public init() {}

    /// Sorts out the arguments (without the program's own name).
    ///
    /// An unknown `__key` is taken and ignored, as ROS's own libraries do (`__log`).
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
