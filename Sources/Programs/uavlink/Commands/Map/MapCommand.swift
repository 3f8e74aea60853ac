import IndoorMode
import CommandLineKit
import PointCloud
import ReportKit
import UAVLink

/// `uavlink map`
enum MapCommand: Subcommand {
    private static let commands: [any Subcommand.Type] = [
        MapInfoCommand.self, MapSliceCommand.self, MapPlanCommand.self, MapPullCommand.self,
        MapWorldCommand.self,
    ]

    static let spec = CommandSpec(
        "map", summary: "inspect point-cloud maps, slice them, plan in them, and fetch maps and world from the vehicle",
        discussion: """
            Files are PCD (0.5 to 0.7: ascii, binary, binary_compressed), PLY or XYZ; the format is detected by the bytes, not by
            the name. Of other files the error says what they are and how to convert them.
            """,
        subcommands: commands.map { $0.spec },
        examples: [
            .init("uavlink map info room.pcd", "number of points, extent, and the layers"),
            .init("uavlink map slice room.pcd --layer 3 --output floor.pcd", "the third layer from below"),
            .init(
                "uavlink map plan room.pcd --points walls.csv --start 1,0,0", "a safe path through waypoints"),
            .init("uavlink map pull room.pcd", "fetch the vehicle's map, thinned on board"),
            .init("uavlink map world", "the vehicle's own safety area and obstacles"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        guard let name = arguments.path.dropFirst().first,
            let command = commands.first(where: { $0.spec.name == name })
        else { throw UsageError("'uavlink map' needs a subcommand", hint: "'uavlink map --help' lists them") }
        return try await command.run(arguments, in: session)
    }
}

/// Options shared by the subcommands of `map` that read a file.
enum MapOptions {
    static let file = Argument.parameter("FILE", .path, help: "a PCD, PLY, PTX or XYZ file")
    static let layers = Argument.option(
        "layers", ValueKind<Int>.integer(in: 1...HeightLayers.largestCount), default: HeightLayers.defaultCount,
        defaultText: "\(HeightLayers.defaultCount)", help: "number of layers of equal height")
    static let outliers = Argument.option(
        "outliers", .number(in: 0...0.49), default: 0, defaultText: "0",
        help: "this fraction of the points at the bottom and at the top is ignored for the layers")
    static let spacing = Argument.option(
        "spacing", .number(in: 0...1000, unit: "metres"), default: 0, defaultText: "0",
        help: "thin first: no two points nearer than this, metres")

    static func read(_ arguments: ParsedCommand) throws -> IndoorMap.Options {
        let fraction = try arguments[outliers]
        return IndoorMap.Options(
            spacingMetres: try arguments[spacing], layers: try arguments[layers],
            range: fraction > 0 ? .withoutOutliers(fraction: fraction) : .full)
    }
}

extension ExitCode {
    init(_ failure: MapFailure) {
        self =
            switch failure {
            case .cloud(let error): error.code == .cancelled ? .interrupted : .usage
            case .link(let error): ExitCode(error)
            case .file, .isThere: .usage
            case .unwritten: .unwritten
            case .noMap: .refused
            }
    }
}
