import FlightControl
import LoginMode
import SystemKit
import Workspace
import CommandLineKit
import GameController
import ProgramKit
import TextScreen
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `uavlink` without a subcommand: the text front end.
@MainActor
enum FrontEndCommand {
    /// Names a pipe whose lines move a virtual SDL game controller: for tests and demonstrations.
    private static let virtualController = "UAVLINK_VIRTUAL_CONTROLLER"

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let environment = HostProcess.environment
        let fleet = Fleet()
        let login = try login(arguments, session, fleet: fleet, environment: environment)
        let terminal: TerminalDevice
        do throws(TerminalDevice.Failure) {
            terminal = try TerminalDevice(type: environment["TERM"])
        } catch {
            throw UsageError(error.description, hint: error.hint)
        }
        let abilities = TerminalAbilities()
        let file = try configuration(arguments, environment)
        let preferences = try file.read().frontEnd
        let gamepads = gamepads(file, environment)
        var catalog = ModeCatalog(
            .init(
                fleet: fleet, environment: environment, login: login, abilities: abilities,
                makeGamepads: { SDLGamepads(gamepads) }, recordings: session.recordings))
        let frontEnd = FrontEnd(
            terminal: terminal,
            settings: .init(
                appearance: Appearance(
                    environment: environment, theme: Theme(rawValue: preferences.theme) ?? .dark,
                    isASCII: preferences.isASCII),
                fleet: fleet, recordings: session.recordings, abilities: abilities,
                hasBell: preferences.hasBell, keys: try keys(preferences, file),
                force: { _exit(InterruptWatch.exitCode(ofSignal: SIGTERM)) }, losses: { catalog.losses }
            ) { mode, stage in catalog.make(mode, on: stage) })
        do throws(TerminalDevice.Failure) {
            try await frontEnd.run()
        } catch {
            throw UsageError(error.description, hint: error.hint)
        }
        return Task.isCancelled ? .interrupted : .done
    }

    private static func keys(
        _ preferences: FrontEndPreferences, _ file: ConfigurationFile
    ) throws -> [String: KeyEvent] {
        do throws(KeyBindingProblem) { return try KeyBindings.keys(preferences.keys) } catch {
            throw UsageError("\(file.path): \(error.what)", hint: error.hint)
        }
    }

    private static func login(
        _ arguments: ParsedCommand, _ session: CommandSession, fleet: Fleet, environment: [String: String]
    ) throws -> LoginBuilder.Dependency {
        var profile = session.connector.profile
        profile.passwordFile = try arguments[VehicleOptions.passwordFile] ?? profile.passwordFile
        // With a vehicle or a link on the command line, connect at once; otherwise show the log-in screen.
        let isNamed =
            try arguments[VehicleOptions.host] != nil || arguments[VehicleOptions.vehicle] != nil
            || arguments[VehicleOptions.link] != nil
        if !isNamed, profile.host == nil, let option = ofLogIn.first(where: { arguments.isGiven($0) }) {
            throw UsageError(
                "\(option.spec.label) is of a log-in over SSH, and no vehicle with an address is named",
                hint: "name it with --vehicle or --host, or as the 'default' of the configuration file")
        }
        let isFilledIn = isNamed || (ofLogIn + ofVehicle).contains { arguments.isGiven($0) }
        return LoginBuilder.Dependency(
            fleet: fleet, configuration: try configuration(arguments, environment), environment: environment,
            acceptsNewHostKey: try arguments[VehicleOptions.acceptNewHostKey],
            preset: isFilledIn ? LoginPreset(profile: profile, logsInImmediately: isNamed) : nil,
            timeout: session.timeout, recordings: session.recordings)
    }

    /// What is used for a log-in over SSH.
    private static let ofLogIn: [any ArgumentDeclaration] = [
        VehicleOptions.passwordFile, VehicleOptions.user, VehicleOptions.port, VehicleOptions.identity,
    ]

    /// What else changes the vehicle of the configuration, without naming it.
    private static let ofVehicle: [any ArgumentDeclaration] = [
        VehicleOptions.uav, VehicleOptions.ros, VehicleOptions.router, VehicleOptions.routerCA, VehicleOptions.domain,
    ]

    private static func configuration(
        _ arguments: ParsedCommand, _ environment: [String: String]
    ) throws -> ConfigurationFile {
        ConfigurationFile(path: try arguments[VehicleOptions.config], environment: environment)
    }

    /// Additional mappings are read from the folder of the configuration file.
    private static func gamepads(
        _ configuration: ConfigurationFile, _ environment: [String: String]
    ) -> SDLGamepads.Settings {
        let folder = FilePath.folder(of: configuration.path)
        return SDLGamepads.Settings(
            mappingsFile: FilePath.joined(folder, "gamecontrollerdb.txt"),
            virtualController: environment[virtualController])
    }
}
