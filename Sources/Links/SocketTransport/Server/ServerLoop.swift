#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// What the server's thread does, and all that only the holder of ``ServerCore``'s lock may touch.
final class ServerLoop {
    /// A command or a question to be handed to the handler, outside the lock.
    struct Order {
        enum Content {
            case command(Command)
            case question(SurveyQuestion)
            /// To be decoded, and then given to ``ServerLoop/take(_:from:receivedAt:)``.
            case transfer(CommandTransfer)
        }

        let session: SessionID
        let id: UInt64
        let content: Content
        let deadline: MonotonicTime
        /// When its frame was read.
        let receivedAt: MonotonicTime
    }

    /// When things happened to a command.
    struct CommandTimes {
        let receivedAt: MonotonicTime
        let askedAt: MonotonicTime
        let answeredAt: MonotonicTime
    }

    /// What is left to do for an answer, outside the lock.
    struct AnswerOutcome {
        /// To be sent.
        var datagram: (frame: [UInt8], to: SocketAddress)?
        /// The thread must look at everything earlier than it plans to.
        var wakes = false
    }

    private let sockets: ServerSockets
    private let mailbox: ServerMailbox
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    private var sessions: [SessionID: ServedSession] = [:]
    private var connections = ServerConnections()
    private var telemetry: Telemetry?
    private var messages = MessageLog()
    private var counters = ChannelCounters()
    private let incoming = FrameBuffer(size: ChannelLimits.frame + 1)
    private let outgoing = FrameBuffer()
    private var lastReport = MonotonicTime(nanoseconds: 0)
    private var counts = SetpointCounts()
    private var stops = false
    /// How ``tellWhoFlies()`` last found it.
    private var controlRevision: UInt64 = 0

    /// Datagrams read before frames go out again, so that a flood delays nothing by more than a millisecond.
    private static let batch = 64

    init(sockets: ServerSockets, mailbox: ServerMailbox, handler: any ChannelHandler, clock: any MonotonicClock) {
        self.sockets = sockets
        self.mailbox = mailbox
        self.handler = handler
        self.clock = clock
    }

    // MARK: The thread

    /// Does what is due and lists what to wait for; gives until when, nothing when the server has ended.
    func work(listing poller: inout Poller) -> MonotonicTime? {
        takeMail()
        if stops {
            sayGoodbye()
            return nil
        }
        let handlerWakesAt = handler.tick(now: clock.now) ?? MonotonicTime(nanoseconds: .max)
        tellWhoFlies()
        wakesAt = min(passTime(), handlerWakesAt)
        sendAll()
        let hasUnread = list(in: &poller)
        return hasUnread || !decoded.isEmpty ? clock.now : wakesAt
    }

    /// Reads what has come, up to the first command: what came behind it must not overtake it.
    func read(_ poller: Poller) -> Order? {
        if poller.isReady(wakerPlace) { mailbox.waker.clear() }
        if poller.isReady(listenerPlace) { acceptConnections() }
        if let order = nextDecoded() { return order }
        // By turns who goes first, so that commands on one carrier do not shut out the other.
        connectionsGoFirst.toggle()
        if connectionsGoFirst, let order = readConnections(poller) { return order }
        if poller.isReady(datagramsPlace), let order = readDatagrams() { return order }
        return connectionsGoFirst ? nil : readConnections(poller)
    }

    // MARK: Answers

    /// Takes the answer to a command and seals it.
    func answer(
        _ id: SessionID, _ command: UInt64, _ result: Result<CommandReply, LinkError>, _ times: CommandTimes
    ) -> AnswerOutcome {
        guard let served = sessions[id] else { return AnswerOutcome() }
        served.session.answer(command, result)
        served.session.note(
            .command(
                .init(
                    number: command, receivedAt: times.receivedAt, askedAt: times.askedAt, answeredAt: times.answeredAt,
                    readyAt: clock.now)))
        return send(answerOf: served)
    }

    /// Takes the encoded answer to a question, and seals it when it fits a frame.
    func answer(_ id: SessionID, question: UInt64, _ payload: [UInt8]) -> AnswerOutcome {
        guard let served = sessions[id] else { return AnswerOutcome() }
        var payload = payload
        if payload.count > ChannelLimits.payload {
            let held = sessions.values.reduce(0) { $0 + $1.session.answerBytesHeld }
            if payload.count > ChannelLimits.bulk || held + payload.count > ChannelLimits.bulkInAll {
                let error = LinkError(
                    .unsupported, "the companion has no room for an answer of \(payload.count) bytes",
                    hint: "ask for fewer points, or wait until other maps have been fetched")
                payload = QuestionAnswer(id: question, result: .failure(error)).payload
            }
        }
        served.session.answer(question: question, payload)
        return send(answerOf: served)
    }

    private func send(answerOf served: ServedSession) -> AnswerOutcome {
        var outcome = AnswerOutcome()
        let now = clock.now
        if case .datagram(let address) = served.route {
            let length = served.session.nextFrame(
                into: outgoing.bytes, now: now, telemetry: telemetry, messages: messages)
            if length > 0 {
                counters.framesSent += 1
                outcome.datagram = (Array(outgoing.bytes[..<length]), address)
            }
        } else {
            send(served, now: now)
        }
        // What the connection does not take now, and the rest of an answer in fragments, is the thread's.
        let deadline = served.session.nextDeadline(telemetry: telemetry, hasMessages: false)
        outcome.wakes = deadline < wakesAt
        if case .connection(let connection) = served.route, connection.framing.isBlocked { outcome.wakes = true }
        return outcome
    }

    // MARK: Control

    /// Tells every ground when it changed who flies.
    private func tellWhoFlies() {
        let revision = handler.controlRevision
        guard revision != controlRevision else { return }
        controlRevision = revision
        for (id, served) in sessions { tellWhoFlies(id, served) }
    }

    private func tellWhoFlies(_ id: SessionID, _ served: ServedSession) {
        if let status = handler.controlStatus(for: id) { served.session.tell(status) }
    }

    // MARK: Admission

    /// Takes in a session that waits for its ground; when all places are taken, in place of the one that is missed least.
    ///
    /// - Throws: `companionUnavailable` when none can be spared.
    func admit(_ new: NewSession, maximum: Int) throws(LinkError) {
        guard !isAdmissionOver, !stops else { throw LinkError(.closed, "the channel's server is ending") }
        let now = clock.now
        if sessions.count >= maximum { try evictOne(now: now, maximum: maximum) }
        sessions[new.id] = ServedSession(
            try VehicleSession(id: new.id, key: new.key, statePeriod: new.statePeriod, now: now))
    }

    /// Takes nobody in any more, unless somebody is there; whether that is so now.
    func endAdmission() -> Bool {
        if sessions.isEmpty { isAdmissionOver = true }
        return isAdmissionOver
    }

    private var isAdmissionOver = false

    /// Whoever was heard within a second stays, and so does a fresh ticket: its ground is just being told of it. Of the others
    /// the one goes of which nothing was heard for the longest time, be it a session or an unused ticket.
    private func evictOne(now: MonotonicTime, maximum: Int) throws(LinkError) {
        let stalest = sessions.values.filter { $0.session.canBeSpared(now: now) }
            .min { $0.session.lastHeard < $1.session.lastHeard }
        guard let session = stalest?.session else {
            let seconds = Int(ChannelTimes.ticketSpared.inSeconds)
            throw LinkError(
                .companionUnavailable,
                "the companion already has \(maximum) sessions and tickets, and none of them is silent",
                hint: "log out where nobody flies; a ticket that is not used within \(seconds) s makes room")
        }
        partings.append(Parting(id: session.id, wasOpen: session.phase == .open, unheardFor: now - session.lastHeard))
        forget([session.id])
    }

    /// Sessions that had to make room, and of which the handler does not know yet.
    private struct Parting {
        let id: SessionID
        let wasOpen: Bool
        let unheardFor: Duration
    }

    private var partings: [Parting] = []

    private func tellPartings() {
        for parting in partings {
            handler.noticed(.evicted(parting.id, wasOpen: parting.wasOpen, unheardFor: parting.unheardFor))
            if parting.wasOpen { handler.sessionClosed(parting.id) }
        }
        partings = []
    }

    // MARK: Mail and time

    private func takeMail() {
        tellPartings()
        guard let mail = mailbox.take() else { return }
        stops = mail.stops
        if let telemetry = mail.telemetry {
            self.telemetry = telemetry
            messages.update(telemetry.messages)
        }
        report(clock.now)
    }

    /// Lets time pass for everything and gives when something is due.
    private func passTime() -> MonotonicTime {
        let now = clock.now
        // Counters are read by people: ten times a second is often enough.
        if now - lastReport >= .milliseconds(100) { report(now) }
        var earliest = MonotonicTime(nanoseconds: .max)
        var ended: [SessionID] = []
        for (id, served) in sessions {
            let session = served.session
            switch session.tick(now: now) {
            case .nothing: break
            case .silent: handler.sessionSilent(id)
            case .returned: handler.sessionReturned(id)
            case .ended: if session.cipher != nil { handler.sessionClosed(id) }
            }
            if session.phase == .ended {
                ended.append(id)
                continue
            }
            // A blocked connection wakes the thread when it can take more.
            if case .connection(let connection) = served.route, connection.framing.isBlocked { continue }
            earliest = min(
                earliest,
                session.nextDeadline(telemetry: telemetry, hasMessages: session.wantsMessages(messages)))
        }
        if !ended.isEmpty { forget(ended) }
        return min(earliest, connections.closeOldStrangers(now: now))
    }

    private func forget(_ ended: [SessionID]) {
        for id in ended {
            if let served = sessions.removeValue(forKey: id) {
                if case .connection(let connection) = served.route { connection.isClosed = true }
                counts.add(served.session.setpoints)
                counters.drops.add(served.session.drops)
                counters.framesReceived += served.session.cipher?.received ?? 0
            }
        }
    }

    private func report(_ now: MonotonicTime) {
        lastReport = now
        var report = counters
        var counts = counts
        report.sessions = sessions.count
        for served in sessions.values {
            if served.session.phase == .open { report.openSessions += 1 }
            counts.add(served.session.setpoints)
            report.drops.add(served.session.drops)
            report.framesReceived += served.session.cipher?.received ?? 0
        }
        report.setpointsApplied = counts.applied
        report.setpointsStale = counts.stale
        report.setpointsSuperseded = counts.superseded
        report.setpointsRefused = counts.refused
        mailbox.report(report)
    }

    /// Lists what to wait for; gives whether there are frames for which there is no need to wait.
    private func list(in poller: inout Poller) -> Bool {
        var hasUnread = false
        poller.reset()
        wakerPlace = poller.add(mailbox.waker.descriptor)
        datagramsPlace = poller.add(sockets.datagrams.descriptor)
        if connections.acceptsAt <= clock.now {
            listenerPlace = poller.add(sockets.listener.descriptor)
        } else {
            listenerPlace = -1
            wakesAt = min(wakesAt, connections.acceptsAt)
        }
        for connection in connections.all {
            connection.place = poller.add(connection.handle.descriptor, writing: connection.framing.isBlocked)
            if connection.hasUnread { hasUnread = true }
        }
        return hasUnread
    }

    private var connectionsGoFirst = false
    private var wakerPlace = 0
    private var datagramsPlace = 0
    private var listenerPlace = 0
    /// When the thread wakes by itself at the latest.
    private var wakesAt = MonotonicTime(nanoseconds: .max)

    // MARK: Frames in

    private func readDatagrams() -> Order? {
        for _ in 0..<Self.batch {
            var from = SocketAddress()
            let count = from.withMutableSockaddr { address, length in
                recvfrom(
                    sockets.datagrams.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0, address, length)
            }
            guard count >= 0 else { return nil }
            let frame = UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count])
            let now = clock.now
            guard let served = find(frame) else { continue }
            let received = served.session.receive(frame, now: now, room: bulkRoom)
            if received.isNewest {
                lead(served, over: .datagram(from))
                served.session.isReliable = false
            }
            if let order = handle(received.event, served, now: now) { return order }
        }
        return nil
    }

    private func readConnections(_ poller: Poller) -> Order? {
        defer { connections.dropClosed() }
        for connection in connections.all {
            guard connection.hasUnread || poller.isReady(connection.place) else { continue }
            if let order = read(connection) { return order }
        }
        return nil
    }

    private func read(_ connection: ServerConnection) -> Order? {
        connection.hasUnread = false
        do throws(StreamFraming.Failure) {
            try connection.framing.flush(to: connection.handle.descriptor)
            for _ in 0..<Self.batch {
                while let frame = try connection.framing.nextFrame() {
                    guard let order = take(frame, from: connection) else { continue }
                    // Frames behind it may have been read already: no descriptor tells of them.
                    connection.hasUnread = true
                    return order
                }
                guard try connection.framing.fill(from: connection.handle.descriptor) else { return nil }
            }
            connection.hasUnread = true
        } catch {
            if case .malformed = error { counters.drops.malformed += 1 }
            connection.isClosed = true
        }
        return nil
    }

    private func take(_ frame: UnsafeMutableRawBufferPointer, from connection: ServerConnection) -> Order? {
        let now = clock.now
        guard let served = find(frame) else { return nil }
        let received = served.session.receive(frame, now: now, room: bulkRoom)
        if received.isNewest {
            connection.isStranger = false
            if !served.route.leads(over: connection) {
                lead(served, over: .connection(connection))
                served.session.isReliable = true
                served.session.carrierWasRenewed()
            }
        }
        return handle(received.event, served, now: now)
    }

    /// Sends to a session's ground over another way. A connection that none leads over any more is closed: its ground may be
    /// gone from there without a word.
    private func lead(_ served: ServedSession, over route: Route) {
        let old = served.route
        served.route = route
        guard case .connection(let connection) = old else { return }
        if !sessions.values.contains(where: { $0.route.leads(over: connection) }) { connection.isClosed = true }
    }

    private func find(_ frame: UnsafeMutableRawBufferPointer) -> ServedSession? {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard let served = sessions[SessionID(header.session)] else { throw .unknownSession }
            return served
        } catch {
            counters.drops.note(error)
            return nil
        }
    }

    /// What unfinished transfers may still hold.
    private var bulkRoom: Int {
        var room = ChannelLimits.bulkInAll
        for served in sessions.values { room -= served.session.bytesHeld }
        return room
    }

    private func handle(_ event: VehicleEvent, _ served: ServedSession, now: MonotonicTime) -> Order? {
        let id = served.session.id
        switch event {
        case .nothing:
            // At once: behind it others may have come, and what is read meanwhile is a part of the round trip.
            if served.session.heartbeatIsDue { send(served, now: clock.now) }
        case .opened:
            handler.sessionOpened(id)
            tellWhoFlies(id, served)
        case .steer(let setpoint): steer(setpoint, served, now: now)
        case .perform(let number, let command, let deadline):
            counters.commandsBegun += 1
            return Order(session: id, id: number, content: .command(command), deadline: deadline, receivedAt: now)
        case .ask(let number, let question, let deadline):
            return Order(session: id, id: number, content: .question(question), deadline: deadline, receivedAt: now)
        case .transferred(let transfer):
            return Order(session: id, id: transfer.id, content: .transfer(transfer), deadline: now, receivedAt: now)
        case .watch: watchesAreDue = true
        case .ended: handler.sessionClosed(id)
        }
        return nil
    }

    /// Takes what a transfer held: the thread hands it on in its turn.
    func take(_ command: DecodedCommand?, from session: SessionID, receivedAt: MonotonicTime) {
        decoded.append((session, command, receivedAt))
    }

    private var decoded: [(session: SessionID, command: DecodedCommand?, receivedAt: MonotonicTime)] = []

    private func nextDecoded() -> Order? {
        while !decoded.isEmpty {
            let next = decoded.removeFirst()
            guard let served = sessions[next.session] else { continue }
            let event = served.session.perform(next.command, now: clock.now)
            if let order = handle(event, served, now: next.receivedAt) { return order }
        }
        return nil
    }

    private func steer(_ setpoint: VelocitySetpoint, _ served: ServedSession, now: MonotonicTime) {
        let isTraced = served.session.isTraced
        let handedAt = isTraced ? clock.now : now
        let verdict = handler.steer(setpoint, from: served.session.id, arrivedAt: now)
        served.session.note(verdict)
        if verdict == .refused { served.session.remindOfControl(now: now) }
        guard isTraced else { return }
        served.session.note(
            verdict == .applied ? .applied : .refused, receivedAt: now, handedAt: handedAt, leftAt: clock.now)
    }

    /// A velocity reference of another node's was seen.
    func saw(_ sequence: UInt32, at: MonotonicTime) {
        for served in sessions.values where served.session.watchesSetpoints {
            served.session.note(.seen(.init(sequence: sequence, at: at)))
        }
    }

    /// Whether somebody has begun or ended to watch other nodes' velocity references; then whether anybody does now.
    func takeWatchChange() -> Bool? {
        guard watchesAreDue || wasWatched else { return nil }
        watchesAreDue = false
        let isWatched = sessions.values.contains { $0.session.watchesSetpoints }
        defer { wasWatched = isWatched }
        return isWatched == wasWatched ? nil : isWatched
    }

    private var watchesAreDue = false
    private var wasWatched = false

    private func acceptConnections() {
        guard let number = connections.accept(at: sockets.listener, now: clock.now) else { return }
        handler.noticed(.connectionsWait(SystemError.text(number)))
    }

    // MARK: Frames out

    private func sendAll() {
        let now = clock.now
        for served in sessions.values { send(served, now: now) }
    }

    private func send(_ served: ServedSession, now: MonotonicTime) {
        switch served.route {
        case .none: return
        case .datagram(let address):
            while true {
                let length = served.session.nextFrame(
                    into: outgoing.bytes, now: now, telemetry: telemetry, messages: messages)
                guard length > 0 else { return }
                // A datagram that the kernel does not take is a datagram lost.
                _ = address.withSockaddr {
                    sendto(sockets.datagrams.descriptor, outgoing.bytes.baseAddress, length, 0, $0, $1)
                }
                counters.framesSent += 1
            }
        case .connection(let connection):
            guard !connection.isClosed else { return served.route = .none }
            do throws(StreamFraming.Failure) {
                while !connection.framing.isBlocked {
                    let length = served.session.nextFrame(
                        into: connection.framing.frameRoom, now: now, telemetry: telemetry, messages: messages)
                    guard length > 0 else { return }
                    try connection.framing.send(length: length, to: connection.handle.descriptor)
                    counters.framesSent += 1
                }
            } catch {
                connection.isClosed = true
                served.route = .none
            }
        }
    }

    private func sayGoodbye() {
        for served in sessions.values { served.session.end() }
        sendAll()
        for (id, served) in sessions where served.session.cipher != nil { handler.sessionClosed(id) }
        report(clock.now)
    }
}

extension SetpointCounts {
    mutating func add(_ other: SetpointCounts) {
        applied += other.applied
        stale += other.stale
        superseded += other.superseded
        refused += other.refused
    }
}

extension DropCounts {
    mutating func add(_ other: DropCounts) {
        malformed += other.malformed
        unknownSession += other.unknownSession
        replayed += other.replayed
        tooOld += other.tooOld
        forged += other.forged
        invalid += other.invalid
    }
}
