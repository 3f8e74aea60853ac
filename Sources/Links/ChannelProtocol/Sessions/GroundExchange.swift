internal import UAVLink

/// What a ground's session exchanges while it is open: steering, commands, telemetry, heartbeats and the trace. Empty before,
/// and readable after.
final class GroundExchange {
    let cipher: FrameCipher
    private(set) var timing = PeerTiming()
    private(set) var received: GroundTelemetry
    private(set) var steering = GroundSteering()
    private var requests: GroundRequests
    /// How many stops the companion has begun; `nil` until it was received.
    private(set) var knownStops: UInt64?
    private var nextHeartbeat: MonotonicTime
    /// Whether a call waits for a heartbeat's answer.
    var echoIsAwaited = false
    /// The trace of this session, if it is traced. It begins with the exchange before it, which may be the only one for a while.
    var trace: GroundTrace? {
        didSet { if trace !== oldValue { noteExchange() } }
    }

    /// - Parameter isReliable: whether the carrier itself retransmits lost data (TCP).
    init(cipher: FrameCipher, vehicle: String, isReliable: Bool, now: MonotonicTime) {
        self.cipher = cipher
        received = GroundTelemetry(vehicle: vehicle)
        requests = GroundRequests(isReliable: isReliable)
        nextHeartbeat = now
    }

    /// The session is open: the companion's clock is known from its welcome.
    func begin(_ welcome: Handshake.Welcome, now: MonotonicTime) {
        nextHeartbeat = now
        timing.takeWelcome(sent: welcome.sent, now: now)
        timing.add(
            ClockExchange(
                sent: welcome.helloSent, receivedThere: welcome.helloReceived, sentThere: welcome.sent,
                received: now.nanoseconds), now: now)
        noteExchange()
    }

    private func noteExchange() {
        if let exchange = timing.newest { trace?.exchanged(exchange, endedAt: timing.newestAt) }
    }

    // MARK: What the caller wants

    func steer(_ setpoint: VelocitySetpoint, now: MonotonicTime) -> UInt64 {
        let number = steering.steer(setpoint)
        trace?.called(setpoint: number, intendedAt: setpoint.intendedAt, now: now)
        return number
    }

    func dropSetpoint() { steering.drop() }

    func begin(
        _ command: Command, in sequence: CommandSequence?, deadline: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        let stops = if let sequence, !command.stopsOrLands { sequence.knownStops } else { knownStops }
        let id = try requests.begin(
            command, afterSetpoint: steering.number, knownStops: stops, deadline: deadline, now: now)
        trace?.begun(command: id, name: command.name, now: now)
        // Setpoints issued before the command must not act after it.
        steering.drop()
        return id
    }

    func begin(_ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError) -> UInt64 {
        try requests.begin(question, deadline: deadline, now: now)
    }

    func forget(_ id: UInt64) { requests.forget(id) }

    /// The next heartbeat is due now.
    func sendHeartbeat(now: MonotonicTime) { nextHeartbeat = now }

    /// The carrier was renewed: what was in flight is lost and resent, except setpoints.
    func carrierWasRenewed(now: MonotonicTime) {
        steering.drop()
        requests.carrierWasRenewed(now: now)
        nextHeartbeat = now
    }

    // MARK: Frames in

    /// How long the kernel had the frame that is processed, nanoseconds; `nil` if it does not tell.
    var waited: Int64?

    /// Notes a frame that may be a repetition.
    func look(at header: FrameHeader) {
        if let trace, cipher.isRepeated(header.sequence) { trace.repeated(header.sequence) }
    }

    /// Processes an opened frame.
    func take(_ text: UnsafeRawBufferPointer, sequence: UInt64, now: MonotonicTime) throws(WireError) -> GroundEvent {
        var reader = WireReader(text)
        guard let kind = FrameKind(rawValue: try reader.integer()) else { throw .invalid }
        switch kind {
        case .heartbeat:
            let heartbeat = try Heartbeat(&reader)
            let before = timing.exchangeCount
            timing.take(heartbeat, sequence: sequence, now: now, cipher: cipher)
            if timing.exchangeCount != before { noteExchange() }
            steering.counts = heartbeat.setpoints
            if echoIsAwaited, let echo = heartbeat.echo {
                return .echoed(sent: MonotonicTime(nanoseconds: echo.sent))
            }
        case .goodbye: return .ended
        case .state, .details, .messages, .extras, .control:
            return try take(kind, &reader, sequence: sequence, now: now)
        case .stops:
            // A frame may overtake a newer one.
            knownStops = max(knownStops ?? 0, try reader.integer())
            try reader.end()
        case .commandReceived:
            requests.noteReceived(try reader.integer(), now: now)
            try reader.end()
        case .commandAnswer: return traced(requests.take(try CommandAnswer(&reader), now: now), now: now)
        case .questionAnswer: return requests.take(question: try reader.integer(), Array(text))
        case .fragment: return traced(try requests.take(try Fragment(&reader), now: now), now: now)
        case .fragmentReceived: return requests.take(try FragmentsReceived(&reader), now: now)
        case .fragmentRefused:
            let (id, reason) = try TransferRefusal.read(&reader)
            return requests.take(refusal: reason, of: id)
        case .trace: trace?.take(try TraceBatch(&reader))
        case .steering, .command, .orderedCommand, .commandQuery, .question, .traceRequest: throw .invalid
        }
        return .nothing
    }

    private func take(
        _ kind: FrameKind, _ reader: inout WireReader, sequence: UInt64, now: MonotonicTime
    ) throws(WireError) -> GroundEvent {
        let isNew = try received.take(kind, &reader, sequence: sequence, now: now) { local($0, now: now) }
        if kind == .state {
            if isNew {
                trace?.arrived(state: sequence, now: now, waited: waited)
            } else {
                trace?.outOfOrder(state: sequence)
            }
        }
        return isNew ? .telemetry : .nothing
    }

    private func traced(_ event: GroundEvent, now: MonotonicTime) -> GroundEvent {
        if case .answered(let id, _) = event { trace?.answered(command: id, now: now, waited: waited) }
        return event
    }

    /// Converts an instant of the companion's clock to ours; never in the future.
    private func local(_ theirs: Int64, now: MonotonicTime) -> MonotonicTime {
        min(now, timing.local(theirs, now: now) ?? now)
    }

    // MARK: Time

    /// Requests past their deadline, each reported once.
    func takeExpired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] { requests.takeExpired(now: now) }

    /// When a request has something due.
    var nextRequest: MonotonicTime { requests.nextDeadline(resendAfter: timing.resendAfter) }

    /// When something else has.
    var nextExchange: MonotonicTime {
        guard let trace else { return nextHeartbeat }
        return min(nextHeartbeat, trace.nextRequest)
    }

    // MARK: Frames out, each 0 when there is none now

    /// A command that stops motion, or the setpoint.
    func nextUrgent(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        if let index = requests.due(onlyStops: true, now: now) { return send(index, into: buffer, now: now) }
        return steering.nextFrame(into: buffer, cipher: cipher, trace: trace)
    }

    /// The end of the session.
    func goodbye(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        cipher.seal(into: buffer) { $0.put(FrameKind.goodbye) }
    }

    /// Heartbeats, other commands, receipts, trace requests, fragments.
    func nextFrame(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        if nextHeartbeat <= now {
            nextHeartbeat = now + ChannelTimes.heartbeat
            var heartbeat = timing.heartbeat(now: now, cipher: cipher)
            heartbeat.wantsReply = true
            heartbeat.messagesSeen = received.messagesSeen
            return cipher.seal(into: buffer) { heartbeat.write(&$0) }
        }
        if let index = requests.due(onlyStops: false, now: now) { return send(index, into: buffer, now: now) }
        let receipt = requests.nextReceipt(into: buffer, cipher: cipher)
        if receipt > 0 { return receipt }
        if let request = trace?.request(now: now) {
            if !request.isWanted { trace = nil }
            return cipher.seal(into: buffer) { request.write(&$0) }
        }
        return requests.nextTransfer(into: buffer, now: now, resendAfter: timing.resendAfter, cipher: cipher)
    }

    private func send(_ index: Int, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        requests.seal(index, into: buffer, cipher: cipher, resendAfter: timing.resendAfter, now: now, trace: trace)
    }
}
