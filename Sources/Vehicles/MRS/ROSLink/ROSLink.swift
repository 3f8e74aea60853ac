internal import MRSMessages
public import ROS1
internal import ROSMessages
internal import Synchronization
public import UAVLink

/// Commands a vehicle as a node of its ROS graph: services over persistent connections, velocity references by topic,
/// telemetry from the vehicle's own topics.
///
/// When the master or the flight stack restarts, the node registers again and all connections recover.
public final class ROSLink: CallbackLink, ShutdownRequestLink {
    private enum Phase {
        case idle
        case connecting
        case connected
        case closed
    }

    /// The node and the objects that belong to it.
    struct Graph {
        let node: ROSNode
        let services: VehicleServices
        let steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped>
        var subscriptions: [ROSSubscription]
    }

    private struct State {
        var phase = Phase.idle
        var graph: Graph?
        var assembler: TelemetryAssembler
        var meter = LinkMeter()
        var pacer: RateLimiter
        var mismatch: ROSError?
        /// The subscription to the setpoints that other nodes send to the vehicle.
        var watch: ROSSubscription?
        var onShutdownRequest: (@Sendable (String) -> Void)?
    }

    /// The vehicle's service and topic names.
    public let names: VehicleNames
    private let configuration: ROSConfiguration
    private let isAlone: Bool
    let clock: any MonotonicClock
    private let broadcast = Broadcast<Telemetry>()
    private let state: Mutex<State>
    private let setpointsSent = Atomic<UInt64>(0)
    private let setpointsExpired = Atomic<UInt64>(0)

    /// How long ``connect(within:)`` waits for the vehicle to subscribe to setpoints after the first telemetry; not
    /// required.
    private static let subscriptionTimeout: Duration = .seconds(1)
    /// How often the subscriber count is polled.
    private static let subscriptionPoll: Duration = .milliseconds(5)

    /// Creates a link through the ROS graph given by `configuration`, not yet connected.
    ///
    /// - Parameters:
    /// - telemetryRateHertz: at most how often telemetry is passed on, each time after a new pose.
    /// - isAlone: connecting fails if another node of the same name is in the graph.
    public init(
        names: VehicleNames, configuration: ROSConfiguration, telemetryRateHertz: Double = 50, isAlone: Bool = false,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.isAlone = isAlone
        self.names = names
        self.clock = clock
        let period = Duration.seconds(1 / min(max(telemetryRateHertz, 0.1), 1000))
        state = Mutex(
            State(
                assembler: TelemetryAssembler(vehicle: names.vehicle, counting: VehicleTopic.sent),
                pacer: RateLimiter(period: period, start: clock.now)))
        self.configuration = configuration
    }

    /// Directly from the ground.
    public var kind: LinkKind { .ros }

    /// Whether the flight stack accepts commands: its services are in the graph before it is ready, but do not answer.
    public var isVehicleReady: Bool { state.withLock { $0.assembler.isStackReady } }

    // MARK: Life

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
            case .connecting: throw LinkError(.notConnected, "the link is being connected already")
            case .connected, .idle: break
            }
            if state.phase == .idle { state.phase = .connecting }
        }
        if isConnected { return }
        do throws(LinkError) {
            if isAlone { try await Self.requireUniqueName(configuration, within: timeout) }
            let node = try join()
            do { try await node.waitForMaster(within: timeout) } catch {
                if Task.isCancelled { throw LinkError(.cancelled, "connecting was cancelled") }
                throw LinkError(error.code == .timedOut ? ROSError(.masterUnreachable, error.what) : error)
            }
            guard await hears(until: deadline) else { throw silence(Task.isCancelled) }
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
            let told = configuration.onEvent
            configuration.onEvent = { [weak self] event in
                self?.notice(event)
                told?(event)
            }
            let node = try ROSNode(configuration: configuration)
            let steering: ROSPublisher<MRSMsgs.VelocityReferenceStamped> = try node.advertise(
                names.name(of: .velocityReference), queue: 1)
            var subscriptions = [
                try node.subscribe(
                    "/rosout_agg", type: RosgraphMsgs.Log.self, onMessage: take { $0.take($1, at: $2) })
            ]
            subscriptions += [
                try subscribe(.odometry, on: node, NavMsgs.Odometry.self) { $0.take($1, at: $2) },
                try subscribe(.uavState, on: node, MRSMsgs.UavState.self) { $0.take($1, at: $2) },
                try subscribe(.heightAboveGround, on: node, MRSMsgs.Float64Stamped.self) {
                    $0.take(heightAboveGround: $1, at: $2)
                },
                try subscribe(.estimationDiagnostics, on: node, MRSMsgs.EstimationDiagnostics.self) {
                    $0.take($1, at: $2)
                },
                try subscribe(.controlDiagnostics, on: node, MRSMsgs.ControlManagerDiagnostics.self) {
                    $0.take($1, at: $2)
                },
                try subscribe(.constraintDiagnostics, on: node, MRSMsgs.ConstraintManagerDiagnostics.self) {
                    (assembler, message, _) in assembler.take(message)
                },
                try subscribe(.gainDiagnostics, on: node, MRSMsgs.GainManagerDiagnostics.self) {
                    (assembler, message, _) in assembler.take(message)
                },
                try subscribe(.hardwareStatus, on: node, MRSMsgs.HwApiStatus.self) { $0.take($1, at: $2) },
                try subscribe(.battery, on: node, SensorMsgs.BatteryState.self) { $0.take($1, at: $2) },
                try subscribe(.gnss, on: node, SensorMsgs.NavSatFix.self) { $0.take($1, at: $2) },
                try subscribe(.distanceSensor, on: node, SensorMsgs.Range.self) { $0.take($1, at: $2) },
                try subscribe(.uavStatus, on: node, MRSMsgs.UavStatus.self) { $0.take($1, at: $2) },
            ]
            let graph = Graph(
                node: node, services: VehicleServices(node: node, names: names), steering: steering,
                subscriptions: subscriptions)
            state.withLock { $0.graph = graph }
            return node
        } catch {
            throw LinkError(error)
        }
    }

    private func subscribe<Message: ROSMessage>(
        _ topic: VehicleTopic, on node: ROSNode, _ type: Message.Type,
        _ take: @escaping @Sendable (inout TelemetryAssembler, Message, MonotonicTime) -> Void
    ) throws(ROSError) -> ROSSubscription {
        try node.subscribe(names.name(of: topic), type: type, onMessage: self.take(topic, take))
    }

    /// The handler of a topic's messages; it is called on the node's I/O thread.
    private func take<Message: ROSMessage>(
        _ topic: VehicleTopic? = nil,
        _ body: @escaping @Sendable (inout TelemetryAssembler, Message, MonotonicTime) -> Void
    ) -> @Sendable (Message) -> Void {
        { [weak self] message in
            guard let self else { return }
            let now = clock.now
            if topic == .controlDiagnostics { state.withLock { $0.graph }?.services.keepVitalConnected() }
            let news = state.withLock { state -> Telemetry? in
                guard state.phase != .closed else { return nil }
                state.assembler.wallMinusClock = WallTime.now - now.nanoseconds
                body(&state.assembler, message, now)
                guard let topic else { return nil }
                state.assembler.arrived(topic, at: now)
                state.meter.heard(at: now)
                // Messages arrive at about 1 kHz in all, so telemetry is rate limited; it is sent after a new pose.
                let hasPose = state.assembler.telemetry.pose?.at == now
                guard state.pacer.takes(now: now, updateAt: hasPose ? now : nil) else { return nil }
                state.meter.told(at: now)
                return state.assembler.telemetry
            }
            if let news { broadcast.send(news) }
        }
    }

    private func notice(_ event: ROSEvent) {
        if case .shutdownRequested(let reason) = event {
            let told = state.withLock { $0.onShutdownRequest.take() }
            told?("its ROS node was shut down by another node\(reason.isEmpty ? "" : ": \(reason.sanitizedLine)")")
        }
        guard case .publisherLost(_, _, let error) = event else { return }
        // rospy compares the type names before the MD5 sums and reports a difference in these words.
        guard error.code == .typeMismatch || error.what.contains("types do not match") else { return }
        state.withLock { $0.mismatch = ROSError(.typeMismatch, error.what, hint: error.hint) }
    }

    /// Waits for the first telemetry.
    private func hears(until deadline: ContinuousClock.Instant) async -> Bool {
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

    private func silence(_ isCancelled: Bool) -> LinkError {
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

    /// Any node on the graph may shut down another (`rosnode kill`); the master does when a second node of the same
    /// name joins.
    public func setShutdownHandler(_ told: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onShutdownRequest = told }
    }

    // MARK: Commands

    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        let call = try ServiceCall(command)
        let services = try connectedGraph().services
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
        let began = clock.now
        do { return note(try await services.perform(call, within: timeout, report: report), began: began) } catch {
            throw explained(error)
        }
    }

    /// Writes the request on this thread; `answer` is called on the node's I/O thread, where the response is read.
    public func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        do throws(LinkError) {
            let call = try ServiceCall(command)
            let services = try connectedGraph().services
            let began = clock.now
            services.perform(call, within: timeout) { [self] result in
                answer(result.map { note($0, began: began) }.mapError { explained($0) })
            }
        } catch { answer(.failure(error)) }
    }

    private func note(_ reply: CommandReply, began: MonotonicTime) -> CommandReply {
        var reply = reply
        let roundTrip = clock.now - began
        reply.roundTrip = roundTrip
        state.withLock { $0.meter.answered(after: roundTrip) }
        return reply
    }

    /// After closing, every error is `closed`: closing breaks the connections, and each call fails in its own way.
    private func explained(_ error: LinkError) -> LinkError {
        state.withLock { $0.phase == .closed } ? LinkError(.closed, "the link was closed") : error
    }

    func connectedGraph() throws(LinkError) -> Graph {
        try state.withLock { state throws(LinkError) in
            switch state.phase {
            case .closed: throw LinkError(.closed, "the link was closed")
            case .idle, .connecting: throw LinkError(.notConnected, "the link is not connected", hint: "connect first")
            case .connected: break
            }
            guard let graph = state.graph else { throw LinkError(.notConnected, "the link is not connected") }
            return graph
        }
    }

    func keep(watch: ROSSubscription?) {
        let old = state.withLock { state in
            defer { state.watch = watch }
            return state.watch
        }
        old?.cancel()
    }

    /// Writes the setpoint to the vehicle's socket on this thread; an expired one is counted and dropped.
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) { _ = try steerNumbered(setpoint) }

    /// As ``steer(_:)``.
    ///
    /// - Returns: the `seq` of the message's header, which counts the setpoints of this link; `nil` for an expired
    ///   setpoint.
    public func steerNumbered(_ setpoint: VelocitySetpoint) throws(LinkError) -> UInt32? {
        try setpoint.validate()
        let steering = try connectedGraph().steering
        guard clock.now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsExpired.add(1, ordering: .relaxed)
            return nil
        }
        guard steering.subscriberCount > 0 else {
            throw LinkError(
                .notConnected, "the vehicle does not subscribe to '\(steering.topic)'",
                hint: "is its control manager running?")
        }
        var message = MRSMsgs.VelocityReferenceStamped(setpoint)
        let number = UInt32(truncatingIfNeeded: setpointsSent.add(1, ordering: .relaxed).newValue)
        message.header.seq = number
        steering.publish(message)
        return number
    }

    // MARK: Telemetry

    /// See ``UAVLink/UAVLink/telemetry()``.
    public func telemetry() -> AsyncStream<Telemetry> { broadcast.stream() }

    /// See ``UAVLink/UAVLink/latestTelemetry``.
    public var latestTelemetry: Telemetry? { broadcast.latest }

    /// See ``UAVLink/UAVLink/quality``.
    public var quality: LinkQuality {
        let now = clock.now
        var quality = state.withLock { $0.meter.quality(isOpen: $0.phase == .connected, now: now) }
        quality.setpointsSent = setpointsSent.load(ordering: .relaxed)
        quality.setpointsExpired = setpointsExpired.load(ordering: .relaxed)
        return quality
    }
}
