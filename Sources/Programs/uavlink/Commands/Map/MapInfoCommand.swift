import IndoorMode
import CommandLineKit

/// `uavlink map info`
enum MapInfoCommand: Subcommand {
    static let spec = CommandSpec(
        "info", summary: "number of points of a map, their extent, and its layers",
        arguments: [MapOptions.file, MapOptions.layers, MapOptions.outliers, MapOptions.spacing])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let progress = ProgressLine("reading", session.console)
        let map = try await MapInteractor().open(
            try arguments[MapOptions.file], try MapOptions.read(arguments), onProgress: progress.onProgress)
        progress.end()
        let report = MapReport(map)
        session.console.success(report.json)
        for line in report.lines { session.console.result(line) }
        return .done
    }
}
