import FlightRecorder
import CommandLineKit
import SSHTransport
import SystemKit
import UAVLink
import VehicleAccess

extension Console {
    /// The output that the options ask for.
    init(_ arguments: ParsedCommand) throws {
        self.init(
            isJSON: try arguments[VehicleOptions.json], isQuiet: try arguments[VehicleOptions.quiet],
            isVerbose: try arguments[VehicleOptions.verbose] > 0)
    }
}

extension CommandSession {
    /// Determines the vehicle and how to log in to it.
    ///
    /// - Throws: `UsageError`, or ``UAVLink/LinkError`` for a configuration that cannot be read.
    init(_ arguments: ParsedCommand, _ console: Console) throws {
        let environment = HostProcess.environment
        let profile = try Self.profile(arguments, environment: environment)
        let credentials = Credentials(
            passwordFile: try arguments[VehicleOptions.passwordFile],
            acceptsNewHostKey: try arguments[VehicleOptions.acceptNewHostKey],
            userPrompt: TerminalUser.ifPresent)
        let path = try arguments[VehicleOptions.record]
        // The front end can begin a recording later.
        let recordings = path != nil || arguments.path.isEmpty ? Recordings(path: path) : nil
        self.init(
            console: console,
            connector: VehicleConnector(
                profile: profile, credentials: credentials, environment: environment,
                decorate: Recordings.decoration(recordings, vehicle: profile.vehicle)),
            timeout: try arguments[VehicleOptions.timeout], recordings: recordings)
    }

    private static func profile(_ arguments: ParsedCommand, environment: [String: String]) throws -> VehicleProfile {
        var profile: VehicleProfile
        if let host = try arguments[VehicleOptions.host] {
            profile = VehicleProfile(name: host)
            profile.host = host
        } else {
            let file = ConfigurationFile(path: try arguments[VehicleOptions.config], environment: environment)
            let known = try file.read()
            let name = try arguments[VehicleOptions.vehicle]
            do throws(LinkError) { profile = try known.profile(named: name) } catch {
                let names = known.vehicles.map(\.name) + [VehicleProfile.simulatedName]
                guard let name, !names.contains(name), let near = Suggestion.nearest(to: name, among: names) else {
                    throw error
                }
                throw LinkError(error.code, error.what, hint: "did you mean '\(near)'? \(error.hint)")
            }
        }
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
        if let word = try arguments[VehicleOptions.link], let choice = VehicleProfile.LinkChoice(word: word) {
            profile.link = choice
        }
        return profile
    }
}
