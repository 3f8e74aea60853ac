import CommandLineKit

/// A program like ours to test with.
enum Sample {
    enum Link: String, CaseIterable { case ssh, tcp, udp }

    static let json = Argument.flag("json", help: "print one JSON object")
    static let verbose = Argument.count("verbose", short: "v", help: "say more")
    static let host = Argument.option("host", .text.called("HOST"), help: "the vehicle's name or address")
    static let link = Argument.option(
        "link", short: "l", ValueKind<Link>.choice, default: .udp, defaultText: "udp", help: "what carries the link")
    static let setups = Argument.repeatedOption("define", short: "D", .text, help: "a definition")
    static let x = Argument.parameter("X", .number(unit: "metres"), help: "east, metres")
    static let y = Argument.parameter("Y", .number(unit: "metres"), help: "north, metres")
    static let z = Argument.parameter("Z", .number(unit: "metres"), help: "up, metres")
    static let heading = Argument.optionalParameter(
        "HEADING", .degrees(), defaultText: "as it is", help: "degrees, 0 = east, counter-clockwise")
    static let relative = Argument.flag("relative", help: "add to where the vehicle is")
    static let body = Argument.flag("body", help: "forward, left, up")
    static let duration = Argument.requiredOption(
        "for", .duration(in: .milliseconds(10) ... .seconds(3600)), help: "how long")
    static let vx = Argument.option("vx", .number(in: -10...10), default: 0, defaultText: "0", help: "m/s east")
    static let words = Argument.rest("COMMAND", .text, isRequired: true, help: "what to run")
    static let file = Argument.parameter("FILE", .path, help: "a trajectory")

    static let program = Program(
        CommandSpec(
            "uavlink", summary: "command a vehicle", arguments: [json, verbose, host, link, setups],
            subcommands: [
                CommandSpec(
                    "goto", summary: "fly to a place",
                    discussion: "The vehicle's answer means that it is on its way, not that it is there; use --wait\nto"
                        + " wait for it.\n\nA second paragraph.",
                    arguments: [x, y, z, heading, relative, body], exclusive: [[relative, body]],
                    examples: [.init("uavlink goto -1 2 3", "to one metre west")]),
                CommandSpec("steer", summary: "steer by velocities", arguments: [duration, vx]),
                CommandSpec("exec", summary: "run a command on the vehicle", arguments: [words]),
                CommandSpec(
                    "trajectory", summary: "trajectories",
                    subcommands: [CommandSpec("check", summary: "check a file", arguments: [file])]),
            ], runsWithoutSubcommand: true,
            exitCodes: [.init(0, "done"), .init(2, "usage")]),
        version: "1.2.3")

    static func run(_ line: String) throws -> ParsedCommand {
        let outcome = program.parse(line.split(separator: " ").map(String.init))
        guard case .run(let parsed) = outcome else { throw UsageError("not run: \(outcome)", hint: "") }
        return parsed
    }

    static func failure(_ words: [String]) -> String? {
        guard case .fail(let error) = program.parse(words) else { return nil }
        return error.description
    }

    static func failure(_ line: String) -> String? {
        failure(line.split(separator: " ").map(String.init))
    }

    static func printed(_ line: String) -> String? {
        guard case .print(let text) = program.parse(line.split(separator: " ").map(String.init)) else { return nil }
        return text
    }
}
