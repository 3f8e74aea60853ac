internal import MRSMessages
internal import ROS1
internal import ROSMessages
public import UAVLink

/// The vehicle's own world: its world file where this program runs on the vehicle, else what its topics show.
extension ROSLink {
    /// The markers are latched: they are there at once, or not at all.
    private static let longestWait: Duration = .seconds(3)

    /// Asks the parameter `control_manager/world_config` and reads the file that it names, if the flight stack runs on this computer.
    ///
    /// Where the file cannot be read, the border comes from the latched topic `control_manager/safety_area_markers`, which shows no
    /// obstacles; the answer then has the reason, too.
    public func world(knowing known: UInt64, within timeout: Duration) async throws(LinkError) -> VehicleWorld {
        let deadline = ContinuousClock.now + timeout
        let node = try connectedGraph().node
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the request was cancelled") }
        let path: String
        do throws(ROSError) {
            path = try await node.parameters.text(of: names.worldParameter, within: timeout) ?? ""
        } catch {
            throw LinkError(error)
        }
        var world: VehicleWorld
        if path.isEmpty {
            world = VehicleWorld(.noParameter)
        } else if await isStackHere(node, by: deadline) {
            world = await WorldFileAccess.read(path, within: Self.left(until: deadline))
        } else {
            world = VehicleWorld(path: path, .elsewhere)
        }
        if world.content == .unknown, let border = await shownBorder(node, by: deadline) {
            world.content = .document(.markers, border)
        }
        if Task.isCancelled { throw LinkError(.cancelled, "the request was cancelled") }
        _ = try connectedGraph()
        return world.without(known: known)
    }

    private static func left(until deadline: ContinuousClock.Instant) -> Duration {
        min(max(.zero, deadline - .now), longestWait)
    }

    /// Whether the flight stack runs on this computer, so that a path that it names is one of this computer.
    private func isStackHere(_ node: ROSNode, by deadline: ContinuousClock.Instant) async -> Bool {
        // Behind a redirection an address says nothing about where its program runs.
        guard configuration.redirect == nil,
            let uri = try? await node.master.serviceURI(
                of: names.name(of: .hover), within: Self.left(until: deadline))
        else { return false }
        // Name resolution cannot be ended: it is not waited for.
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        Task {
            continuation.yield(await Self.isOnThisMachine(uri))
            continuation.finish()
        }
        return await stream.first(within: Self.left(until: deadline)) ?? false
    }

    /// The border that the vehicle shows, in the layout of a world file; `nil` if it shows none, or where is not known.
    private func shownBorder(_ node: ROSNode, by deadline: ContinuousClock.Instant) async -> [UInt8]? {
        let topic = names.safetyAreaMarkers
        guard
            let topics = try? await node.master.publishedTopics(
                below: "/\(names.vehicle)", within: Self.left(until: deadline)), topics[topic] != nil,
            case .success(let message) = await node.first(
                of: topic, VisualizationMsgs.MarkerArray.self, within: Self.left(until: deadline)),
            let markers = BorderMarkers(message),
            let places = await inWorld(
                markers.corners + [markers.top], frame: markers.frame, node, within: Self.left(until: deadline))
        else { return nil }
        let asked = await Self.worldOrigin(node, names, within: Self.left(until: deadline))
        guard let origin = (try? asked.get()) ?? latestTelemetry?.worldOrigin else { return nil }
        return BorderMarkers.document(places, at: origin)
    }

    /// Positions of one of the vehicle's frames in `world_origin`, by the vehicle's transformer; `nil` if it does not transform them.
    private func inWorld(
        _ places: [Vector3], frame: String, _ node: ROSNode, within timeout: Duration
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
            let client = try node.serviceClient(
                names.name(of: .transformReferenceArray), type: MRSMsgs.TransformReferenceArraySrv.self,
                persistent: false)
            let answer = try await client.call(request, within: timeout)
            let found = answer.array.array.map { reference in
                Vector3(x: reference.position.x, y: reference.position.y, z: reference.position.z)
            }
            guard answer.success, found.count == places.count, found.allSatisfy(\.isFinite) else { return nil }
            return found
        } catch {
            return nil
        }
    }
}
