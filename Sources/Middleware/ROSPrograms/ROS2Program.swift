/// The command lines of ROS 2's own programs, for a shell: `ros2 service call`, `ros2 topic echo` and others.
///
/// The options are those of Jazzy. Without `--no-daemon` a program would leave another one running, for hours, that looks
/// at the graph. Types are named as in ROS 1, `std_srvs/Trigger`.
public enum ROS2Program {
    /// Calls a service once; ``ServiceCallOutput`` parses what it prints.
    ///
    /// - Parameter request: the request in YAML, as one word of the shell.
    public static func call(_ service: String, type: String, request: String) -> String {
        "ros2 service call \(service) \(name(type, in: "srv")) \(request)"
    }

    /// Shows how to call a service, which starts Python and imports what a call needs.
    public static let callHelp = "ros2 service call --help"

    /// Prints the service and its type, or says that it is unknown and fails.
    public static func find(service: String) -> String {
        [
            "services=$(ros2 service list --no-daemon --show-types) || exit",
            #"printf '%s\n' "$services" | grep -F '\#(service) [' || { echo 'Unknown service' >&2; exit 1; }"#,
        ].joined(separator: "\n")
    }

    /// Prints each message of a topic, or only the first, as a YAML document that ends with `---`.
    public static func echo(_ topic: String, type: String, once: Bool = false) -> String {
        let options = (once ? "--once " : "") + "--no-daemon --no-lost-messages --full-length"
        return "ros2 topic echo \(options) \(topic) \(name(type, in: "msg"))"
    }

    /// Prints the topics of a type, one a line.
    public static func topics(ofType type: String) -> String {
        [
            "topics=$(ros2 topic list --no-daemon --show-types) || exit",
            #"printf '%s\n' "$topics" | sed -n 's| \[\#(name(type, in: "msg"))\]$||p'"#,
        ].joined(separator: "\n")
    }

    /// Prints the value of a parameter, without its type; it fails and says `Parameter not set` if it has none.
    public static func parameter(_ name: String, of node: String) -> String {
        "ros2 param get --no-daemon --hide-type \(node) \(name)"
    }

    private static func name(_ type: String, in role: String) -> String {
        type.split(separator: "/").joined(separator: "/\(role)/")
    }
}
