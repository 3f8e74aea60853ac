import CommandLineKit
import FuzzKit

/// Any words, parted by zeros, as the arguments of a program that has every kind of argument: values are in their ranges,
/// and a mistake is reported in one line.
@main enum FuzzCommandLine: FuzzTarget {
    private enum Link: String, CaseIterable, Sendable { case ssh, tcp, udp }

    private static let json = Argument.flag("json", help: "j")
    private static let verbose = Argument.count("verbose", short: "v", help: "v")
    private static let host = Argument.option("host", .text.called("HOST"), help: "h")
    private static let link = Argument.option(
        "link", short: "l", ValueKind<Link>.choice, default: .udp, defaultText: "udp", help: "l")
    private static let defines = Argument.repeatedOption("define", short: "D", .text, help: "d")
    private static let x = Argument.parameter("X", .number(in: -1e6...1e6, unit: "metres"), help: "x")
    private static let heading = Argument.optionalParameter("HEADING", .degrees(), help: "h")
    private static let relative = Argument.flag("relative", help: "r")
    private static let body = Argument.flag("body", help: "b")
    private static let duration = Argument.requiredOption(
        "for", .duration(in: .milliseconds(10) ... .seconds(3600)), help: "d")
    private static let count = Argument.option("count", .integer(in: -5...5), help: "c")
    private static let words = Argument.rest("WORD", .text, isRequired: true, help: "w")
    private static let program = Program(
        CommandSpec(
            "program", summary: "s", arguments: [json, verbose, host, link, defines],
            subcommands: [
                CommandSpec(
                    "goto", summary: "s", arguments: [x, heading, relative, body], exclusive: [[relative, body]]),
                CommandSpec("steer", summary: "s", arguments: [duration, count]),
                CommandSpec("exec", summary: "s", arguments: [words]),
            ], runsWithoutSubcommand: true),
        version: "1")

    static func test(_ bytes: [UInt8]) {
        let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch program.parse(arguments) {
        case .print(let text): precondition(!text.isEmpty, "nothing to print")
        case .fail(let error):
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
        case .run(let parsed): check(parsed)
        }
    }

    private static func check(_ parsed: ParsedCommand) {
        do {
            try require(parsed[verbose] >= 0 && Link.allCases.contains(parsed[link]), "a wrong option")
            try require(parsed[host] != "" && parsed[defines].allSatisfy { !$0.isEmpty }, "an empty text")
            switch parsed.path {
            case ["goto"]:
                try require(abs(parsed[x]) <= 1e6 && abs(parsed[heading] ?? 0) <= 360, "a number out of its range")
                try require(!(parsed[relative] && parsed[body]), "two that exclude each other")
            case ["steer"]:
                let time = try parsed[duration]
                require(time >= .milliseconds(10) && time <= .seconds(3600), "a duration out of its range")
                require(DurationText.read(DurationText.written(time)) != nil, "a duration is not read back")
                try require((-5...5).contains(parsed[count] ?? 0), "a count out of its range")
            case ["exec"]: try require(!parsed[words].isEmpty, "a required word is missing")
            default: break
            }
        } catch {
            preconditionFailure("a declared argument cannot be read: \(error)")
        }
    }

    private static func require(_ holds: Bool, _ otherwise: String) { precondition(holds, otherwise) }
}
