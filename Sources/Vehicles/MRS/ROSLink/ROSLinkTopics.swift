internal import MRSMessages
internal import ROS1
internal import ROSMessages
internal import Synchronization
internal import UAVLink
internal import TextSearch

/// What the vehicle's topics and the node's events change.
extension ROSLink {
    /// Subscribes to the topics of which telemetry is made.
    func subscriptions(on node: ROSNode) throws(ROSError) -> [ROSSubscription] {
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
        return subscriptions
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
            if topic == .controlDiagnostics {
                state.withLock { $0.graph }?.services.keepVitalConnected()
                askForTime(at: now)
            }
            let update = state.withLock { state -> Telemetry? in
                guard state.phase != .closed else { return nil }
                state.assembler.wallMinusClock = WallTime.now - now.nanoseconds
                body(&state.assembler, message, now)
                guard let topic else { return nil }
                state.assembler.arrived(topic, at: now)
                state.meter.heard(at: now)
                // Messages arrive at about 1 kHz in all, so telemetry is rate limited; it is sent after a new pose.
                let hasPose = state.assembler.telemetry.pose?.at == now
                guard state.pacer.takes(now: now, updateAt: hasPose ? now : nil) else { return nil }
                state.meter.received(at: now)
                return state.assembler.telemetry
            }
            if let update { broadcast.send(update) }
        }
    }

    func notice(_ event: ROSEvent) {
        if case .shutdownRequested(let reason) = event {
            let handler = state.withLock { $0.onShutdownRequest.take() }
            handler?("its ROS node was shut down by another node\(reason.isEmpty ? "" : ": \(reason.sanitizedLine)")")
        }
        guard case .publisherLost(_, _, let error) = event else { return }
        // rospy compares the type names before the MD5 sums and reports a difference in these words.
        guard error.code == .typeMismatch || error.what.includes("types do not match") else { return }
        state.withLock { $0.mismatch = ROSError(.typeMismatch, error.what, hint: error.hint) }
    }
}
