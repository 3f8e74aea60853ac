internal import UAVLink

/// The ground's end of a session: frames in, events out, and what to send next when asked. No I/O, no clock of its own.
///
/// ```
///   opening --welcome--> open --goodbye / end()--> ended
///      |                  ^ |
///      | versions differ  | | nothing heard for 1 s: isSilent (commands go on, steering is refused)
///      v                  | |
///    ended                +-+ heard again
/// ```
final class GroundSession {
    enum Phase: Equatable {
        case opening
        case open
        case ended
    }

    private(set) var phase = Phase.opening
    let id: SessionID
    private let keys: Handshake.Keys
    private let helloRandom: [UInt8]
    private let version: UInt16
    private let isReliable: Bool
    let cipher: FrameCipher
    private(set) var timing = PeerTiming()
    private(set) var drops = DropCounts()
    private(set) var lastHeard: MonotonicTime
    private(set) var setpoints = SetpointCounts()
    private(set) var setpointsSent: UInt64 = 0
    private(set) var telemetry: Telemetry
    private(set) var lastTelemetryAt: MonotonicTime?
    private(set) var stateTimes = RecentValues(capacity: 64)

    private var nextHello: MonotonicTime
    private var helloSentAt: MonotonicTime?
    private var helloWait = ChannelTimes.helloFirst
    private var nextHeartbeat: MonotonicTime
    /// Whether somebody waits for a heartbeat's answer.
    var awaitsEcho = false
    private var pendingSetpoint: Steering?
    private var setpointNumber: UInt64 = 0
    private var commands: [OutgoingCommand] = []
    private var commandNumber: UInt64 = 0
    private var transfers: [BulkSender] = []
    private var incoming: BulkReceiver?
    private var receiptIsDue = false
    private var unwanted: UInt64?
    private var sendsGoodbye = false
    private var newestState: UInt64 = 0
    private var newestDetails: UInt64 = 0
    private var newestExtras: UInt64 = 0
    private var newestControl: UInt64 = 0
    private var messagesSeen: UInt64 = 0
    /// What notes when things happen; mostly nothing does.
    var trace: GroundTrace?

    /// A session about to open.
    ///
    /// - Parameters:
    ///   - isReliable: the carrier repeats what it loses by itself (TCP).
    ///   - helloRandom: 24 unpredictable bytes, never used before.
    init(
        ticket: ChannelTicket, isReliable: Bool, helloRandom: [UInt8], now: MonotonicTime,
        version: UInt16 = channelProtocolVersion
    ) throws(LinkError) {
        id = ticket.session
        keys = try Handshake.Keys(ticket.key)
        cipher = try FrameCipher(session: id.value, key: ticket.key, helloRandom: helloRandom, sending: .up)
        self.helloRandom = helloRandom
        self.version = version
        self.isReliable = isReliable
        telemetry = Telemetry(vehicle: ticket.vehicle)
        nextHello = now
        nextHeartbeat = now
        lastHeard = now
    }

    /// Whether the companion has not been heard for too long.
    func isSilent(now: MonotonicTime) -> Bool { now - lastHeard > ChannelTimes.silence }

    /// Whether the next hello is to go out.
    func helloIsDue(now: MonotonicTime) -> Bool { phase == .opening && nextHello <= now }

    /// State frames a second over the last second or so; nothing before two have come, 0 when they stopped.
    func telemetryRate(now: MonotonicTime) -> Double? {
        guard let first = stateTimes.oldest, let last = stateTimes.latest, last > first else { return nil }
        guard now.nanoseconds &- last < ChannelTimes.silence.nanoseconds else { return 0 }
        return Double(stateTimes.count - 1) * 1e9 / Double(last - first)
    }

    // MARK: What the caller wants

    /// The newest setpoint, in place of any that has not gone out.
    func steer(_ setpoint: VelocitySetpoint, now: MonotonicTime) throws(LinkError) {
        guard phase == .open else { throw LinkError(.notConnected, "the channel is not open", hint: "connect first") }
        guard !isSilent(now: now) else {
            pendingSetpoint = nil
            throw LinkError(
                .notConnected, "the vehicle has not been heard for over a second",
                hint: "the companion has made it hover; steer again when the link is back")
        }
        setpointNumber += 1
        trace?.called(setpoint: setpointNumber, intendedAt: setpoint.intendedAt, now: now)
        pendingSetpoint = Steering(number: setpointNumber, setpoint: setpoint)
    }

    /// Begins a command and gives the number under which its answer will come.
    func begin(_ command: Command, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError) -> UInt64 {
        let id = try nextNumber(stopsMotion: command.stopsMotion)
        trace?.begun(command: id, name: command.name, now: now)
        // What was steered before the command must not act after it.
        pendingSetpoint = nil
        var entry = OutgoingCommand(
            id: id, content: .command(command), begunAt: now, deadline: deadline, afterSetpoint: setpointNumber,
            isBulk: false, nextSend: now)
        let room = entry.largestSize(now: now)
        if room > ChannelLimits.payload {
            let bytes = EncodedPayload.bytes(room: room) { entry.write(&$0, now: now) }
            if bytes.count > ChannelLimits.payload {
                guard let transfer = BulkSender(id: id, bytes: bytes) else {
                    throw LinkError(.invalidInput, "the command is too large", hint: "send it in parts")
                }
                transfers.append(transfer)
                entry = OutgoingCommand(
                    id: id, content: .command(command), begunAt: now, deadline: deadline,
                    afterSetpoint: setpointNumber, isBulk: true, nextSend: MonotonicTime(nanoseconds: .max))
            }
        }
        commands.append(entry)
        return id
    }

    /// Begins a question and gives the number under which its answer will come; steering goes on.
    func begin(_ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError) -> UInt64 {
        let id = try nextNumber(stopsMotion: false)
        commands.append(
            OutgoingCommand(
                id: id, content: .question(question), begunAt: now, deadline: deadline, afterSetpoint: 0,
                isBulk: false, nextSend: now))
        return id
    }

    /// A heartbeat goes out now, out of turn; ``GroundEvent/echoed(sent:)`` tells of its answer. One that is lost is followed by
    /// the next in turn.
    func ping(now: MonotonicTime) throws(LinkError) {
        guard phase == .open else { throw LinkError(.notConnected, "the channel is not open", hint: "connect first") }
        nextHeartbeat = now
        awaitsEcho = true
    }

    private func nextNumber(stopsMotion: Bool) throws(LinkError) -> UInt64 {
        guard phase == .open else { throw LinkError(.notConnected, "the channel is not open", hint: "connect first") }
        let most = ChannelLimits.inFlight(stopsMotion: stopsMotion)
        guard commands.count(where: { $0.stopsMotion == stopsMotion }) < most else {
            throw LinkError(
                .unsupported, "\(most) \(stopsMotion ? "stops" : "commands") already wait for their answers",
                hint: "wait for one of them")
        }
        commandNumber += 1
        return commandNumber
    }

    /// Stops asking for a command: its caller no longer waits.
    func forget(_ id: UInt64) {
        commands.removeAll { $0.id == id }
        transfers.removeAll { $0.id == id }
        // What has come of its answer is of no use; the companion is told when more comes.
        if let partial = incoming, partial.state.id == id, !partial.isDone { incoming = nil }
    }

    /// Says goodbye with the next frame.
    func end() {
        sendsGoodbye = phase == .open
        pendingSetpoint = nil
        if phase == .opening { phase = .ended }
    }

    /// The carrier was renewed: what was under way is lost, setpoints for good.
    func carrierWasRenewed(now: MonotonicTime) {
        pendingSetpoint = nil
        for index in commands.indices where !commands[index].isBulk || commands[index].isReceived {
            commands[index].nextSend = now
        }
        for index in transfers.indices { transfers[index].sendAgain() }
        nextHello = now
        nextHeartbeat = now
    }

    // MARK: Frames in

    /// Takes a frame, which is overwritten.
    func receive(_ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> GroundEvent {
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
                if awaitsEcho, let echo = heartbeat.echo {
                    return .echoed(sent: MonotonicTime(nanoseconds: echo.sent))
                }
            case .goodbye:
                phase = .ended
                return .ended
            case .state:
                guard sequence > newestState else {
                    trace?.overtaken(state: sequence)
                    return .nothing
                }
                try TelemetryCoding.readState(&reader, into: &telemetry) { local($0, now: now) }
                newestState = sequence
                trace?.arrived(state: sequence, now: now)
                lastTelemetryAt = now
                stateTimes.add(now.nanoseconds)
                return .telemetry
            case .details:
                guard sequence > newestDetails else { return .nothing }
                try TelemetryCoding.readDetails(&reader, into: &telemetry) { local($0, now: now) }
                newestDetails = sequence
                return .telemetry
            case .messages:
                try MessageLog.read(&reader, into: &telemetry, seen: &messagesSeen) { local($0, now: now) }
                return .telemetry
            case .extras:
                guard sequence > newestExtras else { return .nothing }
                try ExtrasCoding.read(&reader, into: &telemetry) { local($0, now: now) }
                newestExtras = sequence
                return .telemetry
            case .control:
                guard sequence > newestControl else { return .nothing }
                telemetry.control = try ControlCoding.read(&reader) { local($0, now: now) }
                newestControl = sequence
                return .telemetry
            case .commandReceived:
                noteReceived(try reader.integer(), now: now)
                try reader.end()
            case .commandAnswer: return take(try CommandAnswer(&reader), now: now)
            case .questionAnswer: return informed(try reader.integer(), Array(text))
            case .fragment: return try take(try Fragment(&reader), now: now)
            case .fragmentReceived:
                let received = try FragmentsReceived(&reader)
                guard !transfers.isEmpty, transfers[0].id == received.id else { return .nothing }
                transfers[0].acknowledge(received)
                let fraction = transfers[0].fraction
                if transfers[0].isDone {
                    transfers.removeFirst()
                    noteReceived(received.id, now: now)
                }
                return .progressed(id: received.id, fraction)
            case .fragmentRefused:
                let refused = try reader.integer(UInt64.self)
                guard let reason = TransferRefusal(rawValue: try reader.integer()) else { throw .invalid }
                try reader.end()
                guard transfers.contains(where: { $0.id == refused }) else { return .nothing }
                forget(refused)
                return .answered(id: refused, .failure(Self.error(reason)))
            case .trace: trace?.take(try TraceBatch(&reader))
            case .steering, .command, .commandQuery, .question, .traceRequest: throw .invalid
            }
        } catch {
            drops.invalid += 1
        }
        return .nothing
    }

    private func take(_ answer: CommandAnswer, now: MonotonicTime) -> GroundEvent {
        guard let command = commands.first(where: { $0.id == answer.id }), case .command = command.content else {
            return .nothing
        }
        forget(answer.id)
        trace?.answered(command: answer.id, now: now)
        return .answered(
            id: answer.id,
            answer.result.map { reply in
                var reply = reply
                reply.roundTrip = now - command.begunAt
                return reply
            })
    }

    /// Answers larger than a frame come in fragments.
    private func take(_ fragment: Fragment, now: MonotonicTime) throws(WireError) -> GroundEvent {
        if incoming?.state.id != fragment.id || incoming?.isDone == false {
            guard let asked = commands.first(where: { $0.id == fragment.id }) else {
                unwanted = fragment.id
                return .nothing
            }
            guard fragment.total <= asked.largestAnswer else { throw .invalid }
            if incoming?.state.id != fragment.id { incoming = BulkReceiver(fragment) }
        }
        receiptIsDue = true
        incoming?.take(fragment)
        guard let whole = incoming else { return .nothing }
        guard whole.isDone, !whole.bytes.isEmpty else { return .progressed(id: fragment.id, whole.fraction) }
        incoming?.forgetBytes()
        let answer = try EncodedPayload.read(whole.bytes) { reader throws(WireError) -> CommandAnswer? in
            switch FrameKind(rawValue: try reader.integer()) {
            case .commandAnswer: return try CommandAnswer(&reader)
            case .questionAnswer:
                guard try reader.integer(UInt64.self) == fragment.id else { throw .invalid }
                return nil
            default: throw .invalid
            }
        }
        guard let answer else { return informed(fragment.id, whole.bytes) }
        return take(answer, now: now)
    }

    private func informed(_ id: UInt64, _ payload: [UInt8]) -> GroundEvent {
        guard let asked = commands.first(where: { $0.id == id }), case .question = asked.content else {
            return .nothing
        }
        forget(id)
        return .informed(id: id, payload)
    }

    private func noteReceived(_ id: UInt64, now: MonotonicTime) {
        guard let index = commands.firstIndex(where: { $0.id == id }) else { return }
        commands[index].isReceived = true
        // Should the answer be lost, it is asked for.
        if !isReliable { commands[index].nextSend = now + ChannelTimes.resendReceived }
    }

    /// The companion's instant on our clock; never in the future.
    private func local(_ theirs: Int64, now: MonotonicTime) -> MonotonicTime {
        min(now, timing.local(theirs, now: now) ?? now)
    }

    private static func error(_ refusal: TransferRefusal) -> LinkError {
        switch refusal {
        case .tooLarge:
            LinkError(.invalidInput, "the companion takes no command of that size", hint: "send it in parts")
        case .unwanted: LinkError(.protocolViolation, "the companion does not want the command")
        case .noRoom:
            LinkError(.unsupported, "the companion has no room for a command of that size now", hint: "try again later")
        }
    }

    // MARK: Time

    /// Commands whose time has run out, each once.
    func expired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] {
        guard commands.contains(where: { $0.deadline <= now }) else { return [] }
        let late = commands.filter { $0.deadline <= now }
        for command in late { forget(command.id) }
        return late.map { command in
            let what = command.isReceived ? "the vehicle has not answered" : "no answer came from the vehicle"
            return (
                command.id,
                LinkError(.timedOut, "\(what) to \(command.name) in time", hint: "see 'uavlink status'")
            )
        }
    }

    /// When to be asked again at the latest.
    func nextDeadline(now: MonotonicTime) -> MonotonicTime {
        guard phase != .ended else { return MonotonicTime(nanoseconds: .max) }
        var earliest = phase == .opening ? nextHello : nextHeartbeat
        for command in commands { earliest = min(earliest, command.deadline, command.nextSend) }
        if phase == .open, let trace { earliest = min(earliest, trace.nextRequest) }
        if let transfer = transfers.first, let deadline = transfer.deadline(resendAfter: bulkResend) {
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    private var bulkResend: Duration? { isReliable ? nil : timing.resendAfter }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    func nextFrame(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        switch phase {
        case .ended: return 0
        case .opening: return nextHello(into: buffer, now: now)
        case .open: break
        }
        if let index = commands.firstIndex(where: { $0.stopsMotion && $0.nextSend <= now }) {
            return send(index, into: buffer, now: now)
        }
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
            heartbeat.messagesSeen = messagesSeen
            return cipher.seal(into: buffer) { heartbeat.write(&$0) }
        }
        if let index = commands.firstIndex(where: { $0.nextSend <= now }) {
            return send(index, into: buffer, now: now)
        }
        if receiptIsDue, let incoming {
            receiptIsDue = false
            return cipher.seal(into: buffer) { incoming.state.write(&$0) }
        }
        if let request = trace?.request(now: now) {
            if !request.isWanted { trace = nil }
            return cipher.seal(into: buffer) { request.write(&$0) }
        }
        if let id = unwanted {
            unwanted = nil
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.fragmentRefused)
                writer.put(id)
                writer.put(TransferRefusal.unwanted.rawValue)
            }
        }
        if !transfers.isEmpty, let index = transfers[0].fragment(now: now, resendAfter: bulkResend) {
            return cipher.seal(into: buffer) { transfers[0].write(index, &$0) }
        }
        return 0
    }

    private func nextHello(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        guard nextHello <= now else { return 0 }
        nextHello = now + helloWait
        helloWait = min(helloWait * 2, ChannelTimes.helloLongest)
        // Repeated byte for byte: another text under the same nonce would give the key away.
        let sent = helloSentAt ?? now
        helloSentAt = sent
        let hello = Handshake.Hello(version: version, sent: sent.nanoseconds)
        return Handshake.seal(hello, session: id.value, random: helloRandom, keys: keys, into: buffer)
    }

    private func send(_ index: Int, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        commands[index].noteSent(now: now, resendAfter: timing.resendAfter, isReliable: isReliable)
        if commands[index].isReceived {
            let id = commands[index].id
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.commandQuery)
                writer.put(id)
            }
        }
        let entry = commands[index]
        let sequence = cipher.nextSequence
        let length = cipher.seal(into: buffer) { entry.write(&$0, now: now) }
        trace?.sealed(command: entry.id, sequence: sequence)
        return length
    }
}
