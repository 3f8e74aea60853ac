internal import Synchronization
package import UAVLink

/// Wraps a link and records everything that passes, while it has a recorder: commands with their answers, setpoints, telemetry.
///
/// A setpoint is sent first and recorded afterwards, so recording adds no delay. A channel is also traced at both ends, which
/// gives the times at the companion. The recorder outlives the link: its owner ends it.
package final class RecordingLink: UAVLink {
    /// Where it is recorded.
    struct Target {
        let recorder: FlightRecorder
        /// The channel's number at the recorder; `nil` for a link that is not traced.
        let channel: Int?
    }

    let link: any UAVLink
    private let name: String
    private let condition: String
    let clock: any MonotonicClock
    private let listening = Mutex<Task<Void, Never>?>(nil)
    /// What a machine that is driven by text is sent.
    private let robotRecord = Mutex<RobotRecord?>(nil)
    private let current = Mutex<Target?>(nil)
    /// The trajectory that the vehicle accepted last over this link: a recording that begins later needs it.
    private let held = Mutex<Trajectory?>(nil)

    /// The timeout for the companion's last trace records at close; they normally arrive within a fifth of a second.
    private static let traceTimeout: Duration = .milliseconds(700)

    /// Wraps a link; without a recorder it records once it has one.
    package init(_ link: any UAVLink, recorder: FlightRecorder?, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.link = link
        self.clock = clock
        name = link.kind.rawValue
        condition = ""
        if let recorder { follow(recorder) }
    }

    /// Wraps a link whose trace is taken by another owner.
    ///
    /// - Parameters:
    ///   - name: the link's name in the recording.
    ///   - condition: the impairment of the network.
    package init(
        _ link: any UAVLink, recorder: FlightRecorder, name: String, condition: String = "",
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.link = link
        self.name = name
        self.condition = condition
        self.clock = clock
        current.withLock { $0 = Target(recorder: recorder, channel: nil) }
    }

    deinit {
        listening.withLock { $0?.cancel() }
        if let target, let channel = target.channel { target.recorder.leave(channel) }
    }

    /// Where it is recorded now.
    var target: Target? { current.withLock { $0 } }
    /// Its recorder; `nil` while it is not recorded.
    package var recorder: FlightRecorder? { target?.recorder }

    private func follow(_ recorder: FlightRecorder) {
        // The one cast of a link: a trace has the values of one transport, which the protocol of all links cannot name.
        let channel = (link as? any TracedChannel).map { recorder.follow($0) }
        current.withLock { $0 = Target(recorder: recorder, channel: channel) }
    }

    /// Begins to record a link that is connected already.
    package func begin(_ recorder: FlightRecorder) {
        follow(recorder)
        event(.information, "recording began")
        let machine = noteMachine()
        if let plan = held.withLock({ $0 }) { recorder.note(.plan(plan, at: clock.now)) }
        listen(after: machine)
    }

    /// Ends the recording of a link that stays connected, after waiting for the companion's last trace records.
    package func end() async {
        guard let target else { return }
        await settle(target)
        stopListening()
        current.withLock { $0 = nil }
        if let channel = target.channel { target.recorder.leave(channel) }
    }

    private func settle(_ target: Target) async {
        if let channel = target.channel, quality.isConnected {
            await target.recorder.settle(channel, within: Self.traceTimeout)
        }
    }

    private func stopListening() {
        let record = robotRecord.withLock { record in
            defer { record = nil }
            return record
        }
        // Outside of the lock: with it goes its place among the observers.
        withExtendedLifetime(record) {}
        listening.withLock { listening in
            listening?.cancel()
            listening = nil
        }
    }

    /// The kind of the wrapped link.
    package var kind: LinkKind { link.kind }
    /// Those of the vehicle at the other end of the wrapped link.
    package var vehicleCapabilities: VehicleCapabilities { link.vehicleCapabilities }
    /// The newest telemetry.
    package var latestTelemetry: Telemetry? { link.latestTelemetry }
    /// The quality of the link.
    package var quality: LinkQuality { link.quality }
    /// A stream of telemetry changes.
    package func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    package func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        link.observeTelemetry(body)
    }

    /// Opens the link and starts to record its telemetry.
    package func connect(within timeout: Duration) async throws(LinkError) {
        do {
            try await link.connect(within: timeout)
        } catch {
            event(.error, "not connected over \(kind.rawValue): \(error.description)")
            throw error
        }
        event(.information, "connected over \(kind.rawValue)")
        listen(after: noteMachine())
    }

    /// Notes what the vehicle is, if the connected link knows: a replay goes to one of the same kind. Over a channel the companion
    /// says it with the first telemetry.
    ///
    /// - Returns: what was noted.
    private func noteMachine() -> String? {
        guard let recorder, (kind != .udp && kind != .tcp) || link.latestTelemetry != nil else { return nil }
        let machine = vehicleCapabilities.machine
        recorder.note(.event(RecordedEvent(.information, FlightBag.machineEvent, machine, at: clock.now)))
        return machine
    }

    /// Starts to record the telemetry of a link that is already connected.
    package func listen() { listen(after: nil) }

    /// - Parameter machine: the kind of machine that is noted already.
    private func listen(after machine: String?) {
        guard let recorder else { return }
        if let robot = link.capabilities.robot {
            let record = RobotRecord(of: robot, recorder: recorder)
            robotRecord.withLock { $0 = $0 ?? record }
        }
        let (link, clock) = (link, clock)
        listening.withLock { listening in
            guard listening == nil else { return }
            listening = Task.detached {
                var noted = machine
                for await telemetry in link.telemetry() {
                    let machine = link.vehicleCapabilities.machine
                    if machine != noted {
                        noted = machine
                        recorder.note(
                            .event(RecordedEvent(.information, FlightBag.machineEvent, machine, at: clock.now)))
                    }
                    recorder.note(.telemetry(telemetry, at: clock.now))
                }
            }
        }
    }

    /// Performs and records a command.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await recorded(command) { () async throws(LinkError) in try await link.perform(command, within: timeout) }
    }

    /// Sends a setpoint, then records it.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        do {
            let receipt = try link.steer(setpoint)
            record(setpoint, receipt, error: nil)
            return receipt
        } catch {
            record(setpoint, nil, error: error.description)
            throw error
        }
    }

    /// Closes the link after waiting for the companion's last trace records; the recording goes on.
    package func close() async {
        if let target { await settle(target) }
        event(.information, "closed")
        stopListening()
        await link.close()
    }

    private func record(_ setpoint: VelocitySetpoint, _ receipt: SteeringReceipt?, error: String?) {
        guard let target else { return }
        let now = receipt?.sentAt ?? clock.now
        // Over ROS and the simulator there is no companion in between: sent means applied.
        let isDirect = receipt?.sentAt != nil && (kind == .ros || kind == .sim)
        var note = RecordedSetpoint(
            number: target.recorder.nextSetpoint(), link: name, setpoint: setpoint, sentAt: now,
            receivedAt: isDirect ? now : nil, appliedAt: isDirect ? now : nil, fate: isDirect ? .applied : nil,
            error: error)
        note.condition = condition
        target.recorder.note(.setpoint(note), over: error == nil ? target.channel : nil, receipt)
    }

    func event(_ severity: VehicleMessage.Severity, _ text: String) {
        recorder?.note(.event(RecordedEvent(severity, "link", text, at: clock.now)))
    }

    func recorded(
        _ command: Command, _ body: () async throws(LinkError) -> CommandReply
    ) async throws(LinkError) -> CommandReply {
        guard let target else {
            let reply = try await body()
            keep(command, reply)
            return reply
        }
        let number = target.recorder.nextCommand()
        let begun = clock.now
        do {
            let reply = try await body()
            keep(command, reply)
            note(number, command, begun, .success(reply), target)
            return reply
        } catch {
            note(number, command, begun, .failure(error), target)
            throw error
        }
    }

    /// Keeps the trajectory that the vehicle holds from now on.
    func keep(_ command: Command, _ reply: CommandReply) {
        guard case .uploadTrajectory(let trajectory) = command, reply.accepted else { return }
        held.withLock { $0 = trajectory }
    }

    func note(
        _ number: UInt32, _ command: Command, _ begun: MonotonicTime, _ answer: Result<CommandReply, LinkError>,
        _ target: Target
    ) {
        var note = RecordedCommand(
            number: number, link: name, command: command, intendedAt: begun, sentAt: begun, answeredAt: clock.now,
            answer: answer)
        note.condition = condition
        target.recorder.note(.command(note), over: target.channel)
    }
}
