package import UAVLink

/// The companion's end of a session: takes frames, returns events, and provides the next frame to send. No I/O, no clock of its
/// own.
///
/// ```
///   waiting --hello of our version--> open --goodbye / end() / not heard for 5 minutes--> ended
///      |
///      | unused for 60 s
///      v
///    ended
/// ```
package final class VehicleSession {
    package enum Phase: Equatable {
        case waiting
        case open
        case ended
    }

    /// The result of a received frame.
    package struct Received {
        package var event = VehicleEvent.nothing
        /// Whether it is authentic and the newest so far: its sender's address is then the ground's present address.
        package var isNewest = false
    }

    package private(set) var phase = Phase.waiting
    package let id: SessionID
    private let key: SecretKey
    private let keys: Handshake.Keys
    private let version: UInt16
    private let random: (Int) -> [UInt8]
    package private(set) var cipher: FrameCipher?
    package private(set) var timing = PeerTiming()
    package private(set) var drops = DropCounts()
    package private(set) var lastHeard: MonotonicTime
    private var gate = SteeringGate()
    /// Whether the link was lost at the last ``tick(now:)``.
    private(set) var isSilent = false

    private var helloRandom: [UInt8] = []
    private var welcomeIsDue: (hello: Handshake.Hello, receivedAt: MonotonicTime, isAccepted: Bool, random: [UInt8])?
    /// Whether a heartbeat waits for its answer; a delay until then counts as network delay.
    package private(set) var heartbeatIsDue = false
    private var desk = CommandResponder()
    private var sendsGoodbye = false
    private var telemetrySchedule: TelemetrySchedule
    private var control = ControlStatusSchedule()
    private var trace: VehicleTrace?
    /// The number of the newest setpoint.
    private var steeringNumber: UInt64 = 0

    /// Creates a session that waits for its ground.
    ///
    /// - Parameters:
    ///   - statePeriod: the interval between state frames.
    ///   - random: returns unpredictable bytes.
    package init(
        id: SessionID, key: SecretKey, statePeriod: Duration, now: MonotonicTime,
        version: UInt16 = channelProtocolVersion,
        random: @escaping (Int) -> [UInt8] = SecureRandom.bytes
    ) throws(LinkError) {
        self.id = id
        self.key = key
        keys = try Handshake.Keys(key)
        self.version = version
        self.random = random
        telemetrySchedule = TelemetrySchedule(statePeriod: statePeriod, now: now)
        lastHeard = now
    }

    /// Whether the present carrier itself retransmits lost data (TCP).
    package var isReliable = false

    private var bulkResend: Duration? { isReliable ? nil : timing.resendAfter }

    /// Bytes held for incomplete transfers.
    package var bytesHeld: Int { desk.bytesHeld }

    /// Whether there are messages that the ground has not acknowledged.
    package func wantsMessages(_ log: MessageLog) -> Bool { log.hasUpdate(after: telemetrySchedule.messagesSeen) }

    // MARK: What the companion wants

    /// What happened to the setpoints so far.
    package var setpoints: SetpointCounts { gate.counts }

    /// Counts what happened to a forwarded setpoint.
    package func note(_ verdict: SteeringVerdict) { gate.note(verdict) }

    /// Sets the control status for this ground; it is sent at once, and again periodically.
    package func tell(_ status: ControlStatus) { control.tell(status) }

    /// Sets what the vehicle can do, for this ground; a change is sent at once.
    package func tell(_ capabilities: VehicleCapabilities?) { telemetrySchedule.capabilities = capabilities }

    /// A setpoint was refused: the ground is sent the control status again.
    package func resendControlStatus(now: MonotonicTime) { control.remind(now: now) }

    /// Stores the answer to a command of ``VehicleEvent/perform(id:_:until:)``.
    package func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) { desk.answer(id, result) }

    /// Stores the encoded answer to a question of ``VehicleEvent/ask(id:_:until:)``.
    package func answer(question id: UInt64, _ payload: [UInt8]) { desk.answer(question: id, payload) }

    /// Bytes of large answers that the ground does not have yet.
    package var answerBytesHeld: Int { desk.answerBytesHeld }

    /// Sends goodbye with the next frame.
    package func end() {
        sendsGoodbye = phase == .open
        if phase == .waiting { phase = .ended }
    }

    /// The carrier was renewed: what was in flight on the old one is resent.
    package func carrierWasRenewed() { desk.carrierWasRenewed() }

    // MARK: Frames in

    /// Processes a frame, which is decrypted in place.
    ///
    /// - Parameter room: how many more bytes transfers may hold.
    package func receive(
        _ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime, room: Int = ChannelLimits.bulkTotal
    )
        -> Received
    {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard header.session == id.value, phase != .ended else { throw .unknownSession }
            if header.sequence == 0 { return try receiveHello(frame, now: now) }
            guard let cipher, phase == .open else { throw .unknownSession }
            let newest = cipher.window.newest
            if isTraced, cipher.isRepeated(header.sequence) {
                note(.repeated(.init(sequence: header.sequence, at: now)))
            }
            let (text, sequence) = try cipher.open(frame)
            lastHeard = now
            return Received(
                event: take(text, sequence: sequence, now: now, room: room, cipher: cipher), isNewest: sequence > newest
            )
        } catch {
            drops.note(error)
            return Received()
        }
    }

    private func receiveHello(_ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime) throws(FrameRefusal)
        -> Received
    {
        let (hello, random) = try Handshake.openHello(frame, keys: keys)
        switch phase {
        case .ended: throw .unknownSession
        case .open:
            // The ground resends its hello until the welcome arrives; after its first other frame, a hello is a replay.
            guard random == helloRandom, let cipher, cipher.window.newest == 0 else { throw .replayed }
            welcomeIsDue = (hello, now, true, random)
            return Received(event: .nothing, isNewest: true)
        case .waiting:
            guard hello.version == version else {
                welcomeIsDue = (hello, now, false, random)
                return Received(event: .nothing, isNewest: true)
            }
            do throws(LinkError) {
                cipher = try FrameCipher(session: id.value, key: key, helloRandom: random, sending: .down)
            } catch { throw .malformed }
            helloRandom = random
            phase = .open
            lastHeard = now
            telemetrySchedule.begin(now: now)
            control.begin()
            welcomeIsDue = (hello, now, true, random)
            return Received(event: .opened, isNewest: true)
        }
    }

    private func take(
        _ text: UnsafeRawBufferPointer, sequence: UInt64, now: MonotonicTime, room: Int, cipher: FrameCipher
    ) -> VehicleEvent {
        var reader = WireReader(text)
        do throws(WireError) {
            guard let kind = FrameKind(rawValue: try reader.integer()) else { throw .invalid }
            switch kind {
            case .steering:
                return judge(try Steering(&reader), now: now)
            case .heartbeat:
                let heartbeat = try Heartbeat(&reader)
                timing.take(heartbeat, sequence: sequence, now: now, cipher: cipher)
                telemetrySchedule.note(messagesSeen: heartbeat.messagesSeen)
                if heartbeat.wantsReply { heartbeatIsDue = true }
            case .command: return perform(DecodedCommand(try CommandRequest(&reader)), now: now)
            case .commandQuery:
                let id = try reader.integer(UInt64.self)
                try reader.end()
                desk.query(id)
            case .fragment:
                return desk.take(try Fragment(&reader), room: room).map { .transferred($0) } ?? .nothing
            case .fragmentReceived: desk.acknowledge(try FragmentsReceived(&reader))
            case .fragmentRefused:
                let id = try reader.integer(UInt64.self)
                guard TransferRefusal(rawValue: try reader.integer()) != nil else { throw .invalid }
                try reader.end()
                desk.forgetTransfer(id)
            case .question: return ask(try QuestionRequest(&reader), now: now)
            case .traceRequest: return take(try TraceRequest(&reader), now: now)
            case .goodbye:
                phase = .ended
                return .ended
            case .commandReceived, .commandAnswer, .questionAnswer, .state, .details, .messages, .extras, .control,
                .trace:
                throw .invalid
            }
        } catch {
            drops.invalid += 1
        }
        return .nothing
    }

    /// Processes the decoded command of a transfer; `nil` when it was invalid.
    package func perform(_ command: DecodedCommand?, now: MonotonicTime) -> VehicleEvent {
        guard let command else {
            drops.invalid += 1
            return .nothing
        }
        let request = command.request
        guard phase == .open, desk.isNew(request.id, stopsMotion: request.command.stopsMotion) else { return .nothing }
        gate.supersede(upTo: request.afterSetpoint)
        guard let deadline = desk.begin(command, timing: timing, now: now) else { return .nothing }
        return .perform(id: request.id, request.command, until: deadline)
    }

    private func judge(_ steering: Steering, now: MonotonicTime) -> VehicleEvent {
        let staleBefore = gate.counts.stale
        steeringNumber = steering.number
        guard let setpoint = gate.judge(steering, timing: timing, now: now) else {
            let fate = gate.counts.stale == staleBefore ? TraceRecord.Fate.superseded : .stale
            note(fate, receivedAt: now, handedAt: now, leftAt: now)
            return .nothing
        }
        return .steer(setpoint)
    }

    // MARK: Trace

    /// Whether the ground has requested a trace.
    package var isTraced: Bool { trace != nil }

    /// Whether it watches other nodes' velocity references.
    package var watchesSetpoints: Bool { trace?.watchesSetpoints == true }

    /// Records the times of the newest setpoint.
    package func note(
        _ fate: TraceRecord.Fate, receivedAt: MonotonicTime, handedAt: MonotonicTime, leftAt: MonotonicTime
    ) {
        trace?.add(
            .setpoint(
                .init(
                    number: steeringNumber, receivedAt: receivedAt, handedAt: handedAt, leftAt: leftAt, fate: fate)))
    }

    /// Adds another trace record.
    package func note(_ record: TraceRecord) { trace?.add(record) }

    private func take(_ request: TraceRequest, now: MonotonicTime) -> VehicleEvent {
        let watched = watchesSetpoints
        if !request.isWanted {
            trace = nil
        } else if trace?.isBehind(request) ?? true {
            trace = VehicleTrace(request, now: now)
        } else {
            trace?.take(request, now: now)
        }
        return watched == watchesSetpoints ? .nothing : .watch(watchesSetpoints)
    }

    private func ask(_ request: QuestionRequest, now: MonotonicTime) -> VehicleEvent {
        guard desk.isNew(request.id, stopsMotion: false),
            let deadline = desk.begin(request, timing: timing, now: now)
        else { return .nothing }
        return .ask(id: request.id, request.question, until: deadline)
    }

    // MARK: Time

    /// A change that ``tick(now:)`` reports.
    package enum Change: Equatable {
        case nothing
        /// The ground has not been heard for a second: link loss.
        case silent
        /// The ground is heard again.
        case returned
        /// The ticket expired, or the ground was not heard for ``ChannelTimes/sessionLife``.
        case ended
    }

    package func tick(now: MonotonicTime) -> Change {
        let unheard = now - lastHeard
        switch phase {
        case .ended: return .nothing
        case .waiting:
            guard unheard > ChannelTimes.ticketLife else { return .nothing }
            phase = .ended
            return .ended
        case .open:
            if trace?.isOver(now: now) == true { trace = nil }
            if unheard > ChannelTimes.sessionLife {
                phase = .ended
                return .ended
            }
            let wasSilent = isSilent
            isSilent = unheard > ChannelTimes.silence
            if isSilent == wasSilent { return .nothing }
            return isSilent ? .silent : .returned
        }
    }

    /// Whether it may be evicted: its link is lost, or its ticket was not used for longer than a log-in takes.
    package func isEvictable(now: MonotonicTime) -> Bool {
        now - lastHeard > (phase == .waiting ? ChannelTimes.ticketEvictionAge : ChannelTimes.silence)
    }

    /// The latest time of the next call.
    package func nextDeadline(telemetry: Telemetry?, hasMessages: Bool) -> MonotonicTime {
        switch phase {
        case .ended: return MonotonicTime(nanoseconds: .max)
        case .waiting: return lastHeard + ChannelTimes.ticketLife
        case .open: break
        }
        var earliest = lastHeard + (isSilent ? ChannelTimes.sessionLife : ChannelTimes.silence)
        if !isSilent, let telemetry {
            earliest = min(earliest, telemetrySchedule.nextDeadline(telemetry, hasMessages: hasMessages))
        }
        if !isSilent, let deadline = control.nextDeadline { earliest = min(earliest, deadline) }
        if !isSilent, let deadline = trace?.nextDeadline { earliest = min(earliest, deadline) }
        if let deadline = desk.nextDeadline(resendAfter: bulkResend) { earliest = min(earliest, deadline) }
        return earliest
    }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    ///
    /// Order: answers, heartbeats, control status and receipts, telemetry, fragments. No telemetry is sent after link loss.
    package func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, telemetry: Telemetry?, messages: MessageLog
    ) -> Int {
        if let welcome = welcomeIsDue {
            welcomeIsDue = nil
            return Handshake.seal(
                Handshake.Welcome(
                    version: version, accepted: welcome.isAccepted, helloSent: welcome.hello.sent,
                    helloReceived: welcome.receivedAt.nanoseconds, sent: now.nanoseconds),
                helloRandom: welcome.random, session: id.value, random: random(ChannelLimits.handshakeRandom),
                keys: keys,
                into: buffer)
        }
        guard phase == .open, let cipher else { return 0 }
        let reply = desk.nextReply(into: buffer, cipher: cipher)
        if reply > 0 { return reply }
        if sendsGoodbye {
            sendsGoodbye = false
            phase = .ended
            return cipher.seal(into: buffer) { $0.put(FrameKind.goodbye) }
        }
        if heartbeatIsDue {
            heartbeatIsDue = false
            var heartbeat = timing.heartbeat(now: now, cipher: cipher)
            heartbeat.setpoints = setpoints
            return cipher.seal(into: buffer) { heartbeat.write(&$0) }
        }
        if !isSilent {
            let length = control.nextFrame(into: buffer, now: now, cipher: cipher)
            if length > 0 { return length }
        }
        let receipt = desk.nextReceipt(into: buffer, cipher: cipher)
        if receipt > 0 { return receipt }
        if let telemetry, !isSilent {
            let sequence = cipher.nextSequence
            let states = telemetrySchedule.statesSent
            let length = telemetrySchedule.nextFrame(telemetry, messages, into: buffer, now: now, cipher: cipher)
            if length > 0 {
                if trace != nil, telemetrySchedule.statesSent != states, let pose = telemetry.pose {
                    note(
                        .state(
                            .init(
                                sequence: sequence, sentAt: now, arrivedAt: pose.at, stampedAt: telemetry.poseStampedAt)
                        ))
                }
                return length
            }
        }
        if !isSilent, let length = trace?.nextFrame(into: buffer, now: now, cipher: cipher), length > 0 {
            return length
        }
        return desk.nextFragment(into: buffer, now: now, resendAfter: bulkResend, cipher: cipher)
    }
}
