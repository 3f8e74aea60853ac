internal import ROSPrograms
internal import ROSMessages
public import UAVLink

/// The same with the programs of ROS 2.
extension ROSCommandLines {
    var isTwo: Bool { environment.ros.isTwo }

    func programOfROS2(_ call: ServiceCall) -> String {
        ROS2Program.call(
            names.name(of: call.service), type: call.type.name, request: Self.argument(call.yaml ?? "{}"))
    }

    /// Prints the messages of a topic, or the first, in either ROS.
    func echoing(_ topic: VehicleTopic, once: Bool = false) -> String {
        let name = names.name(of: topic)
        return isTwo
            ? ROS2Program.echo(name, type: topic.messageType.typeName, once: once)
            : "rostopic echo \(once ? "-n 1 " : "")\(name)"
    }

    /// Seconds for which a service that is not there is waited for: in ROS 2 it takes a moment to see those that are. With the start of the
    /// program no more than what a halt is given when the link is closed, and less than after which a stop is not run again.
    private static let longestWaitSeconds = 2

    /// Where a program prints: in memory, since it ends when it cannot print, and a stop must get through with a full disk. Where there
    /// is no place at all the command is sent all the same, and its answer is not known.
    private static let saidFile =
        "said=$(mktemp -p /dev/shm 2>/dev/null || mktemp 2>/dev/null)\n[ -n \"$said\" ] || said=/dev/null"

    /// `ros2 service call` that is killed when its channel closes, and when its service does not come.
    ///
    /// The program itself waits for its service without end, and would then send a request that is long out of date. What it
    /// has printed says whether it has sent it, and is looked at again after the signal.
    ///
    /// - Parameter first: commands that run before the set-up.
    func abortable(callOfROS2 program: String, first: [String] = []) -> RemoteCommand {
        let waits = "grep -q '\(ServiceCallOutput.waitingPattern)' \"$said\" && n=$((n + 1))"
        let watch = [
            "n=0", "while [ $n -lt \(Self.longestWaitSeconds) ]; do sleep 1; kill -0 $program || exit",
            "! grep -q '\(ServiceCallOutput.askingPattern)' \"$said\" || exit", waits, "done",
            "kill -KILL $program",
        ]
        let lines =
            Self.logFolder + [
                Self.saidFile, "exec 4<&0",
                "PYTHONUNBUFFERED=1 \(program) >\"$said\" </dev/null 4<&- &", "program=$!",
                "{ cat <&4; kill -KILL $program; } >/dev/null 2>&1 &",
                "{ \(watch.joined(separator: "\n")); } >/dev/null 2>&1 4<&- &", "watch=$!", "exec 4<&-",
                "wait $program", "ended=$?", "kill $watch 2>/dev/null", "cat \"$said\"",
                "[ \"$said\" = /dev/null ] || rm -f \"$said\"", "[ -z \"$logs\" ] || rm -rf \"$logs\"", "exit $ended",
            ]
        return RemoteCommand(
            script: (first + [script(lines.joined(separator: "\n"))]).joined(separator: "\n"), input: .untilClosed)
    }

    /// The response of a call as YAML, whichever ROS's program printed it.
    static func response(in result: RemoteResult) -> [UInt8] {
        guard case .answered(let yaml) = ServiceCallOutput(result.standardOutput) else { return result.standardOutput }
        return yaml
    }
}

extension ServiceCall {
    /// Linux takes no longer argument (`MAX_ARG_STRLEN`).
    private static let longestArgument = 128 * 1024 - 1

    /// A request that fits no command line as a file: see ``largeDocument``; `nil` for one that fits.
    public func largeDocument(for ros: ROSVersion) -> [UInt8]? {
        guard let document = largeDocument, ros.isTwo else { return largeDocument }
        // Programs of ROS 2 want the name of each field.
        return yaml.map { Array($0.utf8) } ?? document
    }

    /// Why ROS's own programs do not take a large request; `nil` if they do.
    public func fault(ofLarge document: [UInt8], for ros: ROSVersion) -> LinkError? {
        guard case .trajectory(let trajectory) = request else { return nil }
        let count = trajectory.points.count
        let limit =
            ros.isTwo
            ? "an argument of 'ros2 service call' has at most \(Self.longestArgument / 1024) KiB"
            : "the limit is \(Self.maximumRosservicePoints)"
        let isTooLarge = ros.isTwo ? document.count > Self.longestArgument : count > Self.maximumRosservicePoints
        guard isTooLarge else { return nil }
        return LinkError(
            .unsupported, "\(count) samples are too many for \(ros.program) on the vehicle; \(limit)",
            hint: "use --link udp or tcp")
    }
}
