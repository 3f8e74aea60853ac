import CommandLineKit
import Modules
import UAVLink
import VehicleAccess

/// One thing the program does: what a person types, and the interactor it is handed to.
protocol Subcommand: Sendable {
    /// Name, options, help.
    static var spec: CommandSpec { get }

    /// Does it.
    ///
    /// - Throws: `UsageError`, ``UAVLink/LinkError`` or ``Modules/FlightInteractor/Failure``.
    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode
}

/// What a subcommand works with: the vehicle that is meant and where to print.
struct CommandSession: Sendable {
    let console: Console
    let connector: VehicleConnector
    let timeout: Duration
    /// Where flights are recorded; `nil` records nothing.
    let recordings: Recordings?
    let clock: any MonotonicClock = SystemMonotonicClock()

    /// Runs `body` with a connected link and closes it after, whatever happens.
    func withLink(
        _ choice: VehicleProfile.LinkChoice? = nil, _ body: (any UAVLink) async throws -> ExitCode
    ) async throws -> ExitCode {
        let console = console
        let link = try await connector.connect(choice, within: timeout) { console.detail($0) }
        if let warning = link.quality.versionWarning { console.progress("warning: \(warning)") }
        do {
            let code = try await body(link)
            await link.close()
            await connector.close()
            return code
        } catch {
            await link.close()
            await connector.close()
            throw error
        }
    }

    /// How long each step of a flight may take with this `--timeout`.
    var limits: FlightInteractor.Limits {
        var limits = FlightInteractor.Limits()
        limits.answer = timeout
        return limits
    }
}
