package import UAVLink

/// The ground's end of a session: takes frames, returns events, and provides the next frame to send. No I/O, no clock of its
/// own.
///
/// ```
///   opening --welcome--> open --goodbye / end()--> ended
///      |                  ^ |
///      | versions differ  | | nothing heard for 1 s: isSilent (commands go on, steering is refused)
///      v                  | |
///    ended                +-+ heard again
/// ```
package final class GroundSession {
    package enum Phase: Equatable {
        case opening
        case open
        case ended
    }

    package private(set) var phase = Phase.opening
    package let id: SessionID
    private let keys: Handshake.Keys
    private let helloRandom: [UInt8]
    private let version: UInt16
    package let cipher: FrameCipher
    package private(set) var timing = PeerTiming()
    package private(set) var drops = DropCounts()
    package private(set) var lastHeard: MonotonicTime
    /// The companion's counters of our setpoints.
    package private(set) var setpoints = SetpointCounts()
    package private(set) var setpointsSent: UInt64 = 0

    private var hello: HelloSchedule
    package private(set) var received: GroundTelemetry
    private var requests: GroundRequests
    private var nextHeartbeat: MonotonicTime
    /// Whether a call waits for a heartbeat's answer.
    package var waitsForEcho = false
    private var pendingSetpoint: Steering?
    private var setpointNumber: UInt64 = 0
    private var sendsGoodbye = false
    /// The trace of this session, if it is traced.
    package var trace: GroundTrace?

    /// Creates a session that will send its hello.
    ///
    /// - Parameters:
    ///   - isReliable: whether the carrier itself retransmits lost data (TCP).
    ///   - helloRandom: 24 unpredictable bytes, never used before.
    package init(
        ticket: ChannelTicket, isReliable: Bool, helloRandom: [UInt8], now: MonotonicTime,
        version: UInt16 = channelProtocolVersion
    ) throws(LinkError) {
        id = ticket.session
        keys = try Handshake.Keys(ticket.key)
        cipher = try FrameCipher(session: id.value, key: ticket.key, helloRandom: helloRandom, sending: .up)
        self.helloRandom = helloRandom
        self.version = version
        hello = HelloSchedule(now: now)
        received = GroundTelemetry(vehicle: ticket.vehicle)
        requests = GroundRequests(isReliable: isReliable)
        nextHeartbeat = now
        lastHeard = now
    }

    /// Whether the link is lost: the companion has not been heard for longer than the timeout.
    package func isSilent(now: MonotonicTime) -> Bool { now - lastHeard > ChannelTimes.silence }

    /// Whether the next hello is due.
    package func helloIsDue(now: MonotonicTime) -> Bool { phase == .opening && hello.nextAt <= now }

    /// The newest telemetry.
    package var telemetry: Telemetry { received.value }

    // MARK: What the caller wants

    /// Sets the setpoint to send, replacing one that was not sent yet.
    package func steer(_ setpoint: VelocitySetpoint, now: MonotonicTime) throws(LinkError) {
        try requireOpen()
        guard !isSilent(now: now) else {
            pendingSetpoint = nil
            throw LinkError(
                .notConnected, "no frames received from the vehicle for more than 1 s",
                hint: "the companion has braked the vehicle; steer again when the link is restored")
        }
        setpointNumber += 1
        trace?.called(setpoint: setpointNumber, intendedAt: setpoint.intendedAt, now: now)
        pendingSetpoint = Steering(number: setpointNumber, setpoint: setpoint)
    }

    /// Starts a command and returns the id of its answer.
    package func begin(_ command: Command, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError) -> UInt64 {
        try requireOpen()
        let id = try requests.begin(command, afterSetpoint: setpointNumber, deadline: deadline, now: now)
        trace?.begun(command: id, name: command.name, now: now)
        // Setpoints issued before the command must not act after it.
        pendingSetpoint = nil
        return id
    }

    /// Starts a question and returns the id of its answer; steering continues.
    package func begin(_ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError)
        -> UInt64
    {
        try requireOpen()
        return try requests.begin(question, deadline: deadline, now: now)
    }

    /// Schedules an extra heartbeat now; ``GroundEvent/echoed(sent:)`` reports its answer. If it is lost, the next regular one
    /// follows.
    package func ping(now: MonotonicTime) throws(LinkError) {
        try requireOpen()
        nextHeartbeat = now
        waitsForEcho = true
    }

    private func requireOpen() throws(LinkError) {
        guard phase == .open else { throw LinkError(.notConnected, "the channel is not open", hint: "connect first") }
    }

    /// Forgets a command: its caller no longer waits.
    package func forget(_ id: UInt64) { requests.forget(id) }

    /// Sends goodbye with the next frame.
    package func end() {
        sendsGoodbye = phase == .open
        pendingSetpoint = nil
        if phase == .opening { phase = .ended }
    }

    /// The carrier was renewed: what was in flight is lost and resent, except setpoints.
    package func carrierWasRenewed(now: MonotonicTime) {
        pendingSetpoint = nil
        requests.carrierWasRenewed(now: now)
        hello.sendNow(now)
        nextHeartbeat = now
    }

    // MARK: Frames in

    /// Processes a frame, which is decrypted in place.
    package func receive(_ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> GroundEvent {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard header.session == id.value else { throw .unknownSession }
            if header.sequence == 0 { return try receiveHandshake(frame, now: now) }
            guard phase == .open else { throw .unknownSession }
            if let trace, cipher.isRepeated(header.sequence) { trace.repeated(header.sequence) }
            let (text, sequence) = try cipher.open(frame)
            lastHeard = now
            return take(text, sequence: sequence, now: now)
        } catch {
            drops.note(error)
            return .nothing
        }
    }

    private func receiveHandshake(
        _ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime
    ) throws(FrameRefusal) -> GroundEvent {
        guard phase == .opening else { throw .replayed }
        let welcome = try Handshake.openWelcome(frame, helloRandom: helloRandom, keys: keys)
        guard welcome.accepted else {
            phase = .ended
            return .refused(.channelVersion(theirs: welcome.version))
        }
        phase = .open
        lastHeard = now
        nextHeartbeat = now
        timing.takeWelcome(sent: welcome.sent, now: now)
        timing.add(
            ClockExchange(
                sent: welcome.helloSent, receivedThere: welcome.helloReceived, sentThere: welcome.sent,
                received: now.nanoseconds), now: now)
        return .opened
    }

    private func take(_ text: UnsafeRawBufferPointer, sequence: UInt64, now: MonotonicTime) -> GroundEvent {
        var reader = WireReader(text)
        do throws(WireError) {
            guard let kind = FrameKind(rawValue: try reader.integer()) else { throw .invalid }
            switch kind {
            case .heartbeat:
                let heartbeat = try Heartbeat(&reader)
                timing.take(heartbeat, sequence: sequence, now: now, cipher: cipher)
                setpoints = heartbeat.setpoints
                if waitsForEcho, let echo = heartbeat.echo {
                    return .echoed(sent: MonotonicTime(nanoseconds: echo.sent))
                }
            case .goodbye:
                phase = .ended
                return .ended
            case .state, .details, .messages, .extras, .control:
                return try take(kind, &reader, sequence: sequence, now: now)
            case .commandReceived:
                requests.noteReceived(try reader.integer(), now: now)
                try reader.end()
            case .commandAnswer: return traced(requests.take(try CommandAnswer(&reader), now: now), now: now)
            case .questionAnswer: return requests.take(question: try reader.integer(), Array(text))
            case .fragment: return traced(try requests.take(try Fragment(&reader), now: now), now: now)
            case .fragmentReceived: return requests.take(try FragmentsReceived(&reader), now: now)
            case .fragmentRefused:
                let refused = try reader.integer(UInt64.self)
                guard let reason = TransferRefusal(rawValue: try reader.integer()) else { throw .invalid }
                try reader.end()
                return requests.take(refusal: reason, of: refused)
            case .trace: trace?.take(try TraceBatch(&reader))
            case .steering, .command, .commandQuery, .question, .traceRequest: throw .invalid
            }
        } catch {
            drops.invalid += 1
        }
        return .nothing
    }

    private func take(
        _ kind: FrameKind, _ reader: inout WireReader, sequence: UInt64, now: MonotonicTime
    ) throws(WireError) -> GroundEvent {
        let isNew = try received.take(kind, &reader, sequence: sequence, now: now) { local($0, now: now) }
        if kind == .state {
            if isNew { trace?.arrived(state: sequence, now: now) } else { trace?.overtaken(state: sequence) }
        }
        return isNew ? .telemetry : .nothing
    }

    private func traced(_ event: GroundEvent, now: MonotonicTime) -> GroundEvent {
        if case .answered(let id, _) = event { trace?.answered(command: id, now: now) }
        return event
    }

    /// Converts an instant of the companion's clock to ours; never in the future.
    private func local(_ theirs: Int64, now: MonotonicTime) -> MonotonicTime {
        min(now, timing.local(theirs, now: now) ?? now)
    }

    // MARK: Time

    /// Commands past their deadline, each reported once.
    package func expired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] { requests.takeExpired(now: now) }

    /// The latest time of the next call.
    package func nextDeadline(now: MonotonicTime) -> MonotonicTime {
        guard phase != .ended else { return MonotonicTime(nanoseconds: .max) }
        var earliest = phase == .opening ? hello.nextAt : nextHeartbeat
        earliest = min(earliest, requests.nextDeadline(resendAfter: timing.resendAfter))
        if phase == .open, let trace { earliest = min(earliest, trace.nextRequest) }
        return earliest
    }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    package func nextFrame(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        switch phase {
        case .ended: return 0
        case .opening: return nextHello(into: buffer, now: now)
        case .open: break
        }
        if let index = requests.due(onlyStops: true, now: now) { return send(index, into: buffer, now: now) }
        if let steering = pendingSetpoint {
            pendingSetpoint = nil
            setpointsSent += 1
            let sequence = cipher.nextSequence
            let length = cipher.seal(into: buffer) { steering.write(&$0) }
            trace?.sealed(setpoint: steering.number, sequence: sequence)
            return length
        }
        if sendsGoodbye {
            sendsGoodbye = false
            phase = .ended
            return cipher.seal(into: buffer) { $0.put(FrameKind.goodbye) }
        }
        if nextHeartbeat <= now {
            nextHeartbeat = now + ChannelTimes.heartbeat
            var heartbeat = timing.heartbeat(now: now, cipher: cipher)
            heartbeat.wantsReply = true
            heartbeat.messagesSeen = received.messagesSeen
            return cipher.seal(into: buffer) { heartbeat.write(&$0) }
        }
        if let index = requests.due(onlyStops: false, now: now) { return send(index, into: buffer, now: now) }
        let receipt = requests.sealReceipt(with: cipher, into: buffer)
        if receipt > 0 { return receipt }
        if let request = trace?.request(now: now) {
            if !request.isWanted { trace = nil }
            return cipher.seal(into: buffer) { request.write(&$0) }
        }
        return requests.sealTransfer(with: cipher, resendAfter: timing.resendAfter, into: buffer, now: now)
    }

    private func nextHello(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        guard let sent = hello.take(now: now) else { return 0 }
        let hello = Handshake.Hello(version: version, sent: sent.nanoseconds)
        return Handshake.seal(hello, session: id.value, random: helloRandom, keys: keys, into: buffer)
    }

    private func send(_ index: Int, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        let (length, command) = requests.seal(
            index, with: cipher, resendAfter: timing.resendAfter, into: buffer, now: now)
        if let command { trace?.sealed(command: command.id, sequence: command.sequence) }
        return length
    }
}
