import RemoteTerminalMode
import CommandLineKit
import Foundation
import ProgramKit
import TerminalEmulation
import UAVLink
import VehicleAccess

/// `uavlink terminal`
enum TerminalCommand: Subcommand {
    static let spec = CommandSpec(
        "terminal", summary: "an interactive shell on the vehicle, in this terminal",
        discussion: """
            As ssh has it: every key goes to the shell, and what programs there write goes to this terminal as it comes. The
            size follows the window's. At the beginning of a line '~.' hangs up, '~?' tells this, and '~~' sends one '~'. Ends
            with the shell's exit status. For a vehicle without a host it is a shell on this machine.

            The same shell, with scrollback and search, is in the text front end: 'uavlink' without a subcommand.
            """,
        examples: [.init("uavlink terminal --host 192.168.69.101 --user mrs", "a shell on a vehicle")])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard StandardInput.isTerminal, StandardStream.output.isTerminal else {
            throw UsageError(
                "'uavlink terminal' needs a terminal at its standard input and output",
                hint: "for one command use 'uavlink exec -- COMMAND'")
        }
        let environment = ProcessInfo.processInfo.environment
        let opener = ShellOpener(
            session.connector, environment: environment, terminalType: environment["TERM"] ?? "vt100")
        session.console.detail("opening a shell on \(opener.place)")
        // Before the terminal is raw: a password may be asked for.
        let channel = try await opener.open(RawTerminal.size, within: session.timeout)
        let ending = try await PassThrough(channel: channel).run()
        switch ending {
        case .hungUp:
            session.console.progress("hung up")
            return .interrupted
        case .ended(let ending):
            if let signal = ending?.signal { Console.error("the shell was ended by SIG\(signal.harmlessLine)") }
            return ending?.status.map { ExitCode(rawValue: $0) } ?? .refused
        }
    }
}

/// Bytes between this terminal and a shell, both ways.
private struct PassThrough {
    let channel: any ShellChannel

    enum Ending {
        case ended(ProgramEnding?)
        case hungUp
    }

    private static let quiet: Duration = .seconds(60)

    /// - Throws: ``LinkError`` when the connection is lost, or the program was told to end.
    func run() async throws -> Ending {
        let terminal = try RawTerminal()
        let hangUp = HangUp()
        let resizes = RawTerminal.onResize { [channel] in channel.resize($0) }
        // It may have changed while the shell was opened.
        channel.resize(RawTerminal.size)
        let typing = Task { [channel] in
            var escapes = EscapeKeys()
            for await bytes in StandardInput.bytes {
                let (send, action) = escapes.feed(bytes)
                do throws(LinkError) {
                    if !send.isEmpty { try await channel.write(send, within: Self.quiet) }
                } catch {
                    // The reader learns why.
                    return
                }
                switch action {
                case .hangUp:
                    hangUp.isWanted = true
                    return channel.close()
                case .explain: await RawTerminal.write(EscapeKeys.explanation)
                case nil: break
                }
            }
            // This terminal is gone, and so is whoever sat at it.
            channel.close()
        }
        defer {
            typing.cancel()
            withExtendedLifetime(resizes) {}
            channel.close()
        }
        do {
            let ending = try await withTaskCancellationHandler {
                try await show()
            } onCancel: { [channel] in
                channel.close()
            }
            terminal.restore(isClean: true)
            return .ended(ending)
        } catch {
            terminal.restore(isClean: false)
            if hangUp.isWanted { return .hungUp }
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private func show() async throws(LinkError) -> ProgramEnding? {
        while true {
            do throws(LinkError) {
                guard let bytes = try await channel.read(within: Self.quiet) else { return channel.ending }
                await RawTerminal.write(bytes)
            } catch  where error.code == .timedOut {
                continue
            }
        }
    }
}
