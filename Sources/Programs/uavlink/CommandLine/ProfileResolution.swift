import FlightControl
import FlightRecorder
import CommandLineKit
import SSHTransport
import SystemKit
import UAVLink
import VehicleAccess
import Workspace

extension Console {
    /// The output that the options ask for.
    init(_ arguments: ParsedCommand) throws {
        self.init(
            isJSON: try arguments[VehicleOptions.json], isQuiet: try arguments[VehicleOptions.quiet],
            isVerbose: try arguments[VehicleOptions.verbose] > 0)
        repeats(VehicleOptions.repeated(of: arguments))
    }
}

extension CommandSession {
    /// The commands that stop, land or switch off a vehicle: nothing that can wait goes before them.
    private static let halts: Set = ["hover", "ehover", "eland", "land", "land-home", "disarm", "stop"]

    /// Determines the vehicle and how to log in to it.
    ///
    /// - Throws: `UsageError`, or ``UAVLink/LinkError`` for a configuration that cannot be read.
    init(_ arguments: ParsedCommand, _ console: Console) throws {
        let environment = HostProcess.environment
        let profile = try Self.profile(arguments, environment: environment, console)
        let credentials = Credentials(
            passwordFile: try arguments[VehicleOptions.passwordFile],
            acceptsNewHostKey: try arguments[VehicleOptions.acceptNewHostKey],
            userPrompt: TerminalUser.ifPresent)
        let path = try arguments[VehicleOptions.record]
        // The front end can begin a recording later.
        let isRecording = path != nil || arguments.path.isEmpty
        let format = try arguments[VehicleOptions.format]
        guard isRecording || format == nil else {
            throw UsageError("--format is of recordings, and nothing is recorded", hint: "give --record FILE too")
        }
        let recordings = isRecording ? Recordings(path: path, format: format) : nil
        self.init(
            console: console,
            connector: VehicleConnector(
                profile: profile, credentials: credentials, environment: environment,
                decorate: Recordings.decoration(
                    recordings, vehicle: profile.vehicle, isROS2: profile.ros.isTwo,
                    mayWait: !Self.halts.contains(arguments.path.last ?? ""))),
            timeout: try arguments[VehicleOptions.timeout], recordings: recordings)
    }

    private static func profile(
        _ arguments: ParsedCommand, environment: [String: String], _ console: Console
    ) throws -> VehicleProfile {
        var profile: VehicleProfile
        let place = try Self.parameter(of: arguments)
        let choice = try arguments[VehicleOptions.link].flatMap { VehicleProfile.LinkChoice(word: $0) }
        if choice?.machine != nil, arguments.isGiven(VehicleOptions.host) {
            throw UsageError(
                "--host and the address of a machine cannot be combined",
                hint: "leave out --host: the address has its own")
        }
        if let host = try arguments[VehicleOptions.host] {
            profile = VehicleProfile(name: host)
            profile.host = host
        } else {
            let file = ConfigurationFile(path: try arguments[VehicleOptions.config], environment: environment)
            let known = try configuration(file, arguments, console)
            // The default vehicle of the configuration is another one than the one that is started here.
            let named: String? = try arguments[VehicleOptions.vehicle]
            let name = isSimulator(arguments) ? VehicleProfile.simulatedName : named
            profile = try place.map { try Self.profile(at: $0, known) } ?? Self.profile(named: name, known)
        }
        if let choice { profile.use(choice) }
        if let port = try arguments[VehicleOptions.port] { profile.port = port }
        if let user = try arguments[VehicleOptions.user] { profile.user = user }
        if let identity = try arguments[VehicleOptions.identity] { profile.identities = [identity] }
        if let uav = try arguments[VehicleOptions.uav] {
            guard VehicleProfile.isVehicleName(uav) else {
                throw UsageError(
                    "'\(uav)' is not a valid vehicle name", hint: "use a letter, then letters, digits and '_'")
            }
            profile.vehicle = uav
        }
        if let version = try arguments[VehicleOptions.ros] { profile.ros.version = version }
        if let router = try arguments[VehicleOptions.router] { profile.ros.use(router: router) }
        if let file = try arguments[VehicleOptions.routerCA] { profile.ros.authorityFile = FilePath.absolute(file) }
        if let domain = try arguments[VehicleOptions.domain] { profile.ros.domain = UInt32(clamping: domain) }
        try profile.ros.check()
        if place != nil { console.repeats(VehicleOptions.repeated(of: arguments, at: profile)) }
        // A companion is put onto a host, whatever link is flown.
        return place == nil ? profile.flown : profile
    }

    /// The configuration; for a simulated vehicle, which needs nothing of it, one that cannot be read is left out with a warning.
    private static func configuration(
        _ file: ConfigurationFile, _ arguments: ParsedCommand, _ console: Console
    ) throws -> Configuration {
        do throws(LinkError) {
            let read = try file.read()
            if let warning = keyWarning(read, of: file, arguments) { console.warning(warning) }
            return read
        } catch {
            guard try leavesOut(file, arguments) else { throw error }
            console.warning("\(error.description); going on without the configuration file")
            return Configuration()
        }
    }

    /// What is wrong with the keys of the front end, which refuses to start with them; a command needs none, and must not fail by them.
    private static func keyWarning(
        _ configuration: Configuration, of file: ConfigurationFile, _ arguments: ParsedCommand
    ) -> String? {
        guard !arguments.path.isEmpty else { return nil }
        do throws(KeyBindingProblem) { _ = try KeyBindings.keys(configuration.frontEnd.keys) } catch {
            return "\(file.path): \(error.what); \(error.hint)"
        }
        return nil
    }

    /// Whether a configuration that cannot be read is left out: a simulated vehicle needs nothing of it, nor does a machine that is given
    /// by its address, and the user named no file. The front end has its keys, its bell and its colours from it, and never goes on without.
    private static func leavesOut(_ file: ConfigurationFile, _ arguments: ParsedCommand) throws -> Bool {
        guard !arguments.path.isEmpty else { return false }
        let name = try arguments[VehicleOptions.vehicle]
        let link = try arguments[VehicleOptions.link].flatMap { VehicleProfile.LinkChoice(word: $0) }
        let isElsewhere = link == .only(.sim) || link?.machine != nil
        let needsNothing =
            isSimulator(arguments) || (name == nil && isElsewhere)
            || [VehicleProfile.simulatedName, VehicleProfile.localName].contains(name)
        return needsNothing && !file.isRequired
    }

    /// Whether the command starts the simulated vehicle.
    private static func isSimulator(_ arguments: ParsedCommand) -> Bool {
        arguments.path.first == SimCommand.spec.name
    }

    /// The vehicle that a subcommand takes as its parameter.
    private static func parameter(of arguments: ParsedCommand) throws -> String? {
        guard arguments.path.first == DeployCommand.spec.name, let place = try arguments[DeployCommand.place] else {
            return nil
        }
        for option in [VehicleOptions.host, VehicleOptions.vehicle] where arguments.isGiven(option) {
            throw UsageError("\(option.spec.label) and HOST cannot be combined", hint: "use only one of them")
        }
        return place
    }

    /// The vehicle of the configuration with that name; an unknown one is compared with those that there are.
    private static func profile(
        named name: String?, _ configuration: Configuration
    ) throws(LinkError) -> VehicleProfile {
        do throws(LinkError) { return try configuration.profile(named: name) } catch {
            let names = configuration.vehicles.map(\.name) + [VehicleProfile.simulatedName, VehicleProfile.localName]
            guard let name, !names.contains(name), let near = Suggestion.nearest(to: name, among: names) else {
                throw error
            }
            throw LinkError(error.code, error.what, hint: "did you mean '\(near)'? \(error.hint)")
        }
    }

    /// The vehicle of the configuration with that name, else the host, which may have a user in front.
    private static func profile(at place: String, _ configuration: Configuration) throws -> VehicleProfile {
        let names = configuration.vehicles.map(\.name) + [VehicleProfile.simulatedName]
        if names.contains(place) { return try configuration.profile(named: place) }
        let parts = place.split(separator: "@", omittingEmptySubsequences: false)
        let host = String(parts[parts.count - 1])
        let user = parts.dropLast().joined(separator: "@")
        guard !host.isEmpty, parts.count == 1 || !user.isEmpty else {
            throw UsageError("'\(place)' is no host", hint: "use HOST, USER@HOST, or a vehicle of the configuration")
        }
        var profile = VehicleProfile(name: host)
        profile.host = host
        if parts.count > 1 { profile.user = user }
        return profile
    }
}
