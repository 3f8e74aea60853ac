import IndoorMode
import CommandLineKit
import PointCloud
import ProgramKit
import ReportKit
import UAVLink

/// `uavlink map slice`
enum MapSliceCommand: Subcommand {
    static let layer = Argument.requiredOption(
        "layer", ValueKind<Int>.integer(in: 1...HeightLayers.largestCount), help: "which layer; 1 is the lowest")
    static let output = Argument.option(
        "output", .path, help: "the PCD file to write; without it the points are printed")
    static let data = Argument.option(
        "data", ValueKind<PCDWriter.Encoding>.choice, default: .compressed,
        defaultText: PCDWriter.Encoding.compressed.rawValue,
        help: "encoding of the points in the file")
    static let force = Argument.flag("force", help: "overwrite an existing file")

    static let spec = CommandSpec(
        "slice", summary: "cut one layer out of a map",
        discussion: "Without --output the points are printed, one x y z per line; with --json only their count.",
        arguments: [
            MapOptions.file, layer, MapOptions.layers, MapOptions.outliers, MapOptions.spacing, output, data, force,
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let options = try MapOptions.read(arguments)
        let index = try arguments[layer] - 1
        guard index < options.layers else {
            throw UsageError("there is no layer \(index + 1)", hint: "there are \(options.layers); --layers makes more")
        }
        let interactor = MapInteractor()
        let progress = ProgressLine("reading", session.console)
        let map = try await interactor.open(try arguments[MapOptions.file], options, onProgress: progress.onProgress)
        progress.end()
        for note in map.notes { session.console.warning(note, isInResults: true) }
        let slice = map.layers.slice(index)
        let report = MapReport(map).layer(index)
        guard let path = try arguments[output] else {
            session.console.success(report)
            if !session.console.isJSON { print(slice) }
            return .done
        }
        try await interactor.write(slice, to: path, try arguments[data], replaces: try arguments[force])
        session.console.success(report)
        session.console.result("\(slice.count.counted("point")) written to \(path.sanitizedLine)")
        return .done
    }

    /// In chunks, so that a million lines are neither one string nor a million writes.
    private static func print(_ cloud: PointCloud) {
        var text = ""
        for index in 0..<cloud.count {
            let point = cloud.point(index)
            text += "\(point.x) \(point.y) \(point.z)\n"
            if text.utf8.count > 1 << 16 {
                StandardStream.output.write(text)
                text = ""
            }
            if Task.isCancelled { return }
        }
        StandardStream.output.write(text)
    }
}
