public import ROS1
internal import Synchronization
public import UAVLink

/// Speaks to a vehicle as a node of its ROS graph: services on kept connections, velocity references on their topic,
/// telemetry from the vehicle's own topics.
///
/// When the master or the flight stack restarts, the node registers anew and everything comes back by itself.
public final class ROSLink: PromptLink, EndableLink {
    private enum Phase {
        case idle
        case connecting
        case connected
        case closed
    }

    /// What exists while a node does.
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
        var pacer: NewsPacer
        var mismatch: ROSError?
        /// Somebody watches what other nodes send to the vehicle.
        var watch: ROSSubscription?
        var toldToEnd: (@Sendable (String) -> Void)?
    }

    /// Whose services and topics.
    public let names: VehicleNames
    private let configuration: ROSConfiguration
    private let isAlone: Bool
    let clock: any MonotonicClock
    private let broadcast = Broadcast<Telemetry>()
    private let state: Mutex<State>
    private let setpointsSent = Atomic<UInt64>(0)
    private let setpointsStale = Atomic<UInt64>(0)

    /// How long connecting waits for the vehicle to listen to our setpoints, once it has been heard; it need not.
    private static let steeringPatience: Duration = .seconds(1)
    /// How often it looks.
    private static let steeringProbe: Duration = .milliseconds(5)

    /// A link through the ROS graph that `configuration` names, not yet connected.
    ///
    /// - Parameters:
    ///   - telemetryRateHertz: how often telemetry is handed on, each time a pose has come.
    ///   - isAlone: no other node of its name may be there when it joins.
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
                pacer: NewsPacer(period: period, start: clock.now)))
        self.configuration = configuration
    }

    /// Straight from the ground.
    public var kind: LinkKind { .ros }

    /// Whether the flight stack takes commands: its services stand in the graph before it is ready, and answer nothing.
    public var isVehicleReady: Bool { state.withLock { $0.assembler.isStackReady } }

    // MARK: Life

    /// Joins the graph and returns when the vehicle has been heard.
    ///
    /// - Throws: ``UAVLink/LinkError``: `rosMasterUnreachable`; `companionUnavailable` when it is to be alone and is not; `typeMismatch` when the vehicle's messages differ from
    ///   ours; `serviceMissing` when the master knows no such vehicle, or nothing comes of it.
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
            if isAlone { try await Self.requireAlone(configuration, within: timeout) }
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

    /// Makes the node and asks for everything it needs.
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

    /// What becomes of a message on the node's I/O thread.
    private func take<Message: ROSMessage>(
        _ topic: VehicleTopic? = nil,
        _ body: @escaping @Sendable (inout TelemetryAssembler, Message, MonotonicTime) -> Void
    ) -> @Sendable (Message) -> Void {
        { [weak self] message in
            guard let self else { return }
            let now = clock.now
            if topic == .controlDiagnostics { state.withLock { $0.graph }?.services.keepVitalOpen() }
            let news = state.withLock { state -> Telemetry? in
                guard state.phase != .closed else { return nil }
                state.assembler.wallMinusClock = WallTime.now - now.nanoseconds
                body(&state.assembler, message, now)
                guard let topic else { return nil }
                state.assembler.arrived(topic, at: now)
                state.meter.heard(at: now)
                // Messages come at a thousand a second in all; nobody reads so fast. What is flown by is the pose.
                let hasPose = state.assembler.telemetry.pose?.at == now
                guard state.pacer.takes(now: now, newsAt: hasPose ? now : nil) else { return nil }
                state.meter.told(at: now)
                return state.assembler.telemetry
            }
            if let news { broadcast.send(news) }
        }
    }

    private func notice(_ event: ROSEvent) {
        if case .toldToShutDown(let reason) = event {
            let told = state.withLock { $0.toldToEnd.take() }
            told?("its ROS node was told to shut down\(reason.isEmpty ? "" : ": \(reason.harmlessLine)")")
        }
        guard case .publisherLost(_, _, let error) = event else { return }
        // rospy compares the types' names before their sums and says so in these words.
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

    /// Waits a moment for the vehicle to listen to setpoints; it is no failure when it does not.
    private func listened(until deadline: ContinuousClock.Instant) async {
        let until = min(deadline, .now + Self.steeringPatience)
        while ContinuousClock.now < until, !Task.isCancelled,
            state.withLock({ $0.graph?.steering.subscriberCount }) == 0
        {
            try? await Task.sleep(for: Self.steeringProbe)
        }
    }

    private func silence(_ isCancelled: Bool) -> LinkError {
        let (phase, mismatch) = state.withLock { ($0.phase, $0.mismatch) }
        if phase == .closed { return LinkError(.closed, "the link was closed") }
        if isCancelled { return LinkError(.cancelled, "connecting was cancelled") }
        if let mismatch { return LinkError(mismatch) }
        return LinkError(
            .serviceMissing, "the ROS master answers, but nothing comes of a vehicle '\(names.vehicle)'",
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

    /// Anybody on the graph may tell a node to shut down (`rosnode kill`); the master does, when another of its name joins.
    public func whenToldToEnd(_ told: @escaping @Sendable (String) -> Void) { state.withLock { $0.toldToEnd = told } }

    // MARK: Commands

    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: ForwardProgress?
    ) async throws(LinkError) -> CommandReply {
        let call = try ServiceCall(command)
        let services = try connectedGraph().services
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
        let began = clock.now
        do { return note(try await services.perform(call, within: timeout, report: report), began: began) } catch {
            throw explained(error)
        }
    }

    /// Writes the request on this thread; the answer is handed over where it was read, on the node's I/O thread.
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

    /// Closing breaks the connections, and each call then tells of its own.
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

    /// Writes the setpoint to the vehicle's socket on this thread; one that has expired is counted and forgotten.
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) { _ = try steerNumbered(setpoint) }

    /// Does what ``steer(_:)`` does.
    ///
    /// - Returns: the number that the message carries as the `seq` of its header, which counts the setpoints of this link;
    ///   `nil` of one that has expired.
    public func steerNumbered(_ setpoint: VelocitySetpoint) throws(LinkError) -> UInt32? {
        try setpoint.validate()
        let steering = try connectedGraph().steering
        guard clock.now - setpoint.intendedAt <= setpoint.validFor else {
            setpointsStale.add(1, ordering: .relaxed)
            return nil
        }
        guard steering.subscriberCount > 0 else {
            throw LinkError(
                .notConnected, "the vehicle does not listen to '\(steering.topic)'",
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
        quality.setpointsStale = setpointsStale.load(ordering: .relaxed)
        return quality
    }
}
