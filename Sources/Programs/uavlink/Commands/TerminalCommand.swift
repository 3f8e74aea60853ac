import RemoteTerminalMode
import CommandLineKit
import ProgramKit
import SystemKit
import TerminalEmulation
import UAVLink
import VehicleAccess

/// `uavlink terminal`
enum TerminalCommand: Subcommand {
    static let spec = CommandSpec(
        "terminal", summary: "an interactive shell on the vehicle, in this terminal",
        discussion: """
            Like ssh: every key is sent to the shell, and its output is written to this terminal unchanged. The
            size follows the window. At the start of a line '~.' hangs up, '~?' prints this help, and '~~' sends one '~'. Exits
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
        let environment = HostProcess.environment
        let opener = ShellOpener(
            session.connector, environment: environment, terminalType: environment["TERM"] ?? "vt100")
        session.console.detail("opening a shell on \(opener.place)")
        // Before raw mode: the user may be asked for a password.
        let channel = try await opener.open(RawTerminal.size, within: session.timeout)
        let ending = try await PassThrough(channel: channel).run()
        switch ending {
        case .hungUp:
            session.console.progress("hung up")
            return .interrupted
        case .ended(let ending):
            if let signal = ending?.signal { session.console.error("the shell was ended by SIG\(signal)") }
            return ending?.status.map { ExitCode(rawValue: $0) } ?? .refused
        }
    }
}

/// Copies bytes between this terminal and a shell, in both directions.
private struct PassThrough {
    let channel: any ShellChannel

    enum Ending {
        case ended(ProgramEnding?)
        case hungUp
    }

    private static let quiet: Duration = .seconds(60)

    /// - Throws: ``LinkError`` when the connection is lost, `CancellationError` when the program is interrupted.
    func run() async throws -> Ending {
        let terminal = try RawTerminal()
        let hangUp = HangUp()
        var screen = AlternateScreenWatch()
        let resizes = RawTerminal.onResize { [channel] in channel.resize($0) }
        // The size may have changed while the shell was opened.
        channel.resize(RawTerminal.size)
        let typing = Task { [channel] in
            var escapes = EscapeKeys()
            for await bytes in StandardInput.bytes {
                let (send, action) = escapes.feed(bytes)
                do throws(LinkError) {
                    if !send.isEmpty { try await channel.write(send, within: Self.quiet) }
                } catch {
                    // The reader gets the error.
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
            // End of input: the terminal was closed.
            channel.close()
        }
        defer {
            typing.cancel()
            withExtendedLifetime(resizes) {}
            channel.close()
        }
        do {
            let ending = try await withTaskCancellationHandler {
                try await show(&screen)
            } onCancel: { [channel] in
                channel.close()
            }
            terminal.restore(isClean: true, isAlternate: screen.isShown)
            return .ended(ending)
        } catch {
            terminal.restore(isClean: false, isAlternate: screen.isShown)
            if hangUp.isWanted { return .hungUp }
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private func show(_ screen: inout AlternateScreenWatch) async throws(LinkError) -> ProgramEnding? {
        while true {
            do throws(LinkError) {
                guard let bytes = try await channel.read(within: Self.quiet) else { return channel.ending }
                screen.feed(bytes)
                await RawTerminal.write(bytes)
            } catch  where error.code == .timedOut {
                continue
            }
        }
    }
}
