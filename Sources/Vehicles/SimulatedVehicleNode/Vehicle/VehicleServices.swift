internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// The services of the flight stack.
struct VehicleServices {
    private let middleware: any VehicleMiddleware
    private let prefix: String
    private let simulator: RunningSimulator
    private let log: SimulatorLog
    private let answerDelay: Duration
    private(set) var servers: [any Sendable] = []

    /// Advertises all services.
    ///
    /// - Throws: ``ROSMessages/ROSError``.
    init(
        middleware: any VehicleMiddleware, vehicle: String, simulator: RunningSimulator, log: SimulatorLog,
        answerDelay: Duration
    ) throws(ROSError) {
        self.middleware = middleware
        prefix = "/\(vehicle)/"
        self.simulator = simulator
        self.log = log
        self.answerDelay = answerDelay
        try offerTriggers()
        try offerSwitches()
        try offerPlaces()
        try offerNames()
        try offerTrajectory()
        try offerLimits()
        try offerPlanning()
        servers += try FrameServices.offer(on: middleware, prefix: prefix, simulator: simulator)
    }

    private func ask(_ name: String, _ request: Simulation.ServiceCall) throws -> ServiceAnswer {
        let answer = simulator.now { $0.call(request) }
        log.say(
            answer.success ? .information : .warning,
            "\(name): \(answer.callFails ? "the call fails" : answer.message)")
        // The real stack's services that are not ready, and toggle_output, fail with an empty text.
        if answer.callFails { throw FailedCall(description: answer.message) }
        return answer
    }

    private mutating func offerTriggers() throws(ROSError) {
        let triggers: [(String, Simulation.ServiceCall)] = [
            ("hw_api/offboard", .offboard), ("uav_manager/land", .land),
            ("uav_manager/land_home", .landHome), ("control_manager/hover", .hover),
            ("control_manager/ehover", .ehover),
            ("control_manager/eland", .eland), ("control_manager/failsafe", .failsafe),
            ("control_manager/failsafe_escalating", .failsafe), ("control_manager/pirouette", .pirouette),
            ("control_manager/goto_trajectory_start", .goToTrajectoryStart),
            ("control_manager/start_trajectory_tracking", .startTrajectory),
            ("control_manager/stop_trajectory_tracking", .stopTrajectory),
            ("control_manager/resume_trajectory_tracking", .resumeTrajectory),
            (simulator.now { $0.configuration.snapshotService }, .snapshot), ("uavlink_sim/radio_land", .radioLanding),
        ]
        for (name, request) in triggers {
            try offer(name, StdSrvs.Trigger.self, { _ in request }) {
                .init(success: $0.success, message: $0.message)
            }
        }
        let (ask, speed, delay) = (ask, simulator.speed, answerDelay)
        servers.append(
            try middleware.serve(
                prefix + "uav_manager/takeoff", type: StdSrvs.Trigger.self,
                asyncHandler: { _ in
                    let answer = try ask("uav_manager/takeoff", .takeoff)
                    // On the real stack it answers after a third of a second.
                    let wait = delay + .seconds(answer.answerDelaySeconds / speed)
                    if wait > .zero { try? await Task.sleep(for: wait) }
                    return StdSrvs.Trigger.Response(success: answer.success, message: answer.message)
                }))
    }

    private mutating func offerSwitches() throws(ROSError) {
        let switches: [(String, @Sendable (Bool) -> Simulation.ServiceCall)] = [
            ("hw_api/arming", { .arming($0) }), ("control_manager/arm", { .managerArm($0) }),
            ("control_manager/toggle_output", { .toggleOutput($0) }),
            ("control_manager/enable_callbacks", { .enableCallbacks($0) }),
            ("control_manager/use_safety_area", { .useSafetyArea($0) }), ("control_manager/bumper", { .bumper($0) }),
            ("uavlink_sim/radio", { .radio($0) }),
        ]
        for (name, request) in switches {
            try offer(name, StdSrvs.SetBool.self, { request($0.data) }) {
                .init(success: $0.success, message: $0.message)
            }
        }
    }

    private mutating func offerPlaces() throws(ROSError) {
        let places: [(String, @Sendable (Vector3, Double) -> Simulation.ServiceCall)] = [
            ("control_manager/goto", { .goTo($0, headingRadians: $1) }),
            ("control_manager/goto_fcu", { .goToBody($0, headingRadians: $1) }),
            ("control_manager/goto_relative", { .goToRelative($0, headingRadians: $1) }),
        ]
        for (name, request) in places {
            try offer(name, MRSMsgs.Vec4.self) { message in
                // The definition fixes the length to four.
                let goal = message.goal + Array(repeating: 0, count: max(0, 4 - message.goal.count))
                return request(Vector3(x: goal[0], y: goal[1], z: goal[2]), goal[3])
            } reply: {
                .init(success: $0.success, message: $0.message)
            }
        }
        let numbers: [(String, @Sendable (Double) -> Simulation.ServiceCall)] = [
            ("control_manager/goto_altitude", { .goToAltitude($0) }),
            ("control_manager/set_heading", { .setHeading($0) }),
            ("control_manager/set_heading_relative", { .setHeadingRelative($0) }),
        ]
        for (name, request) in numbers {
            try offer(name, MRSMsgs.Vec1.self, { request($0.goal) }) { .init(success: $0.success, message: $0.message) }
        }
        let references: [(String, @Sendable (PlaceReference) -> Simulation.ServiceCall)] = [
            ("control_manager/reference", { .reference($0) }),
            ("control_manager/emergency_reference", { .reference($0) }), ("uav_manager/land_there", { .landThere($0) }),
        ]
        for (name, request) in references {
            try offer(name, MRSMsgs.ReferenceStampedSrv.self) {
                request(PlaceReference($0.reference, frame: $0.header.frameID))
            } reply: {
                .init(success: $0.success, message: $0.message)
            }
        }
        try offer("control_manager/velocity_reference", MRSMsgs.VelocityReferenceStampedSrv.self) {
            .velocityReference(VelocityReference($0.reference))
        } reply: {
            .init(success: $0.success, message: $0.message)
        }
    }

    private mutating func offerNames() throws(ROSError) {
        let names: [(String, @Sendable (String) -> Simulation.ServiceCall)] = [
            ("constraint_manager/set_constraints", { .setConstraints($0) }),
            ("gain_manager/set_gains", { .setGains($0) }),
            ("control_manager/switch_tracker", { .switchTracker($0) }),
            ("control_manager/switch_controller", { .switchController($0) }),
            ("estimation_manager/change_estimator", { .changeEstimator($0) }),
        ]
        for (name, request) in names {
            try offer(name, MRSMsgs.String.self, { request($0.value) }) {
                .init(success: $0.success, message: $0.message)
            }
        }
    }

    private mutating func offerTrajectory() throws(ROSError) {
        let (simulator, log) = (simulator, log)
        try offer("control_manager/trajectory_reference", MRSMsgs.TrajectoryReferenceSrv.self) {
            .trajectoryReference(TrajectoryReference($0.trajectory))
        } reply: { answer in
            if answer.success, let points = simulator.now({ $0.loadedTrajectory }) {
                let sum = String(HexacopterSimulator.fingerprint(of: points), radix: 16)
                log.say(.information, "\(points.count) samples are loaded, fingerprint \(sum)")
            }
            // Every tracker is asked; only the one that follows trajectories accepts.
            return MRSMsgs.TrajectoryReferenceSrv.Response(
                success: answer.success, message: answer.message, modified: answer.isModified,
                trackerNames: MessageBuilder.trackers,
                trackerSuccesses: MessageBuilder.trackers.map { $0 == "MpcTracker" && answer.success },
                trackerMessages: MessageBuilder.trackers.map { $0 == "MpcTracker" ? answer.message : "not active" })
        }
    }

    private mutating func offerLimits() throws(ROSError) {
        let simulator = simulator
        try offer("control_manager/set_min_z", MRSMsgs.Float64StampedSrv.self) {
            .setMinimumZ(frame: FrameName($0.header.frameID), metres: $0.value)
        } reply: {
            .init(success: $0.success, message: $0.message)
        }
        servers.append(
            try middleware.serve(
                prefix + "control_manager/get_min_z", type: MRSMsgs.GetFloat64.self, isShort: true,
                handler: { _ in
                    let minimum = simulator.now { $0.minimumZMetres }
                    return MRSMsgs.GetFloat64.Response(value: minimum ?? 0, success: minimum != nil)
                }))
        servers.append(
            try middleware.serve(
                prefix + VehicleService.transformReference.rawValue, type: MRSMsgs.TransformReferenceSrv.self,
                isShort: true, handler: { request in Self.transform(request, simulator) }))
        try offer("control_manager/validate_reference", MRSMsgs.ValidateReference.self) {
            .validateReference(PlaceReference($0.reference.reference, frame: $0.reference.header.frameID))
        } reply: {
            .init(success: $0.success, message: $0.message)
        }
        servers.append(
            try middleware.serve(
                prefix + "control_manager/validate_reference_array", type: MRSMsgs.ValidateReferenceArray.self,
                isShort: false,
                handler: { request in
                    let frame = request.array.header.frameID
                    let answers = simulator.now { simulator in
                        request.array.array.map {
                            simulator.call(.validateReference(PlaceReference($0, frame: frame)))
                        }
                    }
                    return MRSMsgs.ValidateReferenceArray.Response(
                        success: answers.map(\.success), message: answers.first { !$0.success }?.message ?? "")
                }))
    }

    private static func transform(
        _ request: MRSMsgs.TransformReferenceSrv.Request, _ simulator: RunningSimulator
    ) -> MRSMsgs.TransformReferenceSrv.Response {
        let place = PlaceReference(request.reference.reference, frame: request.reference.header.frameID)
        guard let there = simulator.now({ $0.transform(place, to: FrameName(request.frameID)) }) else {
            return .init(success: false, message: "failed to transform the reference")
        }
        var response = MRSMsgs.TransformReferenceSrv.Response(success: true, message: "transformation successful")
        response.reference.header.frameID = request.frameID
        response.reference.header.stamp = request.reference.header.stamp
        let position = there.position
        response.reference.reference.position = GeometryMsgs.Point(x: position.x, y: position.y, z: position.z)
        response.reference.reference.heading = there.headingRadians
        return response
    }

    /// The trajectory generator is not simulated: its services exist and refuse.
    private mutating func offerPlanning() throws(ROSError) {
        let refusal = "the simulator does not generate trajectories"
        servers.append(
            try middleware.serve(
                prefix + "trajectory_generation/path", type: MRSMsgs.PathSrv.self, isShort: true,
                handler: { _ in .init(success: false, message: refusal) }))
        servers.append(
            try middleware.serve(
                prefix + "trajectory_generation/get_path", type: MRSMsgs.GetPathSrv.self, isShort: true,
                handler: { _ in
                    var response = MRSMsgs.GetPathSrv.Response()
                    response.message = refusal
                    return response
                }))
    }

    /// Handlers take microseconds, so they run on the thread that read the request, unless they are to answer late.
    private mutating func offer<Service: ROSService & ROS2Service>(
        _ name: String, _ type: Service.Type,
        _ request: @escaping @Sendable (Service.Request) -> Simulation.ServiceCall,
        reply: @escaping @Sendable (ServiceAnswer) -> Service.Response
    ) throws(ROSError) {
        let (ask, delay) = (ask, answerDelay)
        guard delay > .zero else {
            servers.append(
                try middleware.serve(
                    prefix + name, type: type, isShort: true, handler: { reply(try ask(name, request($0))) }))
            return
        }
        servers.append(
            try middleware.serve(
                prefix + name, type: type,
                asyncHandler: {
                    let answer = try ask(name, request($0))
                    try? await Task.sleep(for: delay)
                    return reply(answer)
                }))
    }
}
