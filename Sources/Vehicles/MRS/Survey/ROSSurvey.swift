internal import MRSMessages
internal import ROS1
internal import ROSMessages
public import UAVLink

extension ROSLink {
    /// Everything except control authority: every node of the graph can command the vehicle.
    public var capabilities: LinkCapabilities {
        LinkCapabilities(
            survey: self, transfersMaps: true, bulk: self, callbacks: self, shutdownRequests: self)
    }

    /// ``UAVLink/VehicleCapabilities/mrs``: its services and topics are those of that flight stack.
    public var vehicleCapabilities: VehicleCapabilities { .mrs }
}

extension ROSLink: SurveyLink, BulkLink {
    /// The limits come from `control_manager/current_constraints`, the origin from
    /// `control_manager/transform_reference` or, where that is not offered, from the vehicle's GNSS fix and pose.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        let graph = try connectedGraph()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the request was cancelled") }
        let names = names
        let node = graph.node
        async let limits = node.first(
            of: names.name(of: .currentConstraints), MRSMsgs.DynamicsConstraints.self, within: timeout)
        async let asked = Self.worldOrigin(node, names, within: timeout)
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
    static func worldOrigin(
        _ node: ROSNode, _ names: VehicleNames, within timeout: Duration
    ) async -> Result<FlightEnvelope.WorldOrigin?, LinkError> {
        let service = names.name(of: .transformReference)
        do throws(ROSError) {
            let client = try node.serviceClient(
                service, type: MRSMsgs.TransformReferenceSrv.self, persistent: false)
            let answer = try await client.call(FlightEnvelope.WorldOrigin.question, within: timeout)
            return .success(FlightEnvelope.WorldOrigin(answer))
        } catch {
            return .failure(LinkError(error, calling: service))
        }
    }

    /// See ``UAVLink/SurveyLink/maps(within:)``.
    public func maps(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        try await ROSMaps(node: connectedGraph().node, clock: SystemMonotonicClock()).offers(within: timeout)
    }

    /// See ``UAVLink/SurveyLink/pullMap(_:within:progress:)``.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try request.validate()
        let report = MonotonicProgress(progress)
        report.reach(0)
        let maps = ROSMaps(node: try connectedGraph().node, clock: SystemMonotonicClock())
        let map = try await maps.pull(request, within: timeout, report: report)
        report.finish()
        return map
    }

    /// Reports the share of the request that was written to the vehicle's socket.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = MonotonicProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout, report: report)
        report.finish()
        return reply
    }
}

extension Telemetry {
    /// The position of `world_origin`, computed from the vehicle's GNSS fix and pose.
    package var worldOrigin: FlightEnvelope.WorldOrigin? {
        guard let pose = pose?.value, let fix = gnss?.value else { return nil }
        return FlightEnvelope.WorldOrigin(pose: pose, fix: fix)
    }
}

extension ROSNode {
    /// The first message received on a topic.
    func first<Message: ROSMessage & Sendable>(
        of topic: String, _ type: Message.Type, within timeout: Duration
    ) async -> Result<Message, LinkError> {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingOldest(1))
        let subscription: ROSSubscription
        do throws(ROSError) {
            subscription = try subscribe(topic, type: type) { continuation.yield($0) }
        } catch {
            return .failure(LinkError(error))
        }
        defer { subscription.cancel() }
        let message = await stream.first(within: timeout)
        guard let message else {
            return .failure(LinkError(.timedOut, "no message received on '\(topic)' within \(timeout)"))
        }
        return .success(message)
    }
}

extension AsyncStream where Element: Sendable {
    /// The first element; `nil` on timeout.
    package func first(within timeout: Duration) async -> Element? {
        let deadline = ContinuousClock.now + timeout
        return await withTaskGroup(of: Element?.self) { group in
            group.addTask {
                for await element in self { return element }
                return nil
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
