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
        let terminal: TerminalDevice
        do throws(TerminalDevice.Failure) {
            terminal = try TerminalDevice(type: environment["TERM"])
        } catch {
            throw UsageError(error.description, hint: error.hint)
        }
        let (fleet, abilities) = (Fleet(), TerminalAbilities())
        let file = try configuration(arguments, environment)
        let preferences = try preferences(of: file, arguments)
        let gamepads = gamepads(file, environment)
        var catalog = ModeCatalog(
            .init(
                fleet: fleet, environment: environment,
                login: try login(arguments, session, fleet: fleet, environment: environment), abilities: abilities,
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

    /// How it looks and sounds. Where the configuration was left out, with a warning, it is left out here too.
    private static func preferences(
        of file: ConfigurationFile, _ arguments: ParsedCommand
    ) throws -> FrontEndPreferences {
        do throws(LinkError) { return try file.read().frontEnd } catch {
            guard try CommandSession.leavesOut(file, arguments) else { throw error }
            return FrontEndPreferences()
        }
    }

    private static func keys(
        _ preferences: FrontEndPreferences, _ file: ConfigurationFile
    ) throws -> [String: KeyEvent] {
        let keys = try preferences.keys.mapValues { label in
            guard let key = KeyEvent(label: label), key.isFreeForActions else {
                throw UsageError(
                    "\(file.path): front-end: keys: '\(label.sanitizedLine)' is not a key that an action can have",
                    hint:
                        "a function key such as F3, Insert, or a letter with Ctrl or Alt such as Ctrl-O; not Ctrl-C, L, Z"
                )
            }
            return key
        }
        if let conflict = KeyConflict(in: keys) {
            throw UsageError(
                "\(file.path): front-end: keys: \(conflict.text)", hint: "give each action a key of its own")
        }
        return keys
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
        return LoginBuilder.Dependency(
            fleet: fleet, configuration: try configuration(arguments, environment), environment: environment,
            acceptsNewHostKey: try arguments[VehicleOptions.acceptNewHostKey],
            preset: isNamed ? LoginPreset(profile: profile, logsInImmediately: true) : nil, timeout: session.timeout,
            recordings: session.recordings)
    }

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

extension KeyEvent {
    /// Whether the key is needed neither for typing nor for editing a line, and has no meaning of its own on every screen.
    fileprivate var isFreeForActions: Bool {
        switch (key, modifiers) {
        case (.function, []), (.insert, []): true
        // Ctrl-H, I, J, M and the bracket are Backspace, Tab, Enter and Esc for a terminal.
        case (.character(let character), .control): character.isLetter && !"chijlmz".contains(character)
        case (.character(let character), .alt): character.isLetter
        default: false
        }
    }
}
