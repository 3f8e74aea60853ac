import CommandLineKit
import RouteFlight
import SystemKit
import UAVLink

/// `uavlink map world`
enum MapWorldCommand: Subcommand {
    static let output = Argument.option(
        "output", .path, help: "write it as a world file, for --world and for the profile's key 'world'")
    static let force = Argument.flag("force", help: "overwrite an existing file")

    static let spec = CommandSpec(
        "world", summary: "the vehicle's own world: origin, safety area and obstacles",
        discussion: """
            The companion reads the world file of the flight stack where it lies (parameter control_manager/world_config); --link
            ssh reads it by SFTP. Where the file cannot be read, the ROS link takes the border from the vehicle's markers, without
            obstacles: then a warning says so, and --output writes nothing. Routes are checked against this world unless --world
            or the profile names another; then differences are warned about. Exits with 1 and the reason if it is not known.
            """,
        arguments: [output, force],
        examples: [
            .init("uavlink map world", "what the vehicle's flight stack keeps to"),
            .init("uavlink map world --output field.yaml", "for checks without the vehicle"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        try await session.withLink { link in
            guard let survey = link.capabilities.survey else {
                throw LinkError(.unsupported, "the \(link.kind.rawValue) link cannot be asked for the vehicle's world")
            }
            let told = try await survey.world(knowing: 0, within: session.timeout)
            switch await OwnWorld.decoded(told, before: nil) {
            case .known(let file):
                if let path = try arguments[output], case .document(_, let bytes) = told.content {
                    if let obstacle = file.savingObstacle {
                        throw CommandFailure(
                            "\(path.sanitizedLine) was not written: \(obstacle)",
                            hint: "copy the world file from the vehicle; without --output what is known is printed",
                            code: .refused, ofVehicle: true)
                    }
                    let files = LocalFiles(home: HostProcess.environment["HOME"])
                    let replaces = try arguments[force]
                    do throws(FileAccessError) { try await files.write(bytes, to: path, replacing: replaces) } catch {
                        throw CommandFailure(
                            error.what, hint: error.isThere ? "--force overwrites it" : nil,
                            code: error.isUnwritten ? .unwritten : .usage)
                    }
                    session.console.progress("written to \(path.sanitizedLine)")
                }
                let report = VehicleWorldReport(file)
                session.console.result(report.json)
                session.console.head()
                for line in report.lines { session.console.result(line) }
                return .done
            case .unknown(let reason):
                throw CommandFailure(
                    "the vehicle's own world is not known: \(reason)",
                    hint: "give a world file with --world, or name one in the profile", code: .refused,
                    ofVehicle: true)
            case .notAsked: return .noLink
            }
        }
    }
}
