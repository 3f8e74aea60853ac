import FlightControl
import FlightRecorder
import CommandLineKit
import UAVLink
import VehicleAccess

/// One thing the program does: what a person types, and the interactor it is handed to.
protocol Subcommand: Sendable {
    /// Name, options, help.
    static var spec: CommandSpec { get }

    /// Does it.
    ///
    /// - Throws: `UsageError`, ``UAVLink/LinkError`` or ``FlightControl/FlightInteractor/Failure``.
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
        let link = try await connect(choice)
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

    /// A connected link, with what a person is warned of told.
    func connect(_ choice: VehicleProfile.LinkChoice? = nil) async throws(LinkError) -> any UAVLink {
        let console = console
        let link = try await connector.connect(choice, within: timeout, progress: { console.detail($0) })
        for warning in [connector.fallback?.warning, link.quality.versionWarning].compactMap(\.self) {
            console.progress("warning: \(warning)")
        }
        return link
    }

    /// How long each step of a flight may take with this `--timeout`.
    var limits: FlightInteractor.Limits {
        var limits = FlightInteractor.Limits()
        limits.answer = timeout
        return limits
    }
}
