import IndoorMode
import CommandLineKit
import ReportKit
import UAVLink

/// `uavlink map pull`
enum MapPullCommand: Subcommand {
    static let file = Argument.optionalParameter(
        "FILE", .path, help: "the PCD file to write; default map.pcd")
    static let topic = Argument.option(
        "topic", .text.called("TOPIC"), help: "topic of the map to fetch")
    static let spacing = Argument.option(
        "spacing", .number(in: 0...1000, unit: "metres"), default: 0.05, defaultText: "0.05",
        help: "thinned on board: no two points nearer than this, metres; 0 sends all")
    static let points = Argument.option(
        "points", ValueKind<Int>.integer(in: 1...MapRequest.mostPoints), default: 500_000, defaultText: "500000",
        help: "maximum number of points")
    static let list = Argument.flag("list", help: "only list the maps that the vehicle offers")
    static let force = Argument.flag("force", help: "overwrite an existing file")

    static let spec = CommandSpec(
        "pull", summary: "fetch a map from the vehicle",
        discussion: """
            The vehicle offers its topics of point clouds (sensor_msgs/PointCloud2). The newest cloud is thinned on board and sent
            with the lowest priority, so that flight is not disturbed.
            """,
        arguments: [file, topic, spacing, points, list, force],
        exclusive: [[list, topic]],
        examples: [
            .init("uavlink map pull --list", "list the maps"),
            .init("uavlink map pull room.pcd --topic /uav1/octomap_point_cloud_centers", "fetch one"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let path = try arguments[file] ?? "map.pcd"
        let interactor = MapInteractor()
        return try await session.withLink { link in
            let offers = try await interactor.offers(over: link)
            if try arguments[list] { return show(offers, session.console) }
            let offer = try interactor.choose(try arguments[topic], from: offers)
            let request = MapRequest(
                topic: offer.topic, spacingMetres: try arguments[spacing], maximumPoints: try arguments[points])
            let progress = ProgressLine("fetching \(offer.topic)", session.console)
            let bytes = try await interactor.pull(request, over: link, onProgress: progress.onProgress)
            progress.end()
            // Validate the data before writing it.
            let map = try await interactor.open(bytes, source: path)
            try await interactor.write(bytes, to: path, replaces: try arguments[force])
            let report = MapReport(map)
            session.console.success(report.json)
            session.console.head()
            for line in report.lines { session.console.result(line) }
            return .done
        }
    }

    private static func show(_ offers: [AvailableMap], _ console: Console) -> ExitCode {
        console.success(
            .object([
                .init(
                    "maps",
                    .array(
                        offers.map { offer in
                            .object([
                                .init("topic", .string(offer.topic)), .init("frame", .string(offer.frame.name)),
                                .init("points", JSONValue(offer.points)),
                            ])
                        }))
            ]))
        console.head()
        if offers.isEmpty { console.result("the vehicle offers no map") }
        for offer in offers {
            let points = offer.points.map { $0.counted("point") } ?? "no message yet"
            console.result("\(offer.topic.sanitizedLine)  \(offer.frame.name.sanitizedLine)  \(points)")
        }
        return .done
    }
}
