internal import UAVLink

/// The companion's end of a session: frames in, events out, and what to send next when asked. No I/O, no clock of its own.
///
/// ```
///   waiting --hello of our version--> open --goodbye / end() / silent for 5 minutes--> ended
///      |
///      | unused for 60 s
///      v
///    ended
/// ```
final class VehicleSession {
    enum Phase: Equatable {
        case waiting
        case open
        case ended
    }

    /// What a frame was.
    struct Received {
        var event = VehicleEvent.nothing
        /// It is authentic and the newest of all: its sender's address is where the ground is now.
        var isNewest = false
    }

    private(set) var phase = Phase.waiting
    let id: SessionID
    private let key: SecretKey
    private let keys: Handshake.Keys
    private let version: UInt16
    private let random: (Int) -> [UInt8]
    private let statePeriod: Duration
    private(set) var cipher: FrameCipher?
    private(set) var timing = PeerTiming()
    private(set) var drops = DropCounts()
    private(set) var lastHeard: MonotonicTime
    private(set) var setpoints = SetpointCounts()
    /// Whether the ground was silent when last asked.
    private(set) var isSilent = false

    private var helloRandom: [UInt8] = []
    private var welcomeIsDue: (hello: Handshake.Hello, receivedAt: MonotonicTime, isAccepted: Bool, random: [UInt8])?
    private var heartbeatIsDue = false
    private var newestSetpoint: UInt64 = 0
    private var ledger = CommandLedger()
    /// Which answers and receipts to send, and which of the transfers.
    private var replies: [UInt64] = []
    private var transfers: [BulkSender] = []
    private var incoming: BulkReceiver?
    private var receiptIsDue = false
    private var refusalIsDue: (id: UInt64, reason: TransferRefusal)?
    private var sendsGoodbye = false
    private var messagesSeen: UInt64 = 0
    private var nextState: MonotonicTime
    private var nextDetails: MonotonicTime
    private var nextMessages: MonotonicTime
    private var nextExtras: MonotonicTime
    private var nextRates: MonotonicTime
    private var sentTracker: TrackerStatus?

    /// A session that waits for its ground.
    ///
    /// - Parameters:
    ///   - statePeriod: from one state frame to the next.
    ///   - random: makes unpredictable bytes.
    init(
        id: SessionID, key: SecretKey, statePeriod: Duration, now: MonotonicTime,
        version: UInt16 = channelProtocolVersion,
        random: @escaping (Int) -> [UInt8] = SecureRandom.bytes
    ) throws(LinkError) {
        self.id = id
        self.key = key
        keys = try Handshake.Keys(key)
        self.version = version
        self.random = random
        self.statePeriod = statePeriod
        lastHeard = now
        nextState = now
        nextDetails = now
        nextMessages = now
        nextExtras = now
        nextRates = now
    }

    /// Bytes held for transfers that are not complete.
    var bytesHeld: Int { incoming?.bytes.count ?? 0 }

    /// Whether there are messages that the ground has not said it has.
    func wantsMessages(_ log: MessageLog) -> Bool { log.hasNews(after: messagesSeen) }

    // MARK: What the companion wants

    /// Notes what became of a setpoint that was handed out.
    func note(_ verdict: SteeringVerdict) {
        switch verdict {
        case .applied: setpoints.applied += 1
        case .refused: setpoints.refused += 1
        }
    }

    /// The answer to a command that was handed out.
    func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) {
        let answer = CommandAnswer(id: id, result: result)
        ledger.answer(id, EncodedPayload.bytes(room: answer.largestSize) { answer.write(&$0) })
        reply(to: id)
    }

    /// Says goodbye with the next frame.
    func end() {
        sendsGoodbye = phase == .open
        if phase == .waiting { phase = .ended }
    }

    /// The carrier was renewed: what was under way on the old one is lost.
    func carrierWasRenewed() {
        for index in transfers.indices { transfers[index].sendAgain() }
    }

    // MARK: Frames in

    /// Takes a frame, which is overwritten.
    ///
    /// - Parameter room: how many bytes of transfers may still be held.
    func receive(_ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime, room: Int = ChannelLimits.bulkInAll)
        -> Received
    {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard header.session == id.value, phase != .ended else { throw .unknownSession }
            if header.sequence == 0 { return try receiveHello(frame, now: now) }
            guard let cipher, phase == .open else { throw .unknownSession }
            let newest = cipher.window.newest
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
            // The ground repeats its hello until the welcome comes; once it has spoken, a hello is somebody's replay.
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
            nextState = now
            nextDetails = now
            nextMessages = now
            nextExtras = now
            nextRates = now
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
            case .steering: return judge(try Steering(&reader), now: now)
            case .heartbeat:
                let heartbeat = try Heartbeat(&reader)
                timing.take(heartbeat, sequence: sequence, now: now, cipher: cipher)
                messagesSeen = max(messagesSeen, heartbeat.messagesSeen)
                if heartbeat.wantsReply { heartbeatIsDue = true }
            case .command: return judge(try CommandRequest(&reader), now: now)
            case .commandQuery:
                let id = try reader.integer(UInt64.self)
                try reader.end()
                switch ledger.judge(id) {
                case .running, .answered: reply(to: id)
                case .new, .forgotten: break
                }
            case .fragment: return try take(try Fragment(&reader), now: now, room: room)
            case .fragmentReceived:
                let received = try FragmentsReceived(&reader)
                guard !transfers.isEmpty, transfers[0].id == received.id else { return .nothing }
                transfers[0].acknowledge(received)
                if transfers[0].isDone { transfers.removeFirst() }
            case .fragmentRefused: transfers.removeAll()
            case .goodbye:
                phase = .ended
                return .ended
            case .commandReceived, .commandAnswer, .state, .details, .messages, .extras: throw .invalid
            }
        } catch {
            drops.invalid += 1
        }
        return .nothing
    }

    /// Newest wins, and only what is surely still good: a setpoint whose age, with all the doubt about the clocks, may
    /// exceed its validity is refused. Until the clocks are known to each other, which the ground's first heartbeat
    /// brings about, nothing is sure: a stream that stalled as it opened would deliver old setpoints as new.
    private func judge(_ steering: Steering, now: MonotonicTime) -> VehicleEvent {
        guard steering.number > newestSetpoint else {
            setpoints.superseded += 1
            return .nothing
        }
        newestSetpoint = steering.number
        var setpoint = steering.setpoint
        guard let (intended, bound) = timing.local(setpoint.intendedAt.nanoseconds, now: now),
            max(0, (now - intended).nanoseconds) &+ bound <= setpoint.validFor.nanoseconds
        else {
            setpoints.stale += 1
            return .nothing
        }
        setpoint.intendedAt = min(now, intended)
        return .steer(setpoint)
    }

    private func judge(_ request: CommandRequest, now: MonotonicTime) -> VehicleEvent {
        switch ledger.judge(request.id) {
        case .forgotten: return .nothing
        case .running, .answered:
            reply(to: request.id)
            return .nothing
        case .new: break
        }
        guard ledger.running < ChannelLimits.commandsInFlight else { return .nothing }
        newestSetpoint = max(newestSetpoint, request.afterSetpoint)
        ledger.begin(request.id)
        // The earliest instant that the deadline can be. Until the clocks are known, what was left of it counts from now on.
        var deadline = now + .microseconds(Int64(request.remainingMicroseconds))
        if let (local, bound) = timing.local(request.deadline, now: now) { deadline = local - .nanoseconds(bound) }
        if deadline <= now {
            answer(
                request.id,
                .failure(
                    LinkError(
                        .timedOut, "\(request.command.name) reached the companion after its deadline and was not begun")
                ))
            return .nothing
        }
        do throws(LinkError) { try request.command.validate() } catch {
            answer(request.id, .failure(error))
            return .nothing
        }
        // No receipt now: most answers are quicker than the ground's patience, and a repeated command gets one.
        return .perform(id: request.id, request.command, until: deadline)
    }

    private func reply(to id: UInt64) {
        if !replies.contains(id) { replies.append(id) }
    }

    private func take(_ fragment: Fragment, now: MonotonicTime, room: Int) throws(WireError) -> VehicleEvent {
        if incoming.map({ $0.state.id < fragment.id }) ?? true {
            guard fragment.total <= ChannelLimits.bulk else {
                refusalIsDue = (fragment.id, .tooLarge)
                return .nothing
            }
            incoming = BulkReceiver(fragment)
        }
        guard incoming?.state.id == fragment.id else { return .nothing }
        guard room >= ChannelLimits.fragmentsInFlight * ChannelLimits.fragment || incoming?.isDone == true else {
            incoming?.forgetBytes()
            refusalIsDue = (fragment.id, .noRoom)
            return .nothing
        }
        receiptIsDue = true
        incoming?.take(fragment)
        guard let whole = incoming, whole.isDone, !whole.bytes.isEmpty else { return .nothing }
        incoming?.forgetBytes()
        let id = whole.state.id
        let request = try EncodedPayload.read(whole.bytes) { reader throws(WireError) in
            guard try reader.integer(UInt8.self) == FrameKind.command.rawValue else { throw .invalid }
            let request = try CommandRequest(&reader)
            guard request.id == id else { throw .invalid }
            return request
        }
        return judge(request, now: now)
    }

    // MARK: Time

    /// What the passing of time changed.
    enum Change: Equatable {
        case nothing
        /// The ground has not been heard for a second.
        case silent
        /// It is heard again.
        case returned
        /// The ticket was not used, or the ground was silent for too long.
        case ended
    }

    func tick(now: MonotonicTime) -> Change {
        let unheard = now - lastHeard
        switch phase {
        case .ended: return .nothing
        case .waiting:
            guard unheard > ChannelTimes.ticketLife else { return .nothing }
            phase = .ended
            return .ended
        case .open:
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

    /// When to be asked again at the latest.
    func nextDeadline(hasTelemetry: Bool, hasMessages: Bool) -> MonotonicTime {
        switch phase {
        case .ended: return MonotonicTime(nanoseconds: .max)
        case .waiting: return lastHeard + ChannelTimes.ticketLife
        case .open: break
        }
        var earliest = lastHeard + (isSilent ? ChannelTimes.sessionLife : ChannelTimes.silence)
        if !isSilent, hasTelemetry {
            earliest = min(earliest, nextState, nextDetails)
            // Of four, `min` makes an array on the heap.
            earliest = min(earliest, nextExtras)
            if hasMessages { earliest = min(earliest, nextMessages) }
        }
        if let transfer = transfers.first, let deadline = transfer.deadline(resendAfter: timing.resendAfter) {
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    ///
    /// Answers come before heartbeats, these before telemetry, and fragments last. To a silent ground no telemetry goes.
    func nextFrame(
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
        while !replies.isEmpty {
            let length = sendReply(to: replies.removeFirst(), into: buffer, cipher: cipher)
            if length > 0 { return length }
        }
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
        if receiptIsDue, let incoming {
            receiptIsDue = false
            return cipher.seal(into: buffer) { incoming.state.write(&$0) }
        }
        if let refusal = refusalIsDue {
            refusalIsDue = nil
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.fragmentRefused)
                writer.put(refusal.id)
                writer.put(refusal.reason.rawValue)
            }
        }
        if let telemetry, !isSilent {
            let length = send(telemetry, messages, into: buffer, now: now, cipher: cipher)
            if length > 0 { return length }
        }
        if !transfers.isEmpty, let index = transfers[0].fragment(now: now, resendAfter: timing.resendAfter) {
            return cipher.seal(into: buffer) { transfers[0].write(index, &$0) }
        }
        return 0
    }

    private func sendReply(to id: UInt64, into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        switch ledger.judge(id) {
        case .new, .forgotten: return 0
        case .running:
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.commandReceived)
                writer.put(id)
            }
        case .answered(let bytes):
            if bytes.count <= ChannelLimits.payload {
                return cipher.seal(into: buffer) { writer in bytes.withUnsafeBytes { writer.put(raw: $0) } }
            }
            if !transfers.contains(where: { $0.id == id }), let transfer = BulkSender(id: id, bytes: bytes) {
                transfers.append(transfer)
            }
            return 0
        }
    }

    private func send(
        _ telemetry: Telemetry, _ messages: MessageLog, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime,
        cipher: FrameCipher
    ) -> Int {
        if nextState <= now {
            nextState = nextState + statePeriod
            // After a stall the newest state goes once; what was missed is not made up for.
            if nextState <= now { nextState = now + statePeriod }
            return cipher.seal(into: buffer) { TelemetryCoding.writeState(telemetry, sent: now, &$0) }
        }
        if nextDetails <= now || telemetry.tracker?.value != sentTracker {
            nextDetails = now + ChannelTimes.details
            sentTracker = telemetry.tracker?.value
            return cipher.seal(into: buffer) { TelemetryCoding.writeDetails(telemetry, sent: now, &$0) }
        }
        if messages.hasNews(after: messagesSeen), nextMessages <= now {
            nextMessages = now + ChannelTimes.messages
            return cipher.seal(into: buffer) { messages.write(after: messagesSeen, sent: now, &$0) }
        }
        if nextExtras <= now {
            nextExtras = now + ChannelTimes.extras
            let withRates = nextRates <= now
            if withRates { nextRates = now + ChannelTimes.rates }
            if ExtrasCoding.isWorthSending(telemetry, withRates: withRates) {
                return cipher.seal(into: buffer) {
                    ExtrasCoding.write(telemetry, withRates: withRates, sent: now, &$0)
                }
            }
        }
        return 0
    }
}
