internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// The topics that the vehicle publishes, each at the rate measured on the real stack; those of `hw_api/connected`,
/// `altitude` and `rc_channels` are ours.
struct VehicleTopics {
    /// One topic and when it is next due.
    private struct Scheduled {
        let periodSeconds: Double
        var dueSeconds = 0.0
        let hasSubscribers: () -> Bool
        let publish: (MessageBuilder) -> Void
    }

    private let middleware: any VehicleMiddleware
    private let vehicle: String
    private let simulator: RunningSimulator
    private let world: MessageBuilder.World
    private let staticTransforms: VehiclePublisher<TF2Msgs.TFMessage>
    private let safetyArea: VehiclePublisher<VisualizationMsgs.MarkerArray>
    private let clockTopic: VehiclePublisher<RosgraphMsgs.Clock>?
    private let clockBeginSeconds: Double
    private var scheduled: [Scheduled] = []
    /// The control manager's diagnostics in ``scheduled``: they are also published when their state changes.
    private var diagnostics = 0
    private var lastControlState: ControlState?

    /// Advertises all topics.
    ///
    /// - Parameters:
    ///   - publishesClock: whether stamps use simulated time, which is then published on `/clock`.
    ///   - clockBeginSeconds: the simulated time at the simulator's zero, seconds since 1970.
    /// - Throws: ``ROSMessages/ROSError``.
    init(
        middleware: any VehicleMiddleware, vehicle: String, simulator: RunningSimulator, publishesClock: Bool,
        clockBeginSeconds: Double
    ) throws(ROSError) {
        self.middleware = middleware
        self.clockBeginSeconds = clockBeginSeconds
        self.vehicle = vehicle
        self.simulator = simulator
        world = simulator.now { simulator in
            MessageBuilder.World(
                start: simulator.snapshot.truePosition, utmOrigin: simulator.utmOriginMetres,
                massKilograms: simulator.configuration.airframe.massKilograms)
        }
        staticTransforms = try middleware.publisher(of: "/tf_static", type: TF2Msgs.TFMessage.self, keepsLast: true)
        safetyArea = try middleware.publisher(
            of: "/\(vehicle)/control_manager/safety_area_markers", type: VisualizationMsgs.MarkerArray.self,
            keepsLast: true)
        clockTopic =
            publishesClock
            ? try middleware.publisher(of: "/clock", type: RosgraphMsgs.Clock.self, keepsLast: false) : nil
        try add("estimation_manager/odom_main", 100) { $0.odometry }
        try add("estimation_manager/uav_state", 100) { $0.uavState }
        try add("estimation_manager/height_agl", 110) { $0.heightAboveGround }
        try add("estimation_manager/diagnostics", 10) { $0.estimationDiagnostics }
        try add("control_manager/diagnostics", 10) { $0.controlDiagnostics }
        diagnostics = scheduled.count - 1
        try add("control_manager/current_constraints", 10) { $0.currentConstraints }
        try add("hw_api/status", 350) { $0.hardwareStatus }
        try add("hw_api/capabilities", 1) { $0.capabilities }
        try add("hw_api/connected", 1) { _ in StdMsgs.Empty() }
        try add("hw_api/altitude", 10) { $0.altitude }
        try add("hw_api/rc_channels", 10) { $0.remoteControl }
        try add("hw_api/battery_state", 10) { $0.battery }
        try add("hw_api/distance_sensor", 120) { $0.range }
        try add("constraint_manager/diagnostics", 1) { $0.constraintDiagnostics }
        try add("gain_manager/diagnostics", 1) { $0.gainDiagnostics }
        try add("mrs_uav_status/uav_status", 1) { $0.uavStatus }
        try add("mrs_uav_status/uav_status_short", 9) { $0.uavStatusShort }
        try add("/tf", 100) { $0.transforms }
        try add("hw_api/gnss", 41) { building in
            simulator.now { try? $0.gnss(building.seen) }.map(building.gnss)
        }
        try add("uav_manager/diagnostics", 1) { building in
            let (home, here) = simulator.now { simulator in
                (
                    building.seen.home.flatMap { try? simulator.geographic($0) },
                    try? simulator.geographic(building.seen.position)
                )
            }
            return building.uavManagerDiagnostics(home: home, here: here)
        }
        let first = building(at: middleware.now)
        staticTransforms.publish(first.staticTransforms)
        safetyArea.publish(first.safetyMarkers(simulator.now { $0.safetyBorder }))
    }

    private mutating func add<Message: ROSMessage & ROS2Message>(
        _ topic: String, _ hertz: Double, _ build: @escaping (MessageBuilder) -> Message?
    ) throws(ROSError) {
        let name = topic.hasPrefix("/") ? topic : "/\(vehicle)/\(topic)"
        let publisher = try middleware.publisher(of: name, type: Message.self, keepsLast: false)
        scheduled.append(
            Scheduled(periodSeconds: 1 / hertz, hasSubscribers: publisher.hasSubscribers) { building in
                if let message = build(building) { publisher.publish(message) }
            })
    }

    private func building(at stamp: ROSTime) -> MessageBuilder {
        let (frame, seen) = simulator.now { ($0.controlFrame.name, $0.snapshot) }
        return MessageBuilder(vehicle: vehicle, stamp: stamp, controlFrame: frame, seen: seen, world: world)
    }

    /// Whether there are subscribers, or time is published.
    var isBusy: Bool { clockTopic != nil || scheduled.contains { $0.hasSubscribers() } }

    /// Publishes the topics that are due and have subscribers; messages are built only for those.
    mutating func publish() {
        let (seconds, controlState) = simulator.now { ($0.seconds, $0.controlState) }
        if controlState != lastControlState {
            lastControlState = controlState
            scheduled[diagnostics].dueSeconds = min(scheduled[diagnostics].dueSeconds, seconds)
        }
        clockTopic?.publish(RosgraphMsgs.Clock(clock: time(seconds)))
        var building: MessageBuilder?
        for index in scheduled.indices where scheduled[index].dueSeconds <= seconds {
            scheduled[index].dueSeconds += scheduled[index].periodSeconds
            // After a stall the schedule continues from now instead of catching up.
            if scheduled[index].dueSeconds <= seconds { scheduled[index].dueSeconds = seconds }
            guard scheduled[index].hasSubscribers() else { continue }
            let present = building ?? self.building(at: clockTopic == nil ? middleware.now : time(seconds))
            building = present
            scheduled[index].publish(present)
        }
    }

    private func time(_ seconds: Double) -> ROSTime {
        let seconds = min(max(0, clockBeginSeconds + seconds), Double(UInt32.max))
        let whole = seconds.rounded(.down)
        return ROSTime(seconds: UInt32(whole), nanoseconds: UInt32((seconds - whole) * 1e9))
    }
}
