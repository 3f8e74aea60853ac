internal import UAVLink

/// What the companion's end of a session has once it is open: commands, steering, transfers, telemetry and the trace, and the
/// order in which their frames are sent.
final class OpenVehicleSession {
    /// What is sent to a ground as soon as the session is open.
    struct Announcements {
        var control: (status: ControlStatus, stops: UInt64)?
        var capabilities: VehicleCapabilities?
    }

    /// What it has counted.
    struct Totals {
        let framesReceived: UInt64
        let setpoints: SetpointCounts
    }

    let cipher: FrameCipher
    /// The random of the hello that opened it.
    let helloRandom: [UInt8]
    private(set) var timing = PeerTiming()
    private(set) var steering = SteeringGate()
    private(set) var commands = CommandResponder()
    private(set) var transfers = VehicleTransfers()
    private(set) var telemetrySchedule: TelemetrySchedule
    private var control = ControlStatusSchedule()
    private var trace: VehicleTrace?
    /// Whether a heartbeat waits for its answer.
    private(set) var heartbeatIsDue = false
    /// Whether the link was lost at the last ``tick(unheard:now:)``.
    private var isLost = false

    /// - Parameter statePeriod: the interval between state frames.
    init(
        cipher: FrameCipher, helloRandom: [UInt8], statePeriod: Duration, announcing known: Announcements,
        now: MonotonicTime
    ) {
        self.cipher = cipher
        self.helloRandom = helloRandom
        telemetrySchedule = TelemetrySchedule(statePeriod: statePeriod, now: now)
        telemetrySchedule.capabilities = known.capabilities
        telemetrySchedule.begin(now: now)
        if let known = known.control { control.tell(known.status, stops: known.stops) }
    }

    var totals: Totals { Totals(framesReceived: cipher.received, setpoints: steering.counts) }

    // MARK: What the companion wants

    func tell(_ status: ControlStatus, stops: UInt64) { control.tell(status, stops: stops) }

    func tell(_ capabilities: VehicleCapabilities?) { telemetrySchedule.capabilities = capabilities }

    func resendControlStatus(now: MonotonicTime) { control.remind(now: now) }

    func note(_ verdict: SteeringVerdict) { steering.note(verdict) }

    func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) { commands.answer(id, result) }

    func answer(question id: UInt64, _ payload: [UInt8]) { commands.answer(question: id, payload) }

    func carrierWasRenewed() { transfers.carrierWasRenewed() }

    // MARK: Frames in

    /// Processes an opened frame.
    ///
    /// - Parameter available: how many more bytes transfers may hold.
    func take(
        _ text: UnsafeRawBufferPointer, sequence: UInt64, now: MonotonicTime, available: Int
    ) throws(WireError) -> VehicleEvent {
        var reader = WireReader(text)
        guard let kind = FrameKind(rawValue: try reader.integer()) else { throw .invalid }
        switch kind {
        case .steering: return judge(try Steering(&reader), now: now)
        case .heartbeat:
            let heartbeat = try Heartbeat(&reader)
            timing.take(heartbeat, sequence: sequence, now: now, cipher: cipher)
            telemetrySchedule.note(messagesSeen: heartbeat.messagesSeen)
            if heartbeat.wantsReply { heartbeatIsDue = true }
        case .command, .orderedCommand:
            return perform(DecodedCommand(try CommandRequest(&reader, isOrdered: kind == .orderedCommand)), now: now)
        case .commandQuery:
            let id = try reader.integer(UInt64.self)
            try reader.end()
            commands.query(id)
        case .fragment:
            let transfer = transfers.take(try Fragment(&reader), available: available)
            return transfer.map { .transferred($0) } ?? .nothing
        case .fragmentReceived:
            if let delivered = transfers.acknowledge(try FragmentsReceived(&reader)) { commands.deliver(delivered) }
        case .fragmentRefused:
            let (id, _) = try TransferRefusal.read(&reader)
            transfers.forget(id)
            commands.deliver(id)
        case .question: return ask(try QuestionRequest(&reader), now: now)
        case .traceRequest: return take(try TraceRequest(&reader), now: now)
        case .goodbye: return .ended
        case .commandReceived, .commandAnswer, .questionAnswer, .state, .details, .messages, .extras, .control, .stops,
            .trace:
            throw .invalid
        }
        return .nothing
    }

    /// Starts a command, unless it was started before or is answered here.
    func perform(_ command: DecodedCommand, now: MonotonicTime) -> VehicleEvent {
        let request = command.request
        guard commands.isNew(request.id, slot: request.command.reservedSlot) else { return .nothing }
        steering.supersede(upTo: request.afterSetpoint)
        guard let deadline = commands.begin(command, timing: timing, now: now) else { return .nothing }
        return .perform(id: request.id, request.command, until: deadline, knownStops: request.knownStops)
    }

    private func ask(_ request: QuestionRequest, now: MonotonicTime) -> VehicleEvent {
        guard commands.isNew(request.id, slot: nil),
            let deadline = commands.begin(request, timing: timing, now: now)
        else { return .nothing }
        return .ask(id: request.id, request.question, until: deadline)
    }

    private func judge(_ setpoint: Steering, now: MonotonicTime) -> VehicleEvent {
        switch steering.judge(setpoint, timing: timing, now: now) {
        case .accepted(let setpoint): return .steer(setpoint)
        case .stale: note(.stale, receivedAt: now, handedAt: now, leftAt: now)
        case .superseded: note(.superseded, receivedAt: now, handedAt: now, leftAt: now)
        }
        return .nothing
    }

    // MARK: Trace

    /// Whether the ground has requested a trace.
    var isTraced: Bool { trace != nil }

    /// Whether it watches other nodes' velocity references.
    var watchesSetpoints: Bool { trace?.watchesSetpoints == true }

    /// Whether it wants to know when the companion's own subscriber has read its setpoints.
    var watchesOwn: Bool { trace?.watchesOwn == true }

    /// Whether it wants the kernel's receipts of frames.
    var stampsReceipts: Bool { trace?.stampsReceipts == true }

    /// Records the times of the setpoint that was judged last.
    func note(_ fate: TraceRecord.Fate, receivedAt: MonotonicTime, handedAt: MonotonicTime, leftAt: MonotonicTime) {
        trace?.add(
            .setpoint(
                .init(
                    number: steering.judged, receivedAt: receivedAt, handedAt: handedAt, leftAt: leftAt, fate: fate)))
    }

    /// Adds another trace record.
    func note(_ record: TraceRecord) { trace?.add(record) }

    private func take(_ request: TraceRequest, now: MonotonicTime) -> VehicleEvent {
        let watched = (watchesSetpoints, watchesOwn)
        if !request.isWanted {
            trace = nil
        } else if trace?.isBehind(request) ?? true {
            trace = VehicleTrace(request, now: now)
        } else {
            trace?.take(request, now: now)
        }
        return watched == (watchesSetpoints, watchesOwn) ? .nothing : .watch(watchesSetpoints || watchesOwn)
    }

    // MARK: Time

    /// Advances to the present.
    ///
    /// - Parameter unheard: how long nothing was received from the ground.
    func tick(unheard: Duration, now: MonotonicTime) -> VehicleSession.Change {
        if trace?.isOver(now: now) == true { trace = nil }
        if unheard > ChannelTimes.sessionLife { return .ended }
        let wasLost = isLost
        isLost = unheard > ChannelTimes.linkLossTimeout
        if isLost == wasLost { return .nothing }
        return isLost ? .linkLost : .linkRestored
    }

    /// The latest time of the next call.
    ///
    /// - Parameter isReliable: whether the carrier itself retransmits lost data.
    func nextDeadline(
        telemetry: Telemetry?, hasMessages: Bool, lastHeard: MonotonicTime, isReliable: Bool
    ) -> MonotonicTime {
        var earliest = lastHeard + (isLost ? ChannelTimes.sessionLife : ChannelTimes.linkLossTimeout)
        if !isLost, let telemetry {
            earliest = min(earliest, telemetrySchedule.nextDeadline(telemetry, hasMessages: hasMessages))
        }
        if !isLost, let deadline = control.nextDeadline { earliest = min(earliest, deadline) }
        if !isLost, let deadline = trace?.nextDeadline { earliest = min(earliest, deadline) }
        if let deadline = transfers.nextDeadline(resendAfter: resendAfter(isReliable)) {
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    private func resendAfter(_ isReliable: Bool) -> Duration? { isReliable ? nil : timing.resendAfter }

    // MARK: Frames out, each 0 when there is none now

    /// Answers, the most urgent.
    func nextReply(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        commands.nextReply(into: buffer, cipher: cipher, transfers: &transfers)
    }

    /// The end of the session.
    func goodbye(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        cipher.seal(into: buffer) { $0.put(FrameKind.goodbye) }
    }

    /// Heartbeats, control status and receipts, telemetry, trace records, fragments. No telemetry is sent after link loss.
    func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, telemetry: Telemetry?,
        poseStampedAt: MonotonicTime?, messages: MessageLog,
        isReliable: Bool
    ) -> Int {
        if heartbeatIsDue {
            heartbeatIsDue = false
            var heartbeat = timing.heartbeat(now: now, cipher: cipher)
            heartbeat.setpoints = steering.counts
            return cipher.seal(into: buffer) { heartbeat.write(&$0) }
        }
        if !isLost {
            let length = control.nextFrame(into: buffer, now: now, cipher: cipher)
            if length > 0 { return length }
        }
        let receipt = transfers.nextReceipt(into: buffer, cipher: cipher)
        if receipt > 0 { return receipt }
        if let telemetry, !isLost {
            let length = nextTelemetry(telemetry, stampedAt: poseStampedAt, messages, into: buffer, now: now)
            if length > 0 { return length }
        }
        if !isLost, let length = trace?.nextFrame(into: buffer, now: now, cipher: cipher), length > 0 {
            return length
        }
        return transfers.nextFragment(into: buffer, now: now, resendAfter: resendAfter(isReliable), cipher: cipher)
    }

    private func nextTelemetry(
        _ telemetry: Telemetry, stampedAt: MonotonicTime?, _ messages: MessageLog,
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime
    ) -> Int {
        let sequence = cipher.nextSequence
        let states = telemetrySchedule.statesSent
        let length = telemetrySchedule.nextFrame(telemetry, messages, into: buffer, now: now, cipher: cipher)
        if length > 0, trace != nil, telemetrySchedule.statesSent != states, let pose = telemetry.pose {
            note(.state(.init(sequence: sequence, sentAt: now, arrivedAt: pose.at, stampedAt: stampedAt)))
        }
        return length
    }
}
