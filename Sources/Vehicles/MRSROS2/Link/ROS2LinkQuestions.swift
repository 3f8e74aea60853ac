internal import MRS
internal import ROS2
internal import ROS2Interfaces
internal import ROS2Node
internal import ROSMessages
internal import Synchronization
internal import UAVLink
internal import Zenoh

/// What is asked of the vehicle's nodes, and seen in their graph, besides its commands.
extension ROS2Link {
    /// For one of these questions; a node of the flight stack answers within a millisecond.
    private static let questionTimeout: Duration = .seconds(3)
    /// How long messages are waited for that show the version of a vehicle whose types differ.
    private static let versionPatience: Duration = .seconds(2)
    /// The flight stack may be restarted with simulated time, another companion may join.
    private static let lookPeriod: Duration = .seconds(10)
    static let clockTopic = "/clock"
    static let simulatedTime = "use_sim_time"

    /// Parameters of the control manager by name.
    func parameters(
        _ wanted: [String], _ node: ROS2Node, within timeout: Duration
    ) async throws(ROSError) -> [ParameterContent] {
        let service = "/\(names.vehicle)/control_manager/get_parameters"
        let client = try node.client(of: service, type: RclInterfaces.GetParameters.self)
        let answer = try await client.call(.init(names: wanted), timeout: timeout)
        guard answer.values.count == wanted.count else {
            throw ROSError(
                .protocolViolation, "\(service): \(answer.values.count) values for \(wanted.count) parameters")
        }
        return answer.values.map { $0.content ?? .notSet }
    }

    /// The first thing that is sent to a vehicle: a question that moves nothing. A vehicle whose nodes offer no parameters is not asked.
    func ask(_ reception: Reception, until deadline: ContinuousClock.Instant) async throws(LinkError) {
        do throws(ROSError) {
            let timeout = min(Self.questionTimeout, max(.milliseconds(1), deadline - .now))
            let values = try await parameters([Self.simulatedTime], reception.node, within: timeout)
            noteTime(values.first, reception.session)
        } catch {
            if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
            if error.code == .noProvider { return noteTime(nil, reception.session) }
            throw LinkError(
                error.code == .typeMismatch ? .typeMismatch : .serviceMissing,
                "vehicle '\(names.vehicle)' does not answer a first question: \(error.what)", hint: error.hint)
        }
    }

    private func noteTime(_ parameter: ParameterContent?, _ session: ROS2Session) {
        let hasClock = session.isPublished(Self.clockTopic)
        state.withLock { state in
            guard state.phase != .closed else { return }
            state.assembler.isTimeSimulated = parameter == .bool(true) || hasClock
        }
    }

    /// Looks in a task when it is time to; called for messages of the vehicle, on the session's I/O thread.
    func lookAround(at now: MonotonicTime) {
        let reception = state.withLock { state -> Reception? in
            guard state.phase == .connected, let reception = state.reception,
                state.lookedAt.map({ now - $0 >= Self.lookPeriod }) ?? true
            else { return nil }
            state.lookedAt = now
            return reception
        }
        guard let reception else { return }
        Task { [weak self] in await self?.lookAround(reception) }
    }

    private func lookAround(_ reception: Reception) async {
        // Of two that joined at the same time one stays.
        let session = reception.session
        if isAlone, let other = otherCompanion(in: session.graph, session, where: { $0 < "\(session.zenoh.id)" }) {
            let handler = state.withLock { $0.onShutdownRequest.take() }
            handler?("another companion for this vehicle is in the ROS graph: \(other)")
        }
        guard let values = try? await parameters([Self.simulatedTime], reception.node, within: Self.questionTimeout)
        else { return }
        noteTime(values.first, reception.session)
    }

    // MARK: The only companion

    /// Fails if a node of that name is in another session. One whose process has ended is not in the graph any more.
    func requireUniqueName(in graph: ROS2Graph, _ session: ROS2Session) throws(LinkError) {
        guard let other = otherCompanion(in: graph, session) else { return }
        throw LinkError(
            .companionUnavailable, "another companion for this vehicle is in the ROS graph: \(other)",
            hint: "use that one, or end it on its computer with 'uavlink-companion stop'")
    }

    /// The companion of another session that `isMeant` by its name.
    private func otherCompanion(
        in graph: ROS2Graph, _ session: ROS2Session, where isMeant: (String) -> Bool = { _ in true }
    ) -> String? {
        guard let name = try? ROS2NodeName(name: nodeName) else { return nil }
        let own = "\(session.zenoh.id)"
        return graph.endpoints(of: name).first { $0.session != own && isMeant($0.session) }.map { "\($0.node)" }
    }

    // MARK: Other types

    /// Why a vehicle with other types is refused, with the fields that differ where it describes them.
    ///
    /// Its nodes are asked only after messages have shown that they take what we send.
    func refusal(
        _ contact: FirstContact, _ reception: Reception, until deadline: ContinuousClock.Instant
    ) async -> LinkError {
        let limit = min(deadline, .now + Self.versionPatience)
        let isHeard = await broadcast.stream().first(within: max(.zero, limit - .now)) != nil
        if let mismatch = state.withLock({ $0.mismatch }) { return LinkError(mismatch) }
        var fields: [String: TypeDifference] = [:]
        for mismatch in contact.mismatches where isHeard && fields.count < 3 {
            guard let type = ROS2TypeName(dds: mismatch.ours.type.name)?.text, fields[type] == nil,
                mismatch.theirs.name == mismatch.ours.type.name
            else { continue }
            fields[type] = await difference(mismatch, type, reception.node)
        }
        return contact.refusal(of: names.vehicle, fields: fields)
            ?? LinkError(.typeMismatch, "vehicle '\(names.vehicle)' has other messages")
    }

    private func difference(
        _ mismatch: FirstContact.Mismatch, _ type: String, _ node: ROS2Node
    ) async -> TypeDifference? {
        do {
            let client = try node.client(
                of: "\(mismatch.node)/get_type_description", type: TypeDescriptionInterfaces.GetTypeDescription.self)
            var request = TypeDescriptionInterfaces.GetTypeDescription.Request()
            request.typeName = type
            request.typeHash = mismatch.theirs.hash
            let answer = try await client.call(request, timeout: Self.questionTimeout)
            guard answer.successful else { return nil }
            return try mismatch.ours.describe().firstDifference(from: TypeDescription(answer.typeDescription))
        } catch { return nil }
    }
}

extension ROS2Session {
    /// Whether the graph has a publisher of a topic.
    func isPublished(_ topic: String) -> Bool {
        guard let name = try? ROS2Name(topic) else { return false }
        return !graph.endpoints(.publisher, of: name).isEmpty
    }
}
