internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Interfaces
internal import ROS2Node
internal import ROSMessages
internal import Synchronization
internal import SystemKit
internal import UAVLink
internal import Zenoh

/// What the vehicle's topics and the session's events change.
extension ROS2Link {
    /// Subscribes to the topics of which telemetry is made.
    func subscriptions(on node: ROS2Node) throws(ROSError) -> [ROS2Subscription] {
        let takeLog = take(nil) { (assembler, message: RclInterfaces.Log, now) in
            assembler.take(RosgraphMsgs.Log(message), at: now)
        }
        return [
            try node.subscribe(to: "/rosout", type: RclInterfaces.Log.self) { message, _ in takeLog(message) },
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
    }

    private func subscribe<Message: ROS2Message>(
        _ topic: VehicleTopic, on node: ROS2Node, _ type: Message.Type,
        _ body: @escaping @Sendable (inout TelemetryAssembler, Message, MonotonicTime) -> Void
    ) throws(ROSError) -> ROS2Subscription {
        let take = take(topic, body)
        return try node.subscribe(to: names.name(of: topic), type: type) { message, _ in take(message) }
    }

    /// The handler of a topic's messages; it is called on the session's I/O thread.
    private func take<Message: ROS2Message>(
        _ topic: VehicleTopic?,
        _ body: @escaping @Sendable (inout TelemetryAssembler, Message, MonotonicTime) -> Void
    ) -> @Sendable (Message) -> Void {
        { [weak self] message in
            guard let self else { return }
            let now = clock.now
            if topic == .controlDiagnostics { lookAround(at: now) }
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

    func notice(_ event: ROS2Event) {
        switch event {
        case .router(.lost): state.withLock { $0.needsNeutral = true }
        case .router(.forgotten):
            // What the vehicle did meanwhile was not received.
            let now = clock.now
            state.withLock { if $0.assembler.silentTopic(now: now) != nil { $0.needsNeutral = true } }
        case .olderPeer:
            state.withLock { $0.mismatch = ROSError(.typeMismatch, Self.older.what, hint: Self.older.hint) }
        case .router, .refused, .malformedToken: break
        }
    }
}

extension RosgraphMsgs.Log {
    /// A line of `/rosout` as ROS 1 has it: other numbers for the severities, and names with `/` instead of `.`, which stand for nodes.
    init(_ message: RclInterfaces.Log) {
        self.init()
        header.stamp = message.stamp
        level =
            switch message.level {
            case RclInterfaces.Log.fatal...: Self.fatal
            case RclInterfaces.Log.error...: Self.error
            case RclInterfaces.Log.warn...: Self.warn
            case RclInterfaces.Log.info...: Self.info
            default: Self.debug
            }
        // A logger is named after its node: "uav1.control_manager".
        let path = String(message.name.map { $0 == "." ? "/" : $0 })
        name = path.hasPrefix("/") ? path : "/" + path
        msg = message.msg
    }
}
