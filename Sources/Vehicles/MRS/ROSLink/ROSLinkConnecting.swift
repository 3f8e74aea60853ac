internal import MRSMessages
internal import ROS1
internal import ROSMessages
internal import Synchronization
public import UAVLink

/// Joins the graph, waits for the vehicle, and leaves.
extension ROSLink {
    /// How long ``connect(within:)`` waits for the vehicle to subscribe to setpoints after the first telemetry; not
    /// required.
    private static let subscriptionTimeout: Duration = .seconds(1)
    /// How often the subscriber count is polled.
    private static let subscriptionPoll: Duration = .milliseconds(5)

    /// Joins the graph and returns when the first telemetry has been received.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`; `companionUnavailable` if another node of its name is
    ///   in the graph and `isAlone` was set; `typeMismatch` if the vehicle's message types differ from ours;
    ///   `serviceMissing` if the master does not know the vehicle, or nothing is received from it.
    public func connect(within timeout: Duration) async throws(LinkError) {
        let deadline = ContinuousClock.now + timeout
        try state.withLock { state throws(LinkError) in
            switch state.phase {
            case .closed: throw LinkError(.closed, "the link was closed")
            case .connecting: throw LinkError(.notConnected, "the link is already connecting")
            case .connected, .idle: break
            }
            if state.phase == .idle { state.phase = .connecting }
        }
        if isConnected { return }
        do throws(LinkError) {
            if isAlone { try await Self.requireUniqueName(configuration, within: timeout) }
            let node = try join()
            do throws(ROSError) {
                // A master that refuses connections is not there, which is reported to the user at once. A companion may be
                // started before it, and waits.
                if !isAlone { _ = try await node.master.pid(within: timeout) }
                try await node.waitForMaster(within: max(.zero, deadline - .now))
            } catch {
                if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
                throw LinkError(error.code == .timedOut ? ROSError(.masterUnreachable, error.what) : error)
            }
            guard await receives(until: deadline) else { throw noMessages(Task.isCancelled) }
            await listened(until: deadline)
            try state.withLock { state throws(LinkError) in
                guard state.phase == .connecting else { throw LinkError(.closed, "the link was closed") }
                state.phase = .connected
            }
        } catch {
            await leave(to: .idle)
            throw error
        }
    }

    private var isConnected: Bool { state.withLock { $0.phase == .connected } }

    /// Creates the node with its publisher, subscriptions and service clients.
    private func join() throws(LinkError) -> ROSNode {
        do {
            var configuration = configuration
            let onEvent = configuration.onEvent
            configuration.onEvent = { [weak self] event in
                self?.notice(event)
                onEvent?(event)
            }
            let node = try ROSNode(configuration: configuration)
            let steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped> = try node.advertise(
                names.name(of: .velocityReference), queue: 1)
            let graph = Graph(
                node: node, services: VehicleServices(node: node, names: names), steering: steering,
                subscriptions: try subscriptions(on: node))
            state.withLock { $0.graph = graph }
            return node
        } catch {
            throw LinkError(error)
        }
    }

    /// Waits for the first telemetry.
    private func receives(until deadline: ContinuousClock.Instant) async -> Bool {
        let stream = broadcast.stream()
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in stream { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    /// Waits briefly for the vehicle to subscribe to setpoints; it is no error if it does not.
    private func listened(until deadline: ContinuousClock.Instant) async {
        let until = min(deadline, .now + Self.subscriptionTimeout)
        while ContinuousClock.now < until, !Task.isCancelled,
            state.withLock({ $0.graph?.steering.subscriberCount }) == 0
        {
            try? await Task.sleep(for: Self.subscriptionPoll)
        }
    }

    private func noMessages(_ isCancelled: Bool) -> LinkError {
        let (phase, mismatch) = state.withLock { ($0.phase, $0.mismatch) }
        if phase == .closed { return LinkError(.closed, "the link was closed") }
        if isCancelled { return LinkError(.cancelled, "connecting was cancelled") }
        if let mismatch { return LinkError(mismatch) }
        return LinkError(
            .serviceMissing, "the ROS master answers, but no messages were received from vehicle '\(names.vehicle)'",
            hint: "is its flight stack running, is the name right, and do ROS_IP or ROS_HOSTNAME name addresses "
                + "that both ends can reach?")
    }

    private func leave(to phase: Phase) async {
        let graph = state.withLock { state in
            defer {
                state.graph = nil
                state.watch = nil
                state.askedForTimeAt = nil
                state.hasClockTopic = nil
            }
            if state.phase != .closed { state.phase = phase }
            return state.graph
        }
        guard let graph else { return }
        for subscription in graph.subscriptions { subscription.cancel() }
        await graph.node.shutdown()
    }

    /// See ``UAVLink/UAVLink/close()``.
    public func close() async {
        state.withLock { $0.phase = .closed }
        await leave(to: .closed)
        broadcast.finish()
    }
}
