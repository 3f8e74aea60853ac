internal import MRS
internal import MRSMessages
internal import ROS2
internal import ROS2Node
internal import ROSMessages
internal import Synchronization
package import UAVLink

/// Joins the graph, waits for the vehicle, and leaves.
///
/// ```
///   read tokens ─▶ compare types ─▶ subscribe, receive ─▶ one harmless query ─▶ setpoints and services
///        nothing is sent to the vehicle               │ the first thing sent
/// ```
extension ROS2Link {
    /// How long a router that refuses connections is waited for from the ground; a companion, which may be started before it, waits on.
    private static let routerPatience: Duration = .seconds(2)
    /// How long a vehicle that is not in the graph is waited for from the ground.
    private static let vehiclePatience: Duration = .seconds(2)
    /// How often the graph is read while the vehicle is waited for.
    private static let graphPoll: Duration = .milliseconds(100)
    /// How long ``connect(within:)`` waits for the vehicle to subscribe to setpoints after the first telemetry; not required.
    private static let subscriptionTimeout: Duration = .seconds(1)
    /// How often the subscriber count is polled.
    private static let subscriptionPoll: Duration = .milliseconds(5)

    /// Joins the graph and returns when the first telemetry has been received and the vehicle has answered a query.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable` if the router does not answer; `companionUnavailable` if another node
    ///   of its name is in the graph and `isAlone` was set; `typeMismatch` if the vehicle's types differ from ours, or its version of
    ///   `rmw_zenoh` would end when it receives something; `serviceMissing` if the domain has no such vehicle, or nothing is received.
    package func connect(within timeout: Duration) async throws(LinkError) {
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
            let session = try await open(until: deadline)
            let contact = try await meet(session, until: deadline)
            let reception = try receive(by: session)
            if !contact.mismatches.isEmpty { throw await refusal(contact, reception, until: deadline) }
            guard await receives(until: deadline) else { throw noMessages(Task.isCancelled) }
            if let mismatch = state.withLock({ $0.mismatch }) { throw LinkError(mismatch) }
            try await ask(reception, until: deadline)
            let graph: Graph
            do throws(ROSError) { graph = try Graph(reception, names: names) } catch { throw LinkError(ros2: error) }
            state.withLock { $0.graph = graph }
            await listened(by: graph, until: deadline)
            try state.withLock { state throws(LinkError) in
                guard state.phase == .connecting else { throw LinkError(.closed, "the link was closed") }
                state.phase = .connected
                state.needsNeutral = false
            }
        } catch {
            await leave(to: .idle)
            throw error
        }
    }

    private var isConnected: Bool { state.withLock { $0.phase == .connected } }

    // MARK: First contact

    /// Opens a session, and only reads.
    private func open(until deadline: ContinuousClock.Instant) async throws(LinkError) -> ROS2Session {
        var configuration = configuration
        let onEvent = configuration.onEvent
        configuration.onEvent = { [weak self] event in
            self?.notice(event)
            onEvent?(event)
        }
        let limit = isAlone ? deadline : min(deadline, .now + Self.routerPatience)
        do throws(ROSError) {
            let session = try ROS2Session(configuration: configuration)
            state.withLock { $0.session = session }
            try await session.waitForRouter(within: max(.zero, limit - .now))
            return session
        } catch {
            if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
            if error.code == .closed { throw LinkError(.closed, "the link was closed") }
            throw LinkError(
                .rosMasterUnreachable, error.what,
                hint: error.hint.isEmpty ? "is the router (rmw_zenohd) running on the vehicle?" : error.hint)
        }
    }

    /// Waits for the vehicle's tokens and compares them.
    private func meet(
        _ session: ROS2Session, until deadline: ContinuousClock.Instant
    ) async throws(LinkError) -> FirstContact {
        let limit = isAlone ? deadline : min(deadline, .now + Self.vehiclePatience)
        while true {
            let graph: ROS2Graph
            do throws(ROSError) {
                graph = try await session.readGraph(within: max(.milliseconds(1), deadline - .now))
            } catch {
                if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
                throw LinkError(ros2: error)
            }
            if isAlone { try requireUniqueName(in: graph, session) }
            let contact = FirstContact(graph, names: names)
            if contact.isPresent { return contact }
            guard ContinuousClock.now < limit, !Task.isCancelled else {
                if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
                throw contact.absence(of: names.vehicle, at: router)
            }
            try? await Task.sleep(for: Self.graphPoll)
        }
    }

    /// Creates the node and its subscriptions: still nothing is sent to the vehicle.
    private func receive(by session: ROS2Session) throws(LinkError) -> Reception {
        do throws(ROSError) {
            let node = try session.node(try ROS2NodeName(name: nodeName))
            let reception = Reception(session: session, node: node, subscriptions: try subscriptions(on: node))
            state.withLock { $0.reception = reception }
            return reception
        } catch { throw LinkError(ros2: error) }
    }

    /// Waits for the first telemetry.
    private func receives(until deadline: ContinuousClock.Instant) async -> Bool {
        await broadcast.stream().first(within: max(.zero, deadline - .now)) != nil
    }

    private func noMessages(_ isCancelled: Bool) -> LinkError {
        let (phase, mismatch) = state.withLock { ($0.phase, $0.mismatch) }
        if phase == .closed { return LinkError(.closed, "the link was closed") }
        if isCancelled { return LinkError(.cancelled, "connecting was cancelled") }
        if let mismatch { return LinkError(mismatch) }
        return LinkError(
            .serviceMissing,
            "the Zenoh router at \(router) answers, but no messages were received from vehicle "
                + "'\(names.vehicle)'",
            hint: "is its flight stack ready, and do the router's access rules let its topics pass?")
    }

    /// Waits briefly for the vehicle to subscribe to setpoints; it is no error if it does not.
    private func listened(by graph: Graph, until deadline: ContinuousClock.Instant) async {
        let until = min(deadline, .now + Self.subscriptionTimeout)
        while ContinuousClock.now < until, !Task.isCancelled, listeners(in: graph) == 0 {
            try? await Task.sleep(for: Self.subscriptionPoll)
        }
    }

    // MARK: The end

    private func leave(to phase: Phase) async {
        let (session, reception) = state.withLock { state in
            defer {
                state.session = nil
                state.reception = nil
                state.graph = nil
                state.watch = nil
                state.lookedAt = nil
                state.mismatch = nil
            }
            if state.phase != .closed { state.phase = phase }
            return (state.session, state.reception)
        }
        for subscription in reception?.subscriptions ?? [] { subscription.cancel() }
        await session?.shutdown()
    }

    /// See ``UAVLink/UAVLink/close()``.
    package func close() async {
        state.withLock { $0.phase = .closed }
        await leave(to: .closed)
        broadcast.finish()
    }
}
