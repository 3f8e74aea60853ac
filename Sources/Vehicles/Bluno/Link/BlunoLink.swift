internal import Synchronization
package import UAVLink

/// A link to a robot behind a Bluno, by its text protocol.
///
/// One thread opens, reads and repeats; what moves or stops the robot is written on the caller's thread, which never waits. Nothing
/// that the robot does is acknowledged: an answer says that the port has taken the bytes.
package final class BlunoLink: UAVLink {
    /// Where the robot is, and what its program understands.
    package struct Settings: Sendable {
        /// The way to its board.
        package var transport: any BlunoTransport
        /// The vehicle's name in telemetry.
        package var vehicle: String
        /// The texts that its program understands.
        package var program: RobotProgram
        /// How long a board takes to start after its port was opened.
        package var settling: Duration = BlunoTimes.settling
        /// The source of time; setpoints carry times of the same clock.
        package var clock: any MonotonicClock = SystemMonotonicClock()

        /// A robot at the end of a way.
        package init(
            transport: any BlunoTransport, vehicle: String = "bluno", program: RobotProgram = RobotProgram()
        ) {
            self.transport = transport
            self.vehicle = vehicle
            self.program = program
        }
    }

    let core: BlunoCore
    let scanner: BluetoothScanner?

    /// Creates a link; nothing is opened before ``connect(within:)``.
    package init(_ settings: Settings) {
        core = BlunoCore(settings)
        scanner = settings.transport.makeScanner()
    }

    deinit {
        scanner?.stop()
        core.close()
    }

    /// Directly to the machine.
    package var kind: LinkKind { .direct }
    /// Text, tasks and held directions.
    package var capabilities: LinkCapabilities { LinkCapabilities(robot: self) }
    /// ``UAVLink/VehicleCapabilities/bluno``
    package var vehicleCapabilities: VehicleCapabilities { .bluno }

    /// Opens the port, stops what is driven by the keys, and waits until its board can have started. A robot need not answer anything.
    package func connect(within timeout: Duration) async throws(LinkError) {
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the connection was cancelled") }
        let deadline = core.clock.now + timeout
        try core.start()
        let call = core.newCall()
        let error: LinkError? = await withTaskCancellationHandler {
            await withCheckedContinuation { core.awaitReady(call, until: deadline, $0) }
        } onCancel: {
            core.cancel(call, "the connection was cancelled")
        }
        core.finished(call)
        if let error { throw error }
    }

    /// Stops the robot; the only command that it has.
    ///
    /// - Returns: that the port has taken it: no robot says that it has stopped.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try command.validate()
        if let lack = vehicleCapabilities.refusal(of: command, vehicle: core.settings.vehicle) { throw lack }
        guard !Task.isCancelled else { throw LinkError(.cancelled, "\(command.name) was cancelled before it was sent") }
        let begun = core.clock.now
        let call = core.newCall()
        let error: LinkError? = await withTaskCancellationHandler {
            await withCheckedContinuation { core.stop(call, until: begun + timeout, $0) }
        } onCancel: {
            core.cancel(call, "waiting until \(command.name) was sent was cancelled")
        }
        core.finished(call)
        if let error { throw error }
        return CommandReply(
            accepted: true, message: "sent; the robot acknowledges nothing", roundTrip: core.clock.now - begun)
    }

    /// See ``UAVLink/UAVLink/steer(_:)``. A robot drives in one direction at a time: that of the larger deflection.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        guard let steering = vehicleCapabilities.steering, steering.accepts(setpoint), let full = steering.most else {
            throw vehicleCapabilities.refusal(of: setpoint)
        }
        let drive = BlunoDrive(setpoint, full: full, mostSpeed: core.settings.program.mostSpeed)
        return try core.act { state, now throws(LinkError) in
            var isDriving = true
            if let drive {
                let until = min(setpoint.intendedAt + setpoint.validFor, now + VelocitySetpoint.longestValidity)
                isDriving = try state.client.hold(drive.direction, speed: drive.speed, until: until, now: now)
            } else {
                try state.client.requireReady()
                state.client.release(now: now)
            }
            state.setpoints &+= 1
            return SteeringReceipt(number: state.setpoints, sentAt: isDriving ? now : nil)
        }
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    package func telemetry() -> AsyncStream<Telemetry> { core.broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        core.broadcast.observe(body)
    }

    /// The newest telemetry; `nil` before the robot has said anything.
    package var latestTelemetry: Telemetry? { core.broadcast.latest }

    /// Whether the port is open, and when a line came last.
    package var quality: LinkQuality { core.quality }

    /// Stops what is driven by the keys, and closes the port; a task goes on.
    package func close() async {
        scanner?.stop()
        core.close()
        await core.waitForThread()
    }
}

extension BlunoLink: RobotLink {
    /// The texts that the robot's program understands.
    package var program: RobotProgram { core.settings.program }
    /// What is known of the robot.
    package var robot: RobotState { core.state.withLock { $0.client.state } }

    /// The newest lines of the log.
    package func log(after number: UInt64) -> [RobotLogLine] { core.state.withLock { $0.client.log(after: number) } }

    /// Calls back after each change, on the link's thread.
    package func observeRobot(_ body: @escaping @Sendable () -> Void) -> Observation {
        core.changes.observe { _ in body() }
    }

    /// Drives in a direction for ``UAVLink/RobotState/longestHold`` at most.
    @discardableResult
    package func hold(_ direction: RobotDirection, speed: Int) throws(LinkError) -> Bool {
        try core.act { state, now throws(LinkError) in
            try state.client.hold(direction, speed: speed, until: now + RobotState.longestHold, now: now)
        }
    }

    /// Ends what is held.
    package func release() {
        // A link that is closed has stopped the robot.
        do throws(LinkError) {
            try core.act { state, now throws(LinkError) in state.client.release(now: now) }
        } catch {}
    }

    /// Stops the robot.
    package func stop() throws(LinkError) {
        try core.act { state, now throws(LinkError) in try state.client.stop(now: now) }
    }

    /// Sends the speed alone.
    package func send(speed: Int) throws(LinkError) {
        try core.act { state, now throws(LinkError) in try state.client.send(speed: speed, now: now) }
    }

    /// Starts a task.
    package func start(_ task: RobotTask) throws(LinkError) {
        try core.act { state, now throws(LinkError) in try state.client.start(task, now: now) }
    }

    /// Sends bytes as they are.
    package func send(_ bytes: [UInt8]) throws(LinkError) {
        try core.act { state, now throws(LinkError) in try state.client.send(bytes, now: now) }
    }
}
