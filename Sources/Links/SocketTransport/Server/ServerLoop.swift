internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// The work of the server's thread and its state, guarded by ``ServerCore``'s lock.
///
/// ```
///   FrameReceiver ─▶ VehicleSession ─▶ ServerSteering, ServerCommands ─▶ the handler
///   FrameSender ◀─── VehicleSession ◀─ Publication, answers ◀────────────╯
/// ```
final class ServerLoop {
    private enum Life {
        case serving(SessionTable)
        /// A stop was requested, and every ground has been sent goodbye.
        case ended
    }

    private let mailbox: ServerMailbox
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    private var life = Life.serving(SessionTable())
    private let receiver: FrameReceiver
    private let sender: FrameSender
    private var steering: ServerSteering
    private var commands = ServerCommands()
    /// The handler's control revision that was last sent to the grounds.
    private var controlRevision: UInt64 = 0
    private var lastReport = MonotonicTime(nanoseconds: 0)
    /// The latest time at which the thread wakes by itself.
    private var wakesAt = MonotonicTime(nanoseconds: .max)

    init(sockets: ServerSockets, mailbox: ServerMailbox, handler: any ChannelHandler, clock: any MonotonicClock) {
        receiver = FrameReceiver(sockets: sockets, waker: mailbox.waker)
        sender = FrameSender(sockets: sockets)
        steering = ServerSteering(handler: handler, clock: clock)
        self.mailbox = mailbox
        self.handler = handler
        self.clock = clock
    }

    /// The sessions while it serves them.
    private var sessions: SessionTable? {
        switch life {
        case .serving(let sessions): sessions
        case .ended: nil
        }
    }

    // MARK: The thread

    /// Does what is due and fills `poller`; returns the time to wake, `nil` when the server has ended.
    func work(listing poller: inout Poller) -> MonotonicTime? {
        guard let sessions else { return nil }
        reportEvictions(sessions)
        if let mail = mailbox.take() {
            if let telemetry = mail.telemetry { publish(telemetry, to: sessions) }
            report(sessions, clock.now)
            if mail.stops {
                end(sessions)
                return nil
            }
        }
        let now = clock.now
        let handlerWakesAt = handler.tick(now: now) ?? MonotonicTime(nanoseconds: .max)
        sendControlStatus(to: sessions)
        wakesAt = min(passTime(sessions, now), handlerWakesAt)
        sendAll(sessions)
        let listing = receiver.list(in: &poller, now: clock.now)
        if let acceptsAt = listing.acceptsAt { wakesAt = min(wakesAt, acceptsAt) }
        return listing.hasUnread || commands.hasDecoded ? clock.now : wakesAt
    }

    /// Reads received frames up to the first command, before which no later frame may be processed.
    func read(_ poller: Poller) -> ServerOrder? {
        guard let sessions else { return nil }
        if let shortage = receiver.accept(poller, now: clock.now) {
            handler.noticed(.acceptPaused(SystemError.text(shortage)))
        }
        while let next = commands.nextDecoded() {
            guard let served = sessions[next.session] else { continue }
            let event = served.session.perform(next.command, now: clock.now)
            if case .order(let order) = handle(event, served, now: next.receivedAt) { return order }
        }
        return receiver.read(poller) { frame, source in take(frame, from: source, sessions) }
    }

    private func end(_ sessions: SessionTable) {
        for served in sessions.all { served.session.end() }
        sendAll(sessions)
        for (id, served) in sessions.byID where served.session.hasBeenOpen { handler.sessionClosed(id) }
        report(sessions, clock.now)
        life = .ended
    }

    // MARK: Frames

    private func take(
        _ frame: UnsafeMutableRawBufferPointer, from source: FrameReceiver.Source, _ sessions: SessionTable
    ) -> FrameReceiver.Next {
        let now = clock.now
        guard let served = sessions.find(frame) else { return .more }
        let sequence =
            served.session.stampsReceipts ? try? FrameHeader(UnsafeRawBufferPointer(frame)).sequence : nil
        let received = served.session.receive(frame, now: now, available: sessions.availableBulkBytes)
        note(receiptOf: sequence, received.event, source, served.session)
        if received.isNewest { follow(served, to: source, sessions) }
        return handle(received.event, served, now: now)
    }

    /// Records how long the kernel had a frame with a setpoint or a command, for a trace that asks for it.
    private func note(
        receiptOf sequence: UInt64?, _ event: VehicleEvent, _ source: FrameReceiver.Source, _ session: VehicleSession
    ) {
        guard session.stampsReceipts else { return }
        receiver.stampReceipts()
        // The request itself has none.
        guard let sequence, case .datagram(_, waited: let waited?) = source else { return }
        switch event {
        case .steer, .perform: session.note(.receipt(.init(sequence: sequence, waitedNanoseconds: waited)))
        default: break
        }
    }

    /// The newest frame shows where its ground is.
    private func follow(_ served: ServedSession, to source: FrameReceiver.Source, _ sessions: SessionTable) {
        switch source {
        case .datagram(let address, _):
            sessions.lead(served, over: .datagram(address))
            served.session.isReliable = false
        case .connection(let connection):
            connection.isUnauthenticated = false
            guard !served.route.leads(over: connection) else { return }
            sessions.lead(served, over: .connection(connection))
            served.session.isReliable = true
            served.session.carrierWasRenewed()
        }
    }

    private func handle(_ event: VehicleEvent, _ served: ServedSession, now: MonotonicTime) -> FrameReceiver.Next {
        let session = served.session
        switch event {
        case .nothing:
            // Sent at once: more frames may be queued, and reading them first would add to the measured round trip.
            guard session.heartbeatIsDue else { break }
            sender.send(served, now: clock.now)
            return .poll
        case .opened:
            handler.sessionOpened(session.id)
            session.tell(sender.publication.capabilities)
            sendControlStatus(to: session)
        case .steer(let setpoint): steering.steer(setpoint, session, now: now)
        case .perform(let number, let command, let deadline, let knownStops):
            let issue = CommandIssue(number: number, knownStops: knownStops ?? served.stopsAtAdmission)
            return .order(commands.order(command, issue, of: session.id, until: deadline, receivedAt: now))
        case .ask(let number, let question, let deadline):
            return .order(
                ServerOrder(
                    session: session.id, id: number, content: .question(question), deadline: deadline,
                    receivedAt: now))
        case .transferred(let transfer):
            return .order(
                ServerOrder(
                    session: session.id, id: transfer.id, content: .transfer(transfer), deadline: now,
                    receivedAt: now))
        case .watch: steering.watchHasChanged()
        case .ended: handler.sessionClosed(session.id)
        }
        return .more
    }

    private func sendAll(_ sessions: SessionTable) {
        let now = clock.now
        for served in sessions.all { sender.send(served, now: now) }
    }

    // MARK: Commands and steering

    /// Stores and seals the answer to a command.
    func answer(
        _ id: SessionID, _ command: UInt64, _ result: Result<CommandReply, LinkError>, _ times: CommandTimes
    ) -> AnswerOutcome {
        guard let served = sessions?[id] else { return AnswerOutcome() }
        commands.answer(command, of: served.session, result, times, now: clock.now)
        return sender.send(answerOf: served, wakesAt: wakesAt, now: clock.now)
    }

    /// Stores the encoded answer to a question, and seals it when it fits in a frame.
    func answer(_ id: SessionID, question: UInt64, _ payload: [UInt8]) -> AnswerOutcome {
        guard let sessions, let served = sessions[id] else { return AnswerOutcome() }
        commands.answer(question: question, of: served.session, payload, held: sessions.answerBytesHeld)
        return sender.send(answerOf: served, wakesAt: wakesAt, now: clock.now)
    }

    /// Queues a decoded command; the thread passes it on in its turn.
    func take(_ command: ServerCommands.Decoded) { commands.add(command) }

    /// Records a velocity reference of another node.
    func saw(_ sequence: UInt32, at: MonotonicTime, isOwn: Bool) {
        if let sessions { steering.saw(sequence, at: at, isOwn: isOwn, sessions) }
    }

    /// See ``ServerSteering/pendingWatchChange(_:)``.
    func pendingWatchChange() -> Bool? {
        guard let sessions else { return nil }
        return steering.pendingWatchChange(sessions)
    }

    // MARK: Admission

    /// Adds a session that waits for its ground; see ``SessionTable/admit(_:maximum:now:)``.
    func admit(_ new: NewSession, maximum: Int) throws(LinkError) {
        switch life {
        case .serving(let sessions):
            try sessions.admit(new, maximum: maximum, stops: handler.stops, now: clock.now)
        case .ended: throw LinkError(.closed, "the channel's server is ending")
        }
    }

    /// Stops admitting sessions, unless there is one; returns whether admission has ended.
    func endAdmission() -> Bool {
        switch life {
        case .serving(let sessions): sessions.endAdmission()
        case .ended: true
        }
    }

    private func reportEvictions(_ sessions: SessionTable) {
        for eviction in sessions.takeEvictions() {
            handler.noticed(
                .evicted(eviction.id, wasOpen: eviction.wasOpen, lastHeardAgo: eviction.lastHeardAgo))
            if eviction.wasOpen { handler.sessionClosed(eviction.id) }
        }
    }

    // MARK: What the grounds are sent

    private func publish(_ telemetry: Telemetry, to sessions: SessionTable) {
        let isTraced = sessions.byID.values.contains { $0.session.isTraced }
        sender.publication.publish(
            telemetry, poseStampedAt: isTraced ? telemetry.pose.flatMap { handler.stamp(ofPoseAt: $0.at) } : nil)
        let capabilities = handler.vehicleCapabilities
        guard sender.publication.publish(capabilities) else { return }
        for served in sessions.all { served.session.tell(capabilities) }
    }

    /// Sends the control status to every ground after a change of control authority.
    private func sendControlStatus(to sessions: SessionTable) {
        let revision = handler.controlRevision
        guard revision != controlRevision else { return }
        controlRevision = revision
        for served in sessions.all { sendControlStatus(to: served.session) }
    }

    private func sendControlStatus(to session: VehicleSession) {
        if let status = handler.controlStatus(for: session.id) { session.tell(status, stops: handler.stops) }
    }

    // MARK: Time

    /// Advances all sessions to the present; returns when something is due.
    private func passTime(_ sessions: SessionTable, _ now: MonotonicTime) -> MonotonicTime {
        // Counters are for display: ten times per second is enough.
        if now - lastReport >= .milliseconds(100) { report(sessions, now) }
        var earliest = MonotonicTime(nanoseconds: .max)
        var ended: [SessionID] = []
        for (id, served) in sessions.byID {
            let session = served.session
            switch session.tick(now: now) {
            case .nothing: break
            case .linkLost: handler.sessionLinkLost(id)
            case .linkRestored: handler.sessionLinkRestored(id)
            case .ended: if session.hasBeenOpen { handler.sessionClosed(id) }
            }
            if session.phase == .ended {
                ended.append(id)
                continue
            }
            // A blocked connection wakes the thread when it is writable.
            if served.route.isBlocked { continue }
            earliest = min(earliest, sender.publication.nextDeadline(of: session))
        }
        if !ended.isEmpty { sessions.remove(ended) }
        return min(earliest, receiver.closeExpiredUnauthenticated(now: now))
    }

    private func report(_ sessions: SessionTable, _ now: MonotonicTime) {
        lastReport = now
        var report = sessions.report()
        report.framesSent = sender.framesSent
        report.commandsBegun = commands.begun
        report.drops.malformed += receiver.malformed
        mailbox.report(report)
    }
}
