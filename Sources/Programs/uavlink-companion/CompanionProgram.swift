import CommandLineKit
import UAVLink

/// The command line of `uavlink-companion`.
enum CompanionProgram {
    /// The vehicle behind the channel.
    enum Backend: String, Sendable, CaseIterable {
        case ros
        case simulated
    }

    static let uav = Argument.option(
        "uav", ValueKind.text.called("UAV"), default: "uav1", defaultText: "uav1", help: "the vehicle's name in ROS")
    static let runtimeDirectory = Argument.option(
        "runtime-dir", .path, help: "directory of the control sockets, instead of /run/uavlink or the user's own")
    static let backend = Argument.option(
        "backend", ValueKind<Backend>.choice, default: .ros, defaultText: "ros",
        help: "ros: the vehicle; simulated: a simulated one in this process, no ROS needed")
    static let ros = Argument.option(
        "ros", .integer(in: 1...2),
        help: "the vehicle's version of ROS, instead of what answers here: 1 with a master, 2 (Jazzy) over Zenoh")
    static let router = Argument.option(
        "router", ValueKind.text.called("LOCATOR"),
        help: "the Zenoh router of ROS 2, which this stands for, instead of tcp/127.0.0.1:7447")
    static let domain = Argument.option(
        "domain", .integer(in: 0...232), help: "the domain of ROS 2 instead of ROS_DOMAIN_ID")
    static let udpPort = Argument.option(
        "udp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free port", help: "UDP port of the channel")
    static let tcpPort = Argument.option(
        "tcp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free port", help: "TCP port of the channel")
    static let bind = Argument.option(
        "bind", ValueKind.text.called("ADDRESS"), default: "::", defaultText: "::",
        help:
            "the address to listen on, :: for all; the channel accepts only peers with a key from the control socket"
    )
    static let lease = Argument.option(
        "lease", .duration(in: .milliseconds(50) ... .milliseconds(500)), default: .milliseconds(200),
        defaultText: "200ms",
        help: "lease: how long setpoints remain valid without a newer one; then the vehicle is braked")
    static let telemetryRate = Argument.option(
        "telemetry-rate", .number(in: 1...200, unit: "Hz"), default: 50, defaultText: "50",
        help: "state frames per second")
    static let idleExit = Argument.option(
        "idle-exit", .duration(in: .seconds(5) ... .seconds(86_400)),
        help: "exit after this time without a session or an unused ticket")
    static let logFile = Argument.option(
        "log-file", .path,
        help: "log to FILE instead of standard error; FILE.1 holds the older part, 1 MB each")
    static let seed = Argument.option(
        "seed", .integer(in: 0 ... .max), default: 1, defaultText: "1",
        help: "seed of the simulated vehicle's randomness")

    private static let serviceOptions: [any ArgumentDeclaration] = [
        backend, udpPort, tcpPort, bind, lease, telemetryRate, idleExit, seed,
    ]

    static let program = Program(
        CommandSpec(
            "uavlink-companion",
            summary: "the vehicle's end of uavlink: serves the channel, uses ROS, enforces the lease",
            discussion: """
                Runs on the vehicle, or next to the ROS master. 'uavlink' starts it over SSH on demand; as a
                systemd unit it starts at boot. ROS_MASTER_URI, ROS_IP and ROS_HOSTNAME are honoured.
                Without --ros it is ROS 2 if only a Zenoh router answers on this computer (port 7447), and else ROS 1; if a
                ROS master answers, too, it asks for --ros.
                """,
            arguments: [uav, runtimeDirectory, ros, router, domain],
            subcommands: [
                CommandSpec(
                    "run", summary: "run until stopped", arguments: serviceOptions + [logFile],
                    examples: [
                        .init("uavlink-companion run --uav uav1", "on the vehicle"),
                        .init("uavlink-companion run --backend simulated", "with a simulated vehicle"),
                    ]),
                CommandSpec(
                    "bootstrap", summary: "print a ticket for a new session, starting a companion when none runs",
                    discussion: """
                        Called by 'uavlink' over SSH. The ticket holds a new session key: it is printed to standard output only.
                        """,
                    arguments: serviceOptions),
                CommandSpec("status", summary: "print the state of the running companion as JSON"),
                CommandSpec("stop", summary: "stop the running companion"),
                CommandSpec(
                    "doctor", summary: "check ROS as seen from this machine and print the findings as JSON lines"),
                TopicCommand.spec,
            ],
            exitCodes: [
                .init(0, "done"), .init(2, "usage error"), .init(3, "no companion, or it could not start"),
                .init(70, "internal error"),
            ], seeAlso: ["uavlink"]),
        version: Version.text)
}
