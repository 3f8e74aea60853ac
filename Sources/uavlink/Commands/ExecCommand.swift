import CommandLineKit
import ProgramKit
import ReportKit
import SSHTransport
import UAVLink
import VehicleAccess

/// `uavlink exec`
enum ExecCommand: Subcommand {
    static let words = Argument.rest(
        "COMMAND", ValueKind.text.called("COMMAND"), isRequired: true, help: "the command line, after --")

    static let spec = CommandSpec(
        "exec", summary: "run a command on the vehicle over SSH",
        discussion: """
            The words are joined by blanks and given to the login shell of the vehicle, as ssh does. Standard output and
            standard error stay apart. Ends with 0 when the command did, else with 1; --json tells its exit status.
            """,
        arguments: [words],
        examples: [.init("uavlink exec -- rosnode list", "which nodes run on the vehicle")])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let line = try arguments[words].joined(separator: " ")
        let ssh = try await session.connector.session(within: session.timeout)
        let result = try await ssh.run(line, within: session.timeout)
        await session.connector.close()
        let (output, errors) = (result.outputText, result.errorText)
        session.console.result([
            "ok": .bool(result.exitStatus == 0), "exit_status": JSONValue(result.exitStatus),
            "exit_signal": JSONValue(result.exitSignal), "stdout": .string(output), "stderr": .string(errors),
        ])
        if !session.console.isJSON {
            // What a terminal would obey is shown instead; into a file or pipe it goes as it came.
            let (out, err) = (StandardStream.output, StandardStream.error)
            out.write(out.isTerminal ? Array(output.harmless.utf8) : result.standardOutput)
            err.write(err.isTerminal ? Array(errors.harmless.utf8) : result.standardError)
        }
        if let signal = result.exitSignal { Console.error("the command was ended by SIG\(signal)") }
        if let status = result.exitStatus, status != 0, !session.console.isQuiet {
            Console.error("the command ended with exit status \(status)")
        }
        return result.exitStatus == 0 ? .done : .refused
    }
}
