#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import UAVLink

/// The work of the server's thread and its state, guarded by ``ServerCore``'s lock.
final class ServerLoop {
    private let sockets: ServerSockets
    private let mailbox: ServerMailbox
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    private let sender: FrameSender
    private var sessions = SessionTable()
    private var connections = ServerConnections()
    private var telemetry: Telemetry?
    private var messages = MessageLog()
    private var capabilities: VehicleCapabilities?
    private let incoming = FrameBuffer(size: ChannelLimits.frame + 1)
    private var lastReport = MonotonicTime(nanoseconds: 0)
    private var stops = false
    /// The handler's control revision at the last ``sendControlStatus()``.
    private var controlRevision: UInt64 = 0

    /// Datagrams read before frames are sent again, so that a flood delays nothing by more than a millisecond.
    private static let batch = 64

    init(sockets: ServerSockets, mailbox: ServerMailbox, handler: any ChannelHandler, clock: any MonotonicClock) {
        self.sockets = sockets
        sender = FrameSender(sockets: sockets)
        self.mailbox = mailbox
        self.handler = handler
        self.clock = clock
    }

    // MARK: The thread

    /// Does what is due and fills `poller`; returns the time to wake, `nil` when the server has ended.
    func work(listing poller: inout Poller) -> MonotonicTime? {
        takeMail()
        if stops {
            closeAllSessions()
            return nil
        }
        let handlerWakesAt = handler.tick(now: clock.now) ?? MonotonicTime(nanoseconds: .max)
        sendControlStatus()
        wakesAt = min(passTime(), handlerWakesAt)
        sendAll()
        let hasUnread = list(in: &poller)
        return hasUnread || !decoded.isEmpty ? clock.now : wakesAt
    }

    /// Reads received frames up to the first command, which later frames must not overtake.
    func read(_ poller: Poller) -> ServerOrder? {
        if poller.isReady(wakerPlace) { mailbox.waker.clear() }
        if poller.isReady(listenerPlace) { acceptConnections() }
        if let order = nextDecoded() { return order }
        // Alternate the order, so that commands on one carrier do not starve the other.
        connectionsGoFirst.toggle()
        if connectionsGoFirst, let order = readConnections(poller) { return order }
        if poller.isReady(datagramsPlace), let order = readDatagrams() { return order }
        return connectionsGoFirst ? nil : readConnections(poller)
    }

    // MARK: Answers

    /// Stores and seals the answer to a command.
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

    /// Stores the encoded answer to a question, and seals it when it fits in a frame.
    func answer(_ id: SessionID, question: UInt64, _ payload: [UInt8]) -> AnswerOutcome {
        guard let served = sessions[id] else { return AnswerOutcome() }
        var payload = payload
        if payload.count > ChannelLimits.payload {
            let held = sessions.answerBytesHeld
            if payload.count > ChannelLimits.bulk || held + payload.count > ChannelLimits.bulkTotal {
                let error = LinkError(
                    .unsupported, "an answer of \(payload.count) bytes exceeds the companion's limit",
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
            if let frame = sender.seal(served, telemetry, messages, now: now) {
                sessions.counters.framesSent += 1
                outcome.datagram = (frame, address)
            }
        } else {
            send(served, now: now)
        }
        // The thread sends what the connection does not accept now, and the remaining fragments of an answer.
        let deadline = served.session.nextDeadline(telemetry: telemetry, hasMessages: false)
        outcome.wakes = deadline < wakesAt
        if case .connection(let connection) = served.route, connection.framing.isBlocked { outcome.wakes = true }
        return outcome
    }

    // MARK: Control

    /// Sends the control status to every ground after a change of control authority.
    private func sendControlStatus() {
        let revision = handler.controlRevision
        guard revision != controlRevision else { return }
        controlRevision = revision
        for (id, served) in sessions.byID { sendControlStatus(id, served) }
    }

    private func sendControlStatus(_ id: SessionID, _ served: ServedSession) {
        if let status = handler.controlStatus(for: id) { served.session.tell(status) }
    }

    /// Passes on what the vehicle can do when it has changed.
    private func tell(_ said: VehicleCapabilities?) {
        guard said != capabilities else { return }
        capabilities = said
        for served in sessions.all { served.session.tell(said) }
    }

    // MARK: Admission

    /// Adds a session that waits for its ground; see ``SessionTable/admit(_:maximum:now:)``.
    func admit(_ new: NewSession, maximum: Int) throws(LinkError) {
        guard !stops else { throw LinkError(.closed, "the channel's server is ending") }
        try sessions.admit(new, maximum: maximum, now: clock.now)
    }

    /// Stops admitting sessions, unless there is one; returns whether admission has ended.
    func endAdmission() -> Bool { sessions.endAdmission() }

    private func reportEvictions() {
        for eviction in sessions.takeEvictions() {
            handler.noticed(
                .evicted(eviction.id, wasOpen: eviction.wasOpen, lastHeardAgo: eviction.lastHeardAgo))
            if eviction.wasOpen { handler.sessionClosed(eviction.id) }
        }
    }

    // MARK: Mail and time

    private func takeMail() {
        reportEvictions()
        guard let mail = mailbox.take() else { return }
        stops = mail.stops
        if let telemetry = mail.telemetry {
            self.telemetry = telemetry
            messages.update(telemetry.messages)
            tell(handler.vehicleCapabilities)
        }
        report(clock.now)
    }

    /// Advances all sessions to the present; returns when something is due.
    private func passTime() -> MonotonicTime {
        let now = clock.now
        // Counters are for display: ten times per second is enough.
        if now - lastReport >= .milliseconds(100) { report(now) }
        var earliest = MonotonicTime(nanoseconds: .max)
        var ended: [SessionID] = []
        for (id, served) in sessions.byID {
            let session = served.session
            switch session.tick(now: now) {
            case .nothing: break
            case .silent: handler.sessionLinkLost(id)
            case .returned: handler.sessionLinkRestored(id)
            case .ended: if session.cipher != nil { handler.sessionClosed(id) }
            }
            if session.phase == .ended {
                ended.append(id)
                continue
            }
            // A blocked connection wakes the thread when it is writable.
            if case .connection(let connection) = served.route, connection.framing.isBlocked { continue }
            earliest = min(
                earliest,
                session.nextDeadline(telemetry: telemetry, hasMessages: session.wantsMessages(messages)))
        }
        if !ended.isEmpty { sessions.remove(ended) }
        return min(earliest, connections.closeExpiredUnauthenticated(now: now))
    }

    private func report(_ now: MonotonicTime) {
        lastReport = now
        mailbox.report(sessions.report())
    }

    /// Fills the poller; returns whether unread frames are buffered, so that there is no need to wait.
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
    /// The latest time at which the thread wakes by itself.
    private var wakesAt = MonotonicTime(nanoseconds: .max)

    // MARK: Frames in

    private func readDatagrams() -> ServerOrder? {
        for _ in 0..<Self.batch {
            var from = SocketAddress()
            let count = from.withMutableSockaddr { address, length in
                recvfrom(
                    sockets.datagrams.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0, address, length)
            }
            guard count >= 0 else { return nil }
            let frame = UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count])
            let now = clock.now
            guard let served = sessions.find(frame) else { continue }
            let received = served.session.receive(frame, now: now, room: sessions.availableBulkBytes)
            if received.isNewest {
                lead(served, over: .datagram(from))
                served.session.isReliable = false
            }
            if let order = handle(received.event, served, now: now) { return order }
        }
        return nil
    }

    private func readConnections(_ poller: Poller) -> ServerOrder? {
        defer { connections.dropClosed() }
        for connection in connections.all {
            guard connection.hasUnread || poller.isReady(connection.place) else { continue }
            if let order = read(connection) { return order }
        }
        return nil
    }

    private func read(_ connection: ServerConnection) -> ServerOrder? {
        connection.hasUnread = false
        do throws(StreamFraming.Failure) {
            try connection.framing.flush(to: connection.handle.descriptor)
            for _ in 0..<Self.batch {
                while let frame = try connection.framing.nextFrame() {
                    guard let order = take(frame, from: connection) else { continue }
                    // Frames behind it may already be buffered: no descriptor reports them.
                    connection.hasUnread = true
                    return order
                }
                guard try connection.framing.fill(from: connection.handle.descriptor) else { return nil }
            }
            connection.hasUnread = true
        } catch {
            if case .malformed = error { sessions.counters.drops.malformed += 1 }
            connection.isClosed = true
        }
        return nil
    }

    private func take(_ frame: UnsafeMutableRawBufferPointer, from connection: ServerConnection) -> ServerOrder? {
        let now = clock.now
        guard let served = sessions.find(frame) else { return nil }
        let received = served.session.receive(frame, now: now, room: sessions.availableBulkBytes)
        if received.isNewest {
            connection.isUnauthenticated = false
            if !served.route.leads(over: connection) {
                lead(served, over: .connection(connection))
                served.session.isReliable = true
                served.session.carrierWasRenewed()
            }
        }
        return handle(received.event, served, now: now)
    }

    /// Changes the route to a session's ground. A connection that no session uses any longer is closed: its peer may have
    /// vanished without notice.
    private func lead(_ served: ServedSession, over route: Route) {
        let old = served.route
        served.route = route
        guard case .connection(let connection) = old else { return }
        if !sessions.all.contains(where: { $0.route.leads(over: connection) }) { connection.isClosed = true }
    }

    private func handle(_ event: VehicleEvent, _ served: ServedSession, now: MonotonicTime) -> ServerOrder? {
        let id = served.session.id
        switch event {
        case .nothing:
            // Sent at once: more frames may be queued, and reading them first would add to the measured round trip.
            if served.session.heartbeatIsDue { send(served, now: clock.now) }
        case .opened:
            handler.sessionOpened(id)
            served.session.tell(capabilities)
            sendControlStatus(id, served)
        case .steer(let setpoint): steer(setpoint, served, now: now)
        case .perform(let number, let command, let deadline):
            sessions.counters.commandsBegun += 1
            return ServerOrder(session: id, id: number, content: .command(command), deadline: deadline, receivedAt: now)
        case .ask(let number, let question, let deadline):
            return ServerOrder(
                session: id, id: number, content: .question(question), deadline: deadline, receivedAt: now)
        case .transferred(let transfer):
            return ServerOrder(
                session: id, id: transfer.id, content: .transfer(transfer), deadline: now, receivedAt: now)
        case .watch: sessions.watchChangeIsDue = true
        case .ended: handler.sessionClosed(id)
        }
        return nil
    }

    /// Queues a decoded command; the thread passes it on in its turn.
    func take(_ command: DecodedCommand?, from session: SessionID, receivedAt: MonotonicTime) {
        decoded.append((session, command, receivedAt))
    }

    private var decoded: [(session: SessionID, command: DecodedCommand?, receivedAt: MonotonicTime)] = []

    private func nextDecoded() -> ServerOrder? {
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
        if verdict == .refused { served.session.resendControlStatus(now: now) }
        guard isTraced else { return }
        served.session.note(
            verdict == .applied ? .applied : .refused, receivedAt: now, handedAt: handedAt, leftAt: clock.now)
    }

    /// Records a velocity reference of another node.
    func saw(_ sequence: UInt32, at: MonotonicTime) {
        for served in sessions.all where served.session.watchesSetpoints {
            served.session.note(.seen(.init(sequence: sequence, at: at)))
        }
    }

    /// See ``SessionTable/pendingWatchChange()``.
    func pendingWatchChange() -> Bool? { sessions.pendingWatchChange() }

    private func acceptConnections() {
        guard let number = connections.accept(at: sockets.listener, now: clock.now) else { return }
        handler.noticed(.acceptPaused(SystemError.text(number)))
    }

    // MARK: Frames out

    private func sendAll() {
        let now = clock.now
        for served in sessions.all { send(served, now: now) }
    }

    private func send(_ served: ServedSession, now: MonotonicTime) {
        sessions.counters.framesSent += sender.send(served, telemetry, messages, now: now)
    }

    private func closeAllSessions() {
        for served in sessions.all { served.session.end() }
        sendAll()
        for (id, served) in sessions.byID where served.session.cipher != nil { handler.sessionClosed(id) }
        report(clock.now)
    }
}
