import CommandLineKit
import UAVLink

/// The whole command line of `uavlink-companion`.
enum CompanionProgram {
    /// What stands behind the channel.
    enum Backend: String, Sendable, CaseIterable {
        case ros
        case simulated
    }

    static let uav = Argument.option(
        "uav", ValueKind.text.called("UAV"), default: "uav1", defaultText: "uav1", help: "the vehicle's name in ROS")
    static let runtimeDirectory = Argument.option(
        "runtime-dir", .path, help: "where control sockets are, instead of /run/uavlink or the user's own directory")
    static let backend = Argument.option(
        "backend", ValueKind<Backend>.choice, default: .ros, defaultText: "ros",
        help: "ros: the vehicle; simulated: a simulated one in this process, no ROS needed")
    static let udpPort = Argument.option(
        "udp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free one", help: "UDP port of the channel")
    static let tcpPort = Argument.option(
        "tcp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free one", help: "TCP port of the channel")
    static let bind = Argument.option(
        "bind", ValueKind.text.called("ADDRESS"), default: "::", defaultText: "::",
        help:
            "the address to listen at, :: for every one; the channel admits nobody without a key from the control socket"
    )
    static let lease = Argument.option(
        "lease", .duration(in: .milliseconds(50) ... .milliseconds(500)), default: .milliseconds(200),
        defaultText: "200ms", help: "how long steering may be silent before the vehicle hovers")
    static let telemetryRate = Argument.option(
        "telemetry-rate", .number(in: 1...200, unit: "Hz"), default: 50, defaultText: "50",
        help: "state frames a second")
    static let idleExit = Argument.option(
        "idle-exit", .duration(in: .seconds(5) ... .seconds(86_400)),
        help: "end when no session was open for this long, and no ticket is out")
    static let logFile = Argument.option(
        "log-file", .path,
        help: "log there instead of to standard error; beside it FILE.1 has what was before, a megabyte each")
    static let seed = Argument.option(
        "seed", .integer(in: 0 ... .max), default: 1, defaultText: "1", help: "of the simulated vehicle's randomness")

    private static let serviceOptions: [any ArgumentDeclaration] = [
        backend, udpPort, tcpPort, bind, lease, telemetryRate, idleExit, seed,
    ]

    static let program = Program(
        CommandSpec(
            "uavlink-companion", summary: "the vehicle's end of uavlink: ends the channel, speaks ROS, holds the lease",
            discussion: """
                It runs on the vehicle, or beside the ROS master. 'uavlink' starts it over SSH when it is needed; as a
                systemd unit it is there from the start. ROS_MASTER_URI, ROS_IP and ROS_HOSTNAME are honoured.
                """,
            arguments: [uav, runtimeDirectory],
            subcommands: [
                CommandSpec(
                    "run", summary: "work until it is stopped", arguments: serviceOptions + [logFile],
                    examples: [
                        .init("uavlink-companion run --uav uav1", "on the vehicle"),
                        .init("uavlink-companion run --backend simulated", "with a simulated vehicle behind it"),
                    ]),
                CommandSpec(
                    "bootstrap", summary: "print a ticket for a new session, starting a companion when none runs",
                    discussion: """
                        'uavlink' calls it over SSH. The ticket holds a fresh session key: it goes to standard output only.
                        """,
                    arguments: serviceOptions),
                CommandSpec("status", summary: "what the running companion is doing, as JSON"),
                CommandSpec("stop", summary: "end the running companion"),
                CommandSpec(
                    "doctor", summary: "look at ROS as this machine sees it and print what was found, as JSON lines"),
                TopicCommand.spec,
            ],
            exitCodes: [
                .init(0, "done"), .init(2, "wrong usage"), .init(3, "no companion, or it could not start"),
                .init(70, "internal error"),
            ]),
        version: Version.text)
}
