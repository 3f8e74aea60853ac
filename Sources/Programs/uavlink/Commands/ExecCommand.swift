import RemoteTerminalMode
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
    static let forwardsInput = Argument.flag("stdin", help: "pass this program's standard input to the command")

    static let spec = CommandSpec(
        "exec", summary: "run a command on the vehicle over SSH",
        discussion: """
            The words are joined by spaces and passed to the login shell of the vehicle, as ssh does. Standard output
            and standard error stay separate and are shown as they arrive. Ctrl-C ends the command on the vehicle. Exits with 0 when the command
            did, else with 1; --json prints the exit status at the end.
            """,
        arguments: [words, forwardsInput],
        examples: [
            .init("uavlink exec -- rosnode list", "which nodes run on the vehicle"),
            .init("uavlink exec --stdin -- 'cat > notes.txt' < notes.txt", "send it a file"),
        ])

    /// With `--json` the output is buffered until the end; longer output is truncated to this many bytes per stream.
    private static let longestKept = 16 << 20

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let line = try arguments[words].joined(separator: " ")
        if session.connector.profile.isSimulatedOnly {
            throw UsageError(
                "the simulated vehicle has no computer to run commands on",
                hint: "name a vehicle with a host: --vehicle NAME, or --host and --user")
        }
        let console = session.console
        console.name(session.connector.target)
        var output: [UInt8] = []
        var errors: [UInt8] = []
        let interactor = RemoteCommandInteractor(connector: session.connector, timeout: session.timeout)
        let input = try arguments[forwardsInput] ? StandardInput.bytes : nil
        let exit: SSHExit?
        var interruption: Result<Void, LinkError>?
        do throws(LinkError) {
            exit = try await interactor.run(line, input: input) {
                interruption = $0
            } onOutput: { chunk in
                guard console.isJSON else { return show(chunk) }
                switch chunk.stream {
                case .output: output += chunk.bytes.prefix(longestKept - output.count)
                case .error: errors += chunk.bytes.prefix(longestKept - errors.count)
                }
            }
        } catch {
            guard let interruption else { throw error }
            throw failure(after: interruption)
        }
        await session.connector.close()
        console.result([
            "ok": .bool(exit?.isSuccess ?? false), "exit_status": JSONValue(exit?.status),
            "exit_signal": JSONValue(exit?.signal), "stdout": .string(String(decoding: output, as: UTF8.self)),
            "stderr": .string(String(decoding: errors, as: UTF8.self)),
        ])
        if let signal = exit?.signal { console.error("the command was ended by SIG\(signal)") }
        if let status = exit?.status, status != 0, !console.isQuiet {
            console.error("the command ended with exit status \(status)")
        }
        return exit?.isSuccess == true ? .done : .refused
    }

    /// Says how the end of the interrupted command went.
    private static func failure(after interruption: Result<Void, LinkError>) -> CommandFailure {
        do throws(LinkError) { try interruption.get() } catch {
            return CommandFailure(
                "interrupted, but the command may still run on the vehicle: \(error.what)",
                hint: "'uavlink exec -- ps x' lists what runs there", code: .interrupted, ofVehicle: true)
        }
        return CommandFailure("interrupted; the command was ended", code: .interrupted, ofVehicle: true)
    }

    /// On a terminal the output is sanitized; into a file or a pipe it is written unchanged.
    private static func show(_ chunk: SSHChunk) {
        let stream: StandardStream = chunk.stream == .output ? .output : .error
        stream.write(
            stream.isTerminal ? Array(String(decoding: chunk.bytes, as: UTF8.self).sanitized.utf8) : chunk.bytes)
    }
}
