internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Node
internal import ROSMessages
internal import Synchronization
package import UAVLink

extension ROS2Link: SurveyLink {
    /// The limits come from `control_manager/current_constraints`, the origin from `control_manager/transform_reference` or, where that
    /// is not offered, from the vehicle's GNSS fix and pose.
    package func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        let node = try connectedGraph().node
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the request was cancelled") }
        let names = names
        async let limits = node.first(
            of: names.name(of: .currentConstraints), MRSMsgs.DynamicsConstraints.self, within: timeout)
        async let asked = worldOrigin(node, within: timeout)
        let (heard, origin) = (await limits, await asked)
        if Task.isCancelled { throw LinkError(.cancelled, "the request was cancelled") }
        _ = try connectedGraph()
        if case .failure(let error) = origin, case .failure = heard, error.code != .serviceMissing {
            throw error.code == .closed ? error : Self.unanswered
        }
        return FlightEnvelope(
            limits: (try? heard.get()).flatMap(MotionLimits.init),
            worldOrigin: (try? origin.get()) ?? latestTelemetry?.worldOrigin)
    }

    private static let unanswered = LinkError(
        .timedOut, "the vehicle reported neither its limits nor its world origin",
        hint: "is its flight stack running?")

    /// The vehicle's answer about the position of its world; `nil` in it if that is no geographic position.
    func worldOrigin(
        _ node: ROS2Node, within timeout: Duration
    ) async -> Result<FlightEnvelope.WorldOrigin?, LinkError> {
        let service = names.name(of: .transformReference)
        do throws(ROSError) {
            let client = try node.client(of: service, type: MRSMsgs.TransformReferenceSrv.self)
            let answer = try await client.call(FlightEnvelope.WorldOrigin.question, timeout: timeout)
            return .success(FlightEnvelope.WorldOrigin(answer))
        } catch { return .failure(LinkError(ros2: error, calling: service)) }
    }

    // MARK: Maps

    /// The published point cloud topics, sorted by name.
    package func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        let session = try connectedGraph().session
        let graph: ROS2Graph
        do throws(ROSError) { graph = try await session.readGraph(within: timeout) } catch {
            throw LinkError(ros2: error)
        }
        guard let type = ROS2TypeName(SensorMsgs.PointCloud2.ros2TypeName) else { return [] }
        let ours = EndpointType(type, SensorMsgs.PointCloud2.ros2TypeHash)
        return graph.topics.filter { $0.value.contains(ours) }.keys.sorted()
            .filter { graph.agreement(on: $0, .publisher, type: ours) == .agrees }.map(\.text)
            .filter { $0.utf8.count <= AvailableMap.longestTopic }
            .prefix(AvailableMap.maximumAvailableMaps).map { AvailableMap(topic: $0) }
    }

    /// Receiving the message is the first half of the progress, downsampling the second.
    package func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        let clock = SystemMonotonicClock()
        let deadline = clock.now + timeout
        let report = MonotonicProgress(progress)
        report.reach(0)
        let node = try connectedGraph().node
        let offers = try await maps(within: timeout)
        guard offers.contains(where: { $0.topic == request.topic }) else {
            let known = offers.map(\.topic.sanitizedLine).joined(separator: ", ")
            throw LinkError(
                .unsupported, "the vehicle offers no map '\(request.topic)'",
                hint: known.isEmpty ? "no sensor_msgs/PointCloud2 topic is published there" : "it offers \(known)")
        }
        let cloud = await node.first(
            of: request.topic, SensorMsgs.PointCloud2.self, keptByPublisher: true,
            within: max(.zero, deadline - clock.now))
        if Task.isCancelled {
            throw LinkError(.cancelled, "the transfer of map '\(request.topic)' was cancelled")
        }
        let message = try cloud.get()
        report.reach(0.5)
        let map = try await MapPreparation.prepare(request, until: deadline, clock: clock, report: report) {
            .success(message)
        }
        report.finish()
        return map
    }
}

extension ROS2Node {
    /// The first message received on a topic.
    ///
    /// - Parameter keptByPublisher: whether what was published before is asked for.
    func first<Message: ROS2Message>(
        of topic: String, _ type: Message.Type, keptByPublisher: Bool = false, within timeout: Duration
    ) async -> Result<Message, LinkError> {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingOldest(1))
        var quality = QualityOfService.usual
        if keptByPublisher { quality.durability = .transientLocal }
        let subscription: ROS2Subscription
        do throws(ROSError) {
            subscription = try subscribe(to: topic, type: type, quality: quality) { message, _ in
                continuation.yield(message)
            }
        } catch { return .failure(LinkError(ros2: error)) }
        defer { subscription.cancel() }
        guard let message = await stream.first(within: timeout) else {
            return .failure(LinkError(.timedOut, "no message received on '\(topic)' within \(timeout)"))
        }
        return .success(message)
    }
}
