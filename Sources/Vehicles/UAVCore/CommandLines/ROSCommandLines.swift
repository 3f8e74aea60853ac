public import UAVLink

/// The seed's way of talking to a vehicle: ROS's own programs, run in a shell on it.
public struct ROSCommandLines: Hashable, Sendable {
    /// A request larger than this goes over standard input. Linux takes at most 128 KiB in one word of a command line,
    /// and escaping may make four bytes of one.
    static let maximumRequestOnCommandLine = 16 * 1024

    /// Whose services and topics.
    public let names: VehicleNames
    /// What is run first, in the same shell: `source ~/workspace/devel/setup.bash`, for example. A shell that is not
    /// interactive reads no start-up files, so without it ROS may not be found.
    public let setup: String

    /// Command lines for a vehicle.
    public init(names: VehicleNames, setup: String = "") {
        self.names = names
        self.setup = setup
    }

    /// `rosservice call` for a command; ``ServiceCall/reply(to:)`` reads what it answers.
    public func call(_ call: ServiceCall) -> RemoteCommand {
        let name = names.name(of: call.service)
        guard let yaml = call.yaml else {
            return RemoteCommand(script: script("exec rosservice call \(name)"), input: .bytes([]))
        }
        guard yaml.utf8.count <= Self.maximumRequestOnCommandLine else {
            // rosservice takes a document as whole only when this line ends it.
            return RemoteCommand(
                script: script("exec rosservice call \(name)"), input: .bytes(Array((yaml + "\n---\n").utf8)))
        }
        return RemoteCommand(
            script: script("exec rosservice call \(name) \(Self.argument(yaml))"), input: .bytes([]))
    }

    /// `rosservice call` that dies with the channel it runs in: closing its standard input ends it on the vehicle. A
    /// request that is too large for a command line goes over that input, and its call cannot be ended so.
    public func abortableCall(_ call: ServiceCall) -> RemoteCommand {
        let name = names.name(of: call.service)
        let yaml = call.yaml ?? ""
        guard yaml.utf8.count <= Self.maximumRequestOnCommandLine else { return self.call(call) }
        let argument = yaml.isEmpty ? "" : " " + Self.argument(yaml)
        return RemoteCommand(
            script: script(Self.untilInputEnds(signal: "KILL", "rosservice call \(name)\(argument)")),
            input: .untilClosed)
    }

    /// `rosservice call` that also says when it began and ended on the vehicle: ``RemoteTimes`` reads it.
    public func timedCall(_ call: ServiceCall) -> RemoteCommand {
        let argument = call.yaml.map { " " + Self.argument($0) } ?? ""
        let program = "rosservice call \(names.name(of: call.service))\(argument) </dev/null"
        let command = [
            "uavlink_ready=$EPOCHREALTIME", program, "uavlink_status=$?",
            "echo \"\(RemoteTimes.mark) $uavlink_began $uavlink_ready $EPOCHREALTIME\" >&2", "exit $uavlink_status",
        ].joined(separator: "\n")
        return RemoteCommand(script: "uavlink_began=$EPOCHREALTIME\n" + script(command), input: .bytes([]))
    }

    /// `rosservice` that starts and does nothing, timed as ``timedCall(_:)``: it has imported what a call needs by then, in the
    /// Python that it runs in, which need not be the one on `PATH`.
    public func timedStart() -> RemoteCommand {
        let command = [
            "uavlink_ready=$EPOCHREALTIME", "rosservice </dev/null >/dev/null 2>&1",
            "echo \"\(RemoteTimes.mark) $uavlink_began $uavlink_ready $EPOCHREALTIME\" >&2",
        ].joined(separator: "\n")
        return RemoteCommand(script: "uavlink_began=$EPOCHREALTIME\n" + script(command), input: .bytes([]))
    }

    /// `rosservice type` for a command's service: the cheapest question to which both the ROS master and the vehicle's
    /// flight stack must be there. What it answers when it fails, ``ServiceCall/reply(to:)`` can read.
    public func type(of call: ServiceCall) -> RemoteCommand {
        RemoteCommand(script: script("exec rosservice type \(names.name(of: call.service))"), input: .bytes([]))
    }

    /// `rostopic echo`: a YAML document for each message, until its standard input is closed.
    ///
    /// Without that it would outlive the channel it runs in, as long as its topic is silent.
    public func echo(_ topic: VehicleTopic) -> RemoteCommand {
        RemoteCommand(
            script: script(Self.untilInputEnds(signal: "TERM", "rostopic echo \(names.name(of: topic))")),
            input: .untilClosed)
    }

    /// `rostopic echo` of one message.
    public func echoOnce(_ topic: VehicleTopic) -> RemoteCommand {
        RemoteCommand(script: script("exec rostopic echo -n 1 \(names.name(of: topic))"), input: .bytes([]))
    }

    /// `program`, ended by a signal when the standard input of all ends. `rosservice` waits on for its answer through
    /// any that it can catch.
    ///
    /// What has not followed the signal after ``patience`` seconds is killed: rospy handles it in its main thread, which may
    /// wait for something else. `kill -0 $$` asks whether the shell still waits, so that no later process of that number is hit.
    private static func untilInputEnds(
        signal: String, _ program: String, input: String = "/dev/null"
    ) -> String {
        let last = "sleep \(patience); kill -0 $$ && kill -KILL $program; "
        let ending = "kill -\(signal) $program; " + (signal == "KILL" ? "" : last)
        return [
            "exec 4<&0", "\(program) <\(input) 4<&- &", "program=$!",
            "{ cat <&4; \(ending)} >/dev/null 2>&1 &", "exec 4<&-", "wait $program",
        ].joined(separator: "\n")
    }

    /// rospy joins each of its threads for up to 5 s when it ends.
    private static let patience = 6

    /// A program that ends with its channel.
    ///
    /// - Parameter first: what is run before the set-up.
    func abortable(
        _ program: String, signal: String = "KILL", input: String = "/dev/null", first: [String] = []
    ) -> RemoteCommand {
        let rest = script(Self.untilInputEnds(signal: signal, program, input: input))
        return RemoteCommand(script: (first + [rest]).joined(separator: "\n"), input: .untilClosed)
    }

    /// A program of ours on the vehicle, in the same surroundings; a leading `~/` of its path is the user's home.
    public func run(_ program: String, _ arguments: [String]) -> RemoteCommand {
        RemoteCommand(script: script(running(program, arguments)), input: .bytes([]))
    }

    /// As ``run(_:_:)``, ended with its set-up when its standard input is: a vehicle that is asked again and again must not keep
    /// what nobody waits for any more.
    public func abortableRun(_ program: String, _ arguments: [String]) -> RemoteCommand {
        let watch = [
            "exec 4<&0 </dev/null",
            // Its own signal must not end the watch before it has killed what ignores that. $$ leads a process group under
            // sshd; once it has ended by itself, there is nothing to end, and what the set-up left running is the person's.
            "{ trap : TERM; cat <&4; kill -0 $$ || exit; kill -TERM -$$ || kill -TERM $$; "
                + "sleep \(Self.patience); kill -KILL -$$ || kill -KILL $$; } >/dev/null 2>&1 &",
            "exec 4<&-",
        ]
        return RemoteCommand(
            script: (watch + [script(running(program, arguments))]).joined(separator: "\n"), input: .untilClosed)
    }

    private func running(_ program: String, _ arguments: [String]) -> String {
        let isInHome = program.hasPrefix("~/")
        let path = (isInHome ? "~/" : "") + ShellQuoting.word(String(program.dropFirst(isInHome ? 2 : 0)))
        return "exec " + ([path] + arguments.map(ShellQuoting.word)).joined(separator: " ")
    }

    /// A request as one word; in double quotes where they can hold it, since those stay readable through
    /// ``ShellQuoting``.
    static func argument(_ yaml: String) -> String {
        let isPlain = yaml.utf8.allSatisfy { (0x20...0x7E).contains($0) && !#"$`"\!'"#.utf8.contains($0) }
        return isPlain ? "\"\(yaml)\"" : ShellQuoting.word(yaml)
    }

    /// `command` behind the set-up, which must neither write into the answer nor read the request. When the set-up ends
    /// other than well, or ends the shell, `command` is not run: ``setupFailure(in:)`` tells why.
    private func script(_ command: String) -> String {
        guard !setup.allSatisfy(\.isWhitespace) else { return command }
        let failed = "uavlink=$?; trap - EXIT; echo \"\(SetupFailure.mark)$uavlink\" >&2; exit \(SetupFailure.status)"
        return [
            "exec 3>&1 >/dev/null 5<&0 </dev/null", "trap '\(failed)' EXIT", setup,
            "uavlink=$?", "[ $uavlink = 0 ] || exit $uavlink", "trap - EXIT", "exec >&3 3>&- <&5 5<&-", command,
        ].joined(separator: "\n")
    }

    /// The error of a command that was not run since the set-up before it failed; `nil` for any other.
    public func setupFailure(in result: RemoteResult) -> LinkError? {
        guard let failure = SetupFailure(result) else { return nil }
        return LinkError(
            .remoteFailed, "the profile's 'setup' failed on the vehicle with status \(failure.code): \(failure.reason)",
            hint: "mend it, or end it with '|| true' if that is no failure: setup: \(setup)")
    }
}

/// A set-up that failed, as it is told on standard error.
struct SetupFailure: Hashable {
    /// The whole command's exit status then; none that shells use themselves.
    static let status = 121
    /// What stands before the set-up's own status in its line.
    static let mark = "uavlink: setup ended with "

    /// The set-up's exit status.
    let code: Int
    /// The last thing that it said.
    let reason: String

    /// Where more is said, its end tells what happened.
    private static let maximumBytes = 4096

    init?(_ result: RemoteResult) {
        guard result.exitStatus == Self.status else { return nil }
        let lines = String(decoding: result.standardError.suffix(Self.maximumBytes), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        guard let place = lines.lastIndex(where: { $0.hasPrefix(Self.mark) }),
            let code = Int(lines[place].dropFirst(Self.mark.count))
        else { return nil }
        self.code = code
        reason = lines[..<place].last.map { String($0.prefix(300)) } ?? "it gave no reason"
    }
}
