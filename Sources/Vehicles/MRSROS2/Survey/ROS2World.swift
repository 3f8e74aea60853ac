internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2Interfaces
internal import ROS2Node
internal import ROSMessages
package import UAVLink
internal import Zenoh

/// The vehicle's own world: its world file where this program runs on the vehicle, else what its topics show.
extension ROS2Link {
    /// The markers are kept by their publisher: they are there at once, or not at all.
    private static let longestWait: Duration = .seconds(3)
    private static let worldParameter = "world_config"

    /// Asks the parameter `world_config` of the control manager and reads the file that it names, if this is the companion beside the
    /// vehicle's own router. Tokens do not say on which computer a node runs, so a ground never reads a file of that name of its own.
    ///
    /// Where the file cannot be read, the border comes from the topic `control_manager/safety_area_markers`, which shows no obstacles;
    /// the answer then has the reason, too.
    package func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        let deadline = ContinuousClock.now + timeout
        let graph = try connectedGraph()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the request was cancelled") }
        var path = ""
        do throws(ROSError) {
            let values = try await parameters([Self.worldParameter], graph.node, within: timeout)
            if case .string(let text)? = values.first { path = text }
        } catch {
            guard error.code == .noProvider else { throw LinkError(ros2: error) }
        }
        var world: VehicleWorld
        if path.isEmpty {
            world = VehicleWorld(.noParameter)
        } else if await isOnVehicle() {
            world = await WorldFileAccess.read(path, within: Self.left(until: deadline))
        } else {
            world = VehicleWorld(path: path, .elsewhere)
        }
        if world.content == .unknown, let border = await shownBorder(graph, by: deadline) {
            world.content = .document(.markers, border)
        }
        if Task.isCancelled { throw LinkError(.cancelled, "the request was cancelled") }
        _ = try connectedGraph()
        return world.without(known: known)
    }

    private static func left(until deadline: ContinuousClock.Instant) -> Duration {
        min(max(.zero, deadline - .now), longestWait)
    }

    private func isOnVehicle() async -> Bool {
        guard isAlone, configuration.zenoh.redirect == nil else { return false }
        return await ROSLink.isOnThisMachine("tcp://\(configuration.zenoh.host):\(configuration.zenoh.port)")
    }

    /// The border that the vehicle shows, in the layout of a world file; `nil` if it shows none, or where is not known.
    private func shownBorder(_ graph: Graph, by deadline: ContinuousClock.Instant) async -> [UInt8]? {
        let topic = names.safetyAreaMarkers
        guard graph.session.isPublished(topic),
            case .success(let message) = await graph.node.first(
                of: topic, VisualizationMsgs.MarkerArray.self, keptByPublisher: true,
                within: Self.left(until: deadline)),
            let markers = BorderMarkers(message),
            let places = await inWorld(
                markers.corners + [markers.top], frame: markers.frame, graph.node, within: Self.left(until: deadline))
        else { return nil }
        let asked = await worldOrigin(graph.node, within: Self.left(until: deadline))
        guard let origin = (try? asked.get()) ?? latestTelemetry?.worldOrigin else { return nil }
        return BorderMarkers.document(places, at: origin)
    }

    /// Positions of one of the vehicle's frames in `world_origin`, by the vehicle's transformer; `nil` if it does not transform them.
    private func inWorld(
        _ places: [Vector3], frame: String, _ node: ROS2Node, within timeout: Duration
    ) async -> [Vector3]? {
        let world = FrameName.worldOrigin.name
        guard frame != world, frame != "\(names.vehicle)/\(world)" else { return places }
        var request = MRSMsgs.TransformReferenceArraySrv.Request()
        request.toFrameID = world
        request.array.header.frameID = frame
        request.array.array = places.map { place in
            MRSMsgs.Reference(position: GeometryMsgs.Point(x: place.x, y: place.y, z: place.z), heading: 0)
        }
        do throws(ROSError) {
            let client = try node.client(
                of: names.name(of: .transformReferenceArray), type: MRSMsgs.TransformReferenceArraySrv.self)
            let answer = try await client.call(request, timeout: timeout)
            let found = answer.array.array.map { reference in
                Vector3(x: reference.position.x, y: reference.position.y, z: reference.position.z)
            }
            guard answer.success, found.count == places.count, found.allSatisfy(\.isFinite) else { return nil }
            return found
        } catch { return nil }
    }
}
