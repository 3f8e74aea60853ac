internal import ROSPrograms
public import UAVLink

/// Builds the command lines that reach a vehicle through ROS's own programs, run in a shell on it.
public struct ROSCommandLines: Hashable, Sendable {
    /// A larger request is sent over standard input. Linux limits one argument to 128 KiB, and escaping may expand a
    /// byte to four.
    static let maximumRequestOnCommandLine = 16 * 1024

    /// The vehicle's service and topic names.
    public let names: VehicleNames
    /// How ROS is found on the vehicle.
    public let environment: ROSEnvironment
    /// Shell code that runs first, in the same shell, for example `source ~/workspace/devel/setup.bash`. A
    /// non-interactive shell reads no start-up files, so ROS may not be found without it.
    public let setup: String

    /// Creates the command lines for a vehicle whose profile has this set-up.
    public init(names: VehicleNames, setup: String = "") {
        self.init(names: names, environment: ROSEnvironment(profileSetup: setup))
    }

    /// Creates the command lines for a vehicle with this environment.
    public init(names: VehicleNames, environment: ROSEnvironment) {
        self.names = names
        self.environment = environment
        setup = environment.setup
    }

    /// `rosservice call` for a command; ``ServiceCall/reply(to:)`` parses its output.
    public func call(_ call: ServiceCall) -> RemoteCommand {
        let name = names.name(of: call.service)
        guard !isTwo else { return RemoteCommand(script: script("exec \(programOfROS2(call))"), input: .bytes([])) }
        guard let yaml = call.yaml else {
            return RemoteCommand(script: script("exec rosservice call \(name)"), input: .bytes([]))
        }
        guard yaml.utf8.count <= Self.maximumRequestOnCommandLine else {
            // rosservice treats the document as complete only after this line.
            return RemoteCommand(
                script: script("exec rosservice call \(name)"), input: .bytes(Array((yaml + "\n---\n").utf8)))
        }
        return RemoteCommand(
            script: script("exec rosservice call \(name) \(Self.argument(yaml))"), input: .bytes([]))
    }

    /// `rosservice call` that is killed when its channel closes: the end of its standard input ends it on the vehicle.
    /// A request too large for a command line is sent over standard input, and such a call cannot be aborted.
    public func abortableCall(_ call: ServiceCall) -> RemoteCommand {
        guard !isTwo else { return abortable(callOfROS2: programOfROS2(call)) }
        let name = names.name(of: call.service)
        let yaml = call.yaml ?? ""
        guard yaml.utf8.count <= Self.maximumRequestOnCommandLine else { return self.call(call) }
        let argument = yaml.isEmpty ? "" : " " + Self.argument(yaml)
        return RemoteCommand(
            script: script(Self.endingWithInput(signal: "KILL", "rosservice call \(name)\(argument)")),
            input: .untilClosed)
    }

    /// `rosservice call` that also reports when it began and ended on the vehicle; ``RemoteTimes`` parses it.
    public func timedCall(_ call: ServiceCall) -> RemoteCommand {
        let argument = call.yaml.map { " " + Self.argument($0) } ?? ""
        let program =
            isTwo ? programOfROS2(call) : "rosservice call \(names.name(of: call.service))\(argument)"
        let command = [
            "uavlink_ready=$EPOCHREALTIME", "\(program) </dev/null", "uavlink_status=$?",
            "echo \"\(RemoteTimes.mark) $uavlink_began $uavlink_ready $EPOCHREALTIME\" >&2", "exit $uavlink_status",
        ].joined(separator: "\n")
        return RemoteCommand(script: "uavlink_began=$EPOCHREALTIME\n" + script(command), input: .bytes([]))
    }

    /// Starts `rosservice` without calling a service, timed as ``timedCall(_:)``: the start of its Python interpreter,
    /// which need not be the one on `PATH`, and the imports that a call needs.
    ///
    /// - Parameter withShell: before that, the user's login shell is started as sshd does for a command, with the start-up files that
    ///   it reads then: bash reads `~/.bashrc` only where no shell is around it.
    public func timedStart(withShell: Bool = false) -> RemoteCommand {
        let login = #"(unset SHLVL; exec "${SHELL:-/bin/sh}" -c :) </dev/null >/dev/null 2>&1"#
        let shell = withShell ? ["uavlink_shell=$EPOCHREALTIME", login] : ["uavlink_shell="]
        let command = [
            "uavlink_ready=$EPOCHREALTIME",
            "\(isTwo ? ROS2Program.callHelp : "rosservice") </dev/null >/dev/null 2>&1",
            "echo \"\(RemoteTimes.mark) $uavlink_shell $uavlink_began $uavlink_ready $EPOCHREALTIME\" >&2",
        ]
        return RemoteCommand(
            script: (shell + ["uavlink_began=$EPOCHREALTIME"]).joined(separator: "\n") + "\n"
                + script(command.joined(separator: "\n")), input: .bytes([]))
    }

    /// `rosservice type` for a command's service: the cheapest request that needs both the ROS master and the vehicle's
    /// flight stack. ``ServiceCall/reply(to:)`` parses its failures.
    public func type(of call: ServiceCall) -> RemoteCommand {
        let name = names.name(of: call.service)
        let program = isTwo ? ROS2Program.find(service: name) : "exec rosservice type \(name)"
        return RemoteCommand(script: script(program), input: .bytes([]))
    }

    /// `rostopic echo`: a YAML document for each message, until its standard input is closed.
    ///
    /// Otherwise it would outlive its channel for as long as its topic is silent.
    public func echo(_ topic: VehicleTopic) -> RemoteCommand {
        RemoteCommand(script: script(Self.endingWithInput(signal: "TERM", echoing(topic))), input: .untilClosed)
    }

    /// Runs `program` and signals it when the shell's standard input ends. `rosservice` keeps waiting for its answer
    /// through every signal that can be caught.
    ///
    /// A program still running ``killDelaySeconds`` seconds after the signal is killed: rospy handles signals in its main
    /// thread, which may be blocked. `kill -0 $$` checks that the shell still waits, so that no later process with the
    /// same pid is hit.
    private static func endingWithInput(
        signal: String, _ program: String, input: String = "/dev/null"
    ) -> String {
        let hasLog = program.hasPrefix("rostopic ") || program.hasPrefix("ros2 ")
        let last = "sleep \(killDelaySeconds); kill -0 $$ && kill -KILL $program; "
        let ending = "kill -\(signal) $program; " + (signal == "KILL" ? "" : last)
        let lines = [
            "exec 4<&0", "\(program) <\(input) 4<&- &", "program=$!",
            "{ cat <&4; \(ending)} >/dev/null 2>&1 &", "exec 4<&-", "wait $program",
        ]
        return ((hasLog ? logFolder : []) + lines + (hasLog ? logRemoval : [])).joined(separator: "\n")
    }

    /// `rostopic echo` is a node, as all programs of ROS 2 are, and each leaves a log in `~/.ros/log`: it gets a folder of its own, which is removed after it.
    static let logFolder = [
        "logs=$(mktemp -d 2>/dev/null)", "[ -z \"$logs\" ] || export ROS_LOG_DIR=\"$logs\"",
    ]
    private static let logRemoval = ["ended=$?", "[ -z \"$logs\" ] || rm -rf \"$logs\"", "exit $ended"]

    /// Seconds from the signal to SIGKILL; rospy joins each of its threads for up to 5 s at exit.
    private static let killDelaySeconds = 6

    /// A program that is ended when its channel closes.
    ///
    /// - Parameter first: commands that run before the set-up.
    func abortable(
        _ program: String, signal: String = "KILL", input: String = "/dev/null", first: [String] = []
    ) -> RemoteCommand {
        let rest = script(Self.endingWithInput(signal: signal, program, input: input))
        return RemoteCommand(script: (first + [rest]).joined(separator: "\n"), input: .untilClosed)
    }

    /// One of our programs on the vehicle, run after the same set-up; a leading `~/` in its path is the user's home.
    public func run(_ program: String, _ arguments: [String]) -> RemoteCommand {
        RemoteCommand(script: script(running(program, arguments)), input: .bytes([]))
    }

    /// As ``run(_:_:)``, but the program and its set-up are ended when standard input closes, so that repeated requests
    /// leave no processes behind on the vehicle.
    public func abortableRun(_ program: String, _ arguments: [String]) -> RemoteCommand {
        Self.endedWithInput(script(running(program, arguments)))
    }

    /// A script of several commands that is ended, with its set-up, when its standard input closes.
    func abortableScript(_ commands: String) -> RemoteCommand { Self.endedWithInput(script(commands)) }

    /// A script that is ended, with all that it started, when its standard input closes; the script's own is `/dev/null`.
    static func endedWithInput(_ script: String) -> RemoteCommand {
        let watch = [
            "exec 4<&0 </dev/null",
            // The watcher must survive its own signal, to kill what ignores it. Under sshd, $$ leads a process group.
            // If it has ended by itself, nothing is killed: what the set-up left running belongs to the user.
            "{ trap : TERM; cat <&4; kill -0 $$ || exit; kill -TERM -$$ || kill -TERM $$; "
                + "sleep \(killDelaySeconds); kill -KILL -$$ || kill -KILL $$; } >/dev/null 2>&1 &",
            "exec 4<&-",
        ]
        return RemoteCommand(script: (watch + [script]).joined(separator: "\n"), input: .untilClosed)
    }

    private func running(_ program: String, _ arguments: [String]) -> String {
        let isInHome = program.hasPrefix("~/")
        let path = (isInHome ? "~/" : "") + RemoteShell.word(String(program.dropFirst(isInHome ? 2 : 0)))
        return "exec " + ([path] + arguments.map(RemoteShell.word)).joined(separator: " ")
    }

    /// A request as one word: in double quotes if it contains nothing that is special in them, since these stay
    /// readable through ``RemoteShell``.
    static func argument(_ yaml: String) -> String {
        let isPlain = yaml.utf8.allSatisfy { (0x20...0x7E).contains($0) && !#"$`"\!'"#.utf8.contains($0) }
        return isPlain ? "\"\(yaml)\"" : RemoteShell.word(yaml)
    }

    /// Prepends the set-up to `command`. The set-up can neither write to the command's output nor read its input. If
    /// the set-up fails or exits the shell, `command` is not run; ``setupFailure(in:)`` returns the reason.
    func script(_ command: String) -> String {
        guard !setup.allSatisfy(\.isWhitespace) else { return command }
        let failed = "uavlink=$?; trap - EXIT; echo \"\(SetupFailure.mark)$uavlink\" >&2; exit \(SetupFailure.status)"
        return [
            "exec 3>&1 >/dev/null 5<&0 </dev/null", "trap '\(failed)' EXIT", setup,
            "uavlink=$?", "[ $uavlink = 0 ] || exit $uavlink", "trap - EXIT", "exec >&3 3>&- <&5 5<&-", command,
        ].joined(separator: "\n")
    }

    /// The error of a command that was not run because its set-up failed; `nil` for any other result.
    public func setupFailure(in result: RemoteResult) -> LinkError? {
        guard let failure = SetupFailure(result) else { return nil }
        guard !environment.isFound else {
            return LinkError(
                .remoteFailed,
                "the environment that was found on the vehicle does not work any more (\(environment.summary)): "
                    + failure.reason, hint: ROSEnvironment.advice)
        }
        return LinkError(
            .remoteFailed, "the profile's 'setup' failed on the vehicle with status \(failure.code): \(failure.reason)",
            hint: "fix it, or append '|| true' if the failure does not matter: setup: \(environment.profileSetup)")
    }
}

extension ROSCommandLines {
    /// Whether this is the exit status of a command that was not run because its set-up failed.
    public static func isSetupFailure(_ status: Int?) -> Bool { status == SetupFailure.status }
}

/// A failed set-up, parsed from standard error.
struct SetupFailure: Hashable {
    /// The exit status of the whole command in that case; shells do not use it themselves.
    static let status = 121
    /// Precedes the set-up's own status in its line.
    static let mark = "uavlink: setup ended with "

    /// The set-up's exit status.
    let code: Int
    /// The last line before the mark.
    let reason: String

    /// Only the end of standard error is examined.
    private static let maximumBytes = 4096

    init?(_ result: RemoteResult) {
        guard result.exitStatus == Self.status else { return nil }
        let lines = String(decoding: result.standardError.suffix(Self.maximumBytes), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        guard let place = lines.lastIndex(where: { $0.hasPrefix(Self.mark) }),
            let code = Int(lines[place].dropFirst(Self.mark.count))
        else { return nil }
        self.code = code
        reason = lines[..<place].last.map { String($0.prefix(300)) } ?? "no reason given"
    }
}
