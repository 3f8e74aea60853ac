import VehicleAccess
import FlightControl
import RouteFlight
import CommandLineKit
import UAVLink

/// A command without options of its own.
struct PlainCommand {
    let name: String
    let summary: String
    let discussion: String
    let command: Command

    var spec: CommandSpec {
        CommandSpec(name, summary: summary, discussion: discussion, arguments: [FlightOptions.wait])
    }

    /// Every such command.
    static let all: [PlainCommand] = [
        PlainCommand(
            name: "arm", summary: "spin the motors up",
            discussion: "A real vehicle is armed by radio; it may refuse arming over the link.",
            command: .arm(true)),
        PlainCommand(
            name: "land", summary: "land where the vehicle is",
            discussion: "With --wait it returns when the motors are off; it fails if the vehicle stops landing.",
            command: .land),
        PlainCommand(
            name: "land-home", summary: "fly back to where it took off and land",
            discussion: "With --wait it returns when the motors are off; it fails if the vehicle stops landing.",
            command: .landHome),
        PlainCommand(
            name: "hover", summary: "stop and hold",
            discussion: """
                Sent ahead of everything else on the link. uav_core accepts it during a landing: one that began at 3 m or more
                ends, and the vehicle hovers, until it is down at 2 m; below, it lands on. With --wait it returns when the
                vehicle flies and stands still; it fails if the vehicle lands on.
                """,
            command: .hover),
        PlainCommand(
            name: "ehover", summary: "emergency: stop and hold, refusing every further reference", discussion: "",
            command: .emergencyHover),
    ]
}

/// `uavlink takeoff`
enum TakeoffCommand: Subcommand {
    static let arm = Argument.flag(
        "arm",
        help: "run the whole sequence: arm, control output, offboard, take off; without it the vehicle must be armed")

    static let spec = CommandSpec(
        "takeoff", summary: "take off to the height that the vehicle is configured for",
        discussion: """
            The vehicle must be armed, its control output on and offboard mode set. A real vehicle is armed by
            radio; --arm does it over the link. With --wait it returns when the vehicle flies, and says where; it fails with 1
            when another ground stops the vehicle meanwhile, or when it flies less than 0.3 m above where it stood.
            """,
        arguments: [arm, FlightOptions.wait],
        examples: [.init("uavlink --vehicle sim takeoff --arm --wait", "take off with the simulated vehicle and wait")]
    )

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard try arguments[arm] else { return try await fly(.takeoff, arguments, in: session) }
        return try await session.withLink { link in
            let flight = session.flight(over: link)
            let console = session.console
            let wait = try arguments[FlightOptions.wait]
            if wait { try flight.requireVisibleEffect(of: .takeoff) }
            // A stop of another ground counts from the first step on.
            try await link.awaitStopCount(on: session.clock)
            let (reply, arrival) = try await CommandSequence.run(over: link) {
                () async throws -> (CommandReply, Arrival?) in
                let reply = try await flight.armAndTakeOff { console.progress($0) }
                guard wait else { return (reply, nil) }
                return (reply, try await awaitEffect(of: .takeoff, flight, in: session))
            }
            report(reply, arrival, in: session)
            return .done
        }
    }
}

/// `uavlink goto`
enum GotoCommand: Subcommand {
    private static let unit = "metres, or of degrees with --latlon"

    static let x = Argument.parameter("X", .number(unit: Self.unit), help: "east, forward with --body, or the latitude")
    static let y = Argument.parameter("Y", .number(unit: Self.unit), help: "north, left with --body, or the longitude")
    static let z = Argument.parameter("Z", .number(unit: "metres"), help: "up; with --latlon above mean sea level")
    static let heading = Argument.optionalParameter(
        "HEADING", .degrees(), defaultText: "unchanged", help: "0 is east, counter-clockwise; relative if X Y Z are")
    static let relative = Argument.flag("relative", help: "add to the vehicle's position")
    static let body = Argument.flag("body", help: "relative to the vehicle: forward, left, up")
    static let frame = Argument.option(
        "frame", ValueKind.text.called("NAME"), help: "a coordinate frame of the vehicle, such as world_origin")
    static let latlon = Argument.flag("latlon", help: "X and Y are latitude and longitude in degrees (WGS84)")

    static let spec = CommandSpec(
        "goto", summary: "fly to a place",
        discussion: """
            Without a frame, X Y Z are metres in the vehicle's present control frame. With --wait it returns when the vehicle is
            there, and fails with 1 when another command replaced the goal, or when its frame cannot be compared with the
            vehicle's, so that it is not known whether it was reached.
            """,
        arguments: [x, y, z, heading, relative, body, frame, latlon, FlightOptions.wait],
        exclusive: [[relative, body, frame, latlon]],
        examples: [
            .init("uavlink goto 10 -5 3", "10 m east and 5 m south of the origin, 3 m high, heading unchanged"),
            .init("uavlink goto 2 0 0 90 --body --wait", "2 m forward, turn left by 90 degrees, return when there"),
            .init("uavlink goto 50.0764 14.4180 330 --latlon", "a place on Earth, 330 m above mean sea level"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let reference: Command.Destination.Reference =
            if try arguments[relative] {
                .relative
            } else if try arguments[body] {
                .body
            } else if try arguments[latlon] {
                .frame(.latitudeLongitude)
            } else {
                .frame(try arguments[frame].map(FrameName.init) ?? .current)
            }
        let goal = GoalInput(
            reference: reference,
            position: Vector3(x: try arguments[x], y: try arguments[y], z: try arguments[z]),
            headingRadians: try arguments[heading].map(Heading.radians(degrees:)))
        return try await session.withLink { link in
            let flight = FlightInteractor(FlightDependency(link: link, clock: session.clock), limits: session.limits)
            let command = try await flight.command(for: goal)
            // Where the vehicle's world lies is asked before the vehicle flies.
            let destination =
                try arguments[FlightOptions.wait] ? await GoalFrame.destination(of: command, over: link) : nil
            return try await fly(command, arguments, to: destination, over: link, in: session)
        }
    }
}

/// `uavlink altitude`
enum AltitudeCommand: Subcommand {
    static let height = Argument.parameter("Z", .number(unit: "metres"), help: "metres in the vehicle's current frame")

    static let spec = CommandSpec(
        "altitude", summary: "climb or descend to a height", arguments: [height, FlightOptions.wait],
        examples: [.init("uavlink altitude 5 --wait", "to 5 m, and return when there")])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await fly(.altitude(metres: try arguments[height]), arguments, in: session)
    }
}

/// `uavlink heading`
enum HeadingCommand: Subcommand {
    static let angle = Argument.parameter(
        "DEGREES", .degrees(), help: "0 is east, counter-clockwise positive")
    static let relative = Argument.flag("relative", help: "turn by this angle instead of to it")

    static let spec = CommandSpec(
        "heading", summary: "turn to a heading, or by an angle", arguments: [angle, relative, FlightOptions.wait],
        examples: [
            .init("uavlink heading 90", "face north"),
            .init("uavlink heading -45 --relative", "turn right by 45 degrees"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let radians = Heading.radians(degrees: try arguments[angle])
        let command: Command =
            try arguments[relative] ? .turn(byRadians: radians) : .heading(radians: Heading.wrapped(radians))
        return try await fly(command, arguments, in: session)
    }
}
