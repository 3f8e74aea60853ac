#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// What the server's thread does, and all that only it may touch.
final class ServerLoop {
    private let sockets: ServerSockets
    private let mailbox: ServerMailbox
    private let handler: any ChannelHandler
    private let clock: any MonotonicClock
    private let executor: ServerExecutor
    private var sessions: [SessionID: ServedSession] = [:]
    private var connections: [ServerConnection] = []
    private var telemetry: Telemetry?
    private var messages = MessageLog()
    private var counters = ChannelCounters()
    private var poller = Poller()
    private let incoming = FrameBuffer(size: ChannelLimits.frame + 1)
    private let outgoing = FrameBuffer()
    private var lastReport = MonotonicTime(nanoseconds: 0)
    private var counts = SetpointCounts()
    private var stops = false

    /// Datagrams read before frames go out again, so that a flood delays nothing by more than a millisecond.
    private static let batch = 64
    /// More connections than sessions can use; strangers beyond it are closed at once.
    private static let maximumConnections = 128

    init(sockets: ServerSockets, mailbox: ServerMailbox, handler: any ChannelHandler, clock: any MonotonicClock) {
        self.sockets = sockets
        self.mailbox = mailbox
        self.handler = handler
        self.clock = clock
        executor = ServerExecutor(waker: mailbox.waker)
    }

    func run() {
        executor.begin()
        defer { executor.end() }
        while true {
            executor.runAll()
            takeMail()
            if stops { return sayGoodbye() }
            let wakeAt = min(passTime(), handler.tick(now: clock.now) ?? MonotonicTime(nanoseconds: .max))
            sendAll()
            wait(until: wakeAt)
            readDatagrams()
            acceptConnections()
            readConnections()
        }
    }

    // MARK: Mail and time

    private func takeMail() {
        guard let mail = mailbox.take() else { return }
        stops = mail.stops
        for new in mail.sessions {
            do throws(LinkError) {
                sessions[new.id] = ServedSession(
                    try VehicleSession(id: new.id, key: new.key, statePeriod: new.statePeriod, now: clock.now))
            } catch {
                mailbox.forget(sessions: 1)
            }
        }
        for answer in mail.answers { sessions[answer.session]?.session.answer(answer.command, answer.result) }
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
                session.nextDeadline(
                    hasTelemetry: telemetry != nil, hasMessages: session.wantsMessages(messages)))
        }
        if !ended.isEmpty { forget(ended) }
        for index in connections.indices where connections[index].session == nil {
            let end = connections[index].openedAt + ChannelTimes.strangerLife
            if end <= now { connections[index].isClosed = true } else { earliest = min(earliest, end) }
        }
        dropClosedConnections()
        return earliest
    }

    private func dropClosedConnections() {
        var index = connections.count
        while index > 0 {
            index -= 1
            if connections[index].isClosed { connections.remove(at: index) }
        }
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
        mailbox.forget(sessions: ended.count)
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

    private func wait(until deadline: MonotonicTime) {
        poller.reset()
        let waker = poller.add(mailbox.waker.descriptor)
        datagramsPlace = poller.add(sockets.datagrams.descriptor)
        listenerPlace = poller.add(sockets.listener.descriptor)
        for index in connections.indices {
            let connection = connections[index]
            connection.place = poller.add(connection.handle.descriptor, writing: connection.framing.isBlocked)
        }
        poller.wait(deadline - clock.now)
        if poller.isReady(waker) { mailbox.waker.clear() }
    }

    private var datagramsPlace = 0
    private var listenerPlace = 0

    // MARK: Frames in

    private func readDatagrams() {
        guard poller.isReady(datagramsPlace) else { return }
        for _ in 0..<Self.batch {
            var from = SocketAddress()
            let count = from.withMutableSockaddr { address, length in
                recvfrom(
                    sockets.datagrams.descriptor, incoming.bytes.baseAddress, incoming.bytes.count, 0, address, length)
            }
            guard count >= 0 else { return }
            let frame = UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[..<count])
            let now = clock.now
            guard let served = find(frame) else { continue }
            let received = served.session.receive(frame, now: now, room: bulkRoom)
            if received.isNewest { served.route = .datagram(from) }
            handle(received.event, served, now: now)
        }
    }

    private func readConnections() {
        for index in connections.indices where poller.isReady(connections[index].place) {
            let connection = connections[index]
            do throws(StreamFraming.Failure) {
                try connection.framing.flush(to: connection.handle.descriptor)
                for _ in 0..<Self.batch {
                    guard try connection.framing.fill(from: connection.handle.descriptor) else { break }
                    while let frame = try connection.framing.nextFrame() { take(frame, from: connection) }
                }
            } catch {
                if case .malformed = error { counters.drops.malformed += 1 }
                connection.isClosed = true
            }
        }
        dropClosedConnections()
    }

    private func take(_ frame: UnsafeMutableRawBufferPointer, from connection: ServerConnection) {
        let now = clock.now
        guard let served = find(frame) else { return }
        let received = served.session.receive(frame, now: now, room: bulkRoom)
        if received.isNewest {
            connection.session = served.session.id
            if case .connection(let current) = served.route, current === connection {
            } else {
                served.route = .connection(connection)
                served.session.carrierWasRenewed()
            }
        }
        handle(received.event, served, now: now)
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

    private func handle(_ event: VehicleEvent, _ served: ServedSession, now: MonotonicTime) {
        let id = served.session.id
        switch event {
        case .nothing: break
        case .opened: handler.sessionOpened(id)
        case .steer(let setpoint): served.session.note(handler.steer(setpoint, from: id, arrivedAt: now))
        case .perform(let command, let what):
            counters.commandsBegun += 1
            let (handler, mailbox) = (handler, mailbox)
            // A trajectory takes long to encode: not on this thread.
            var executor: ServerExecutor? = executor
            if case .uploadTrajectory = what { executor = nil }
            Task.detached(executorPreference: executor, priority: what.stopsMotion ? .high : .medium) {
                mailbox.answer(id, command, await handler.perform(what, from: id))
            }
        case .ended: handler.sessionClosed(id)
        }
    }

    private func acceptConnections() {
        guard poller.isReady(listenerPlace) else { return }
        while true {
            let descriptor = accept(sockets.listener.descriptor, nil, nil)
            guard descriptor >= 0 else { return }
            let handle = SocketHandle(descriptor)
            guard connections.count < Self.maximumConnections else { continue }
            handle.prepare()
            handle.tuneStream()
            connections.append(ServerConnection(handle, openedAt: clock.now))
        }
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
