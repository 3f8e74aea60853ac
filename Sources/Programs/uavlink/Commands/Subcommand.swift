import FlightControl
import FlightRecorder
import CommandLineKit
import Synchronization
import UAVLink
import VehicleAccess

/// A subcommand of the program, which parses its options and calls an interactor.
protocol Subcommand: Sendable {
    /// The name, options and help.
    static var spec: CommandSpec { get }

    /// Runs the subcommand.
    ///
    /// - Throws: `UsageError`, ``UAVLink/LinkError`` or ``FlightControl/FlightInteractor/Failure``.
    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode
}

/// Whether a flight command was handed to a link: one that is interrupted before has sent nothing.
final class SentMark: Sendable {
    private let mark = Atomic(false)

    var isSet: Bool { mark.load(ordering: .relaxed) }

    /// Call it before the command is handed over.
    func set() { mark.store(true, ordering: .relaxed) }
}

/// The context of a subcommand: the selected vehicle and the output.
struct CommandSession: Sendable {
    let console: Console
    let connector: VehicleConnector
    let timeout: Duration
    /// Where flights are recorded; `nil` when recording is off.
    let recordings: Recordings?
    let clock: any MonotonicClock = SystemMonotonicClock()
    /// Whether anything was sent that commands the vehicle.
    let sent = SentMark()

    /// Runs `body` with a connected link and closes it afterwards, also after an error.
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
            // Asked while the vehicle can still say whether it is simulated.
            _ = connector.target
            await link.close()
            await connector.close()
            throw error
        }
    }

    /// Connects a link and prints its warnings, with `--json` in every result too; each result then names the vehicle.
    func connect(_ choice: VehicleProfile.LinkChoice? = nil) async throws(LinkError) -> any UAVLink {
        let console = console
        let link: any UAVLink
        do throws(LinkError) {
            link = try await connector.connect(choice, within: timeout, progress: { console.detail($0) })
        } catch {
            // The line of the error says it too.
            if let fallback = connector.fallback {
                console.describe(fallback, install: connector.profile.deployAdvice)
            }
            throw error
        }
        if let fallback = connector.fallback { console.describe(fallback, install: connector.profile.deployAdvice) }
        console.name(connector.target, rosMaster: connector.rosMaster(of: link.kind))
        for warning in [connector.fallback?.warning, link.quality.versionWarning].compactMap(\.self) {
            console.progress("warning: \(warning)")
        }
        let isMissing = connector.fallback?.lacksCompanion == true
        if !connector.profile.isLocal, isMissing || link.quality.versionWarning != nil {
            console.progress("hint: \(connector.profile.deployAdvice)")
        }
        return link
    }

    /// What flies the vehicle over a link, and marks what was sent.
    func flight(over link: any UAVLink) -> FlightInteractor {
        FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits, onSend: { [sent] in sent.set() })
    }

    /// The time limits of flight steps with this `--timeout`.
    var limits: FlightInteractor.Limits {
        var limits = FlightInteractor.Limits()
        limits.answer = timeout
        return limits
    }
}
