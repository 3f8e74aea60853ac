import CommandLineKit
import ReportKit
import UAVLink
import VehicleAccess

/// `uavlink send`
enum SendCommand: Subcommand {
    static let text = Argument.parameter("TEXT", ValueKind.text.called("TEXT"), help: "what is sent, as it is")
    static let hex = Argument.flag("hex", help: "TEXT is bytes in hexadecimal, such as '3c 31 32 38 3e'")
    static let listen = Argument.option(
        "listen", .duration(in: .zero ... .seconds(3600)), default: .seconds(1), defaultText: "1s",
        help: "how long to print what the machine sends, such as 3s")

    static let spec = CommandSpec(
        "send", summary: "send text to a machine that is driven by text, and print what it answers",
        discussion: """
            Nothing is added to the text, no line end either. The machine acknowledges nothing: success means that the port has
            taken the text. A task goes on when this command ends; what is driven by a direction's key is stopped.
            """,
        arguments: [text, hex, listen],
        examples: [
            .init("uavlink --link bluno:///dev/ttyACM0 send 2", "start the robot's task 2"),
            .init("uavlink --link bluno:///dev/ttyACM0 send '<128>f' --listen 3s", "drive forward for three seconds"),
        ])

    /// How often new lines are looked for.
    private static let period: Duration = .milliseconds(50)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let bytes = try bytes(arguments)
        let howLong = try arguments[listen]
        return try await session.withLink { link in
            guard let robot = link.capabilities.robot else {
                throw CommandFailure(
                    "it is not driven by text",
                    hint: "this is for machines such as bluno:///dev/ttyACM0", code: .usage, ofVehicle: true)
            }
            var last = robot.log(after: 0).last?.number ?? 0
            let begin = session.clock.now
            try robot.send(bytes)
            var received: [String] = []
            while true {
                let isOver = session.clock.now >= begin + howLong || Task.isCancelled
                for line in robot.log(after: last) {
                    last = line.number
                    guard line.kind == .received else { continue }
                    received.append(line.text)
                    session.console.result(line.text.sanitizedLine)
                }
                if case .lost(let why) = robot.robot.phase {
                    throw CommandFailure(
                        why, hint: "check its cable", code: .refused, ofVehicle: true)
                }
                if isOver { break }
                try? await Task.sleep(for: period)
            }
            let isInterrupted = Task.isCancelled
            session.console.result(
                .object([
                    .init("ok", .bool(!isInterrupted)), .init("bytes", JSONValue(bytes.count)),
                    .init("received", .array(received.map(JSONValue.string))),
                ]), failure: isInterrupted ? "interrupted" : nil)
            return isInterrupted ? .interrupted : .done
        }
    }

    private static func bytes(_ arguments: ParsedCommand) throws -> [UInt8] {
        let text = try arguments[text]
        guard try arguments[hex] else { return Array(text.utf8) }
        guard let bytes = HexBytes.read(text) else {
            throw UsageError("'\(text)' is not bytes in hexadecimal", hint: "two digits each, such as '3c 31 3e'")
        }
        return bytes
    }
}
