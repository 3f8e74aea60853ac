package import UAVLink

/// The companion's end of a session: takes frames, returns events, provides the next frame to send. No I/O, no own clock.
///
/// ```
///   waiting --hello of our version--> open --end()--> closing --goodbye sent--> ended
///      |                               |                 |
///      | unused for 60 s, end()        +---- goodbye ----+
///      v                                     received, or 5 minutes without frames
///    ended
/// ```
package final class VehicleSession {
    package enum Phase: Equatable {
        case waiting
        /// Until goodbye was sent or received.
        case open
        case ended
    }

    private enum Life {
        /// For the ground's hello; with what the ground is then sent.
        case waiting(OpenVehicleSession.Announcements)
        case open(OpenVehicleSession)
        /// Goodbye is due.
        case closing(OpenVehicleSession)
        /// With what it counted; `nil` if it was never open.
        case ended(OpenVehicleSession.Totals?)
    }

    package let id: SessionID
    private let statePeriod: Duration
    private var life = Life.waiting(.init())
    private var handshake: VehicleHandshake
    package private(set) var drops = DropCounts()
    package private(set) var lastHeard: MonotonicTime
    /// Whether the present carrier itself retransmits lost data (TCP).
    package var isReliable = false

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
        self.statePeriod = statePeriod
        handshake = try VehicleHandshake(session: id, key: key, version: version, random: random)
        lastHeard = now
    }

    package var phase: Phase {
        switch life {
        case .waiting: .waiting
        case .open, .closing: .open
        case .ended: .ended
        }
    }

    /// Its parts, from the hello to the goodbye.
    var parts: OpenVehicleSession? {
        switch life {
        case .open(let open), .closing(let open): open
        case .waiting, .ended: nil
        }
    }

    // MARK: What it knows

    /// What it has counted; `nil` if it was never open.
    private var totals: OpenVehicleSession.Totals? {
        switch life {
        case .waiting: nil
        case .open(let open), .closing(let open): open.totals
        case .ended(let totals): totals
        }
    }

    /// Whether its ground has ever opened it.
    package var hasBeenOpen: Bool { totals != nil }

    /// Authentic frames received.
    package var framesReceived: UInt64 { totals?.framesReceived ?? 0 }

    /// What happened to the setpoints so far.
    package var setpoints: SetpointCounts { totals?.setpoints ?? SetpointCounts() }

    /// Nothing is known of the ground's clock unless it is open.
    var timing: PeerTiming { parts?.timing ?? PeerTiming() }

    /// The cipher while it is open.
    var cipher: FrameCipher? { parts?.cipher }

    /// Bytes held for incomplete transfers.
    package var bytesHeld: Int { parts?.transfers.bytesHeld ?? 0 }

    /// Bytes of large answers that the ground does not have yet.
    package var answerBytesHeld: Int { parts?.commands.answerBytesHeld ?? 0 }

    /// Whether a heartbeat waits for its answer; a delay until then counts as network delay.
    package var heartbeatIsDue: Bool { parts?.heartbeatIsDue ?? false }

    /// Whether there are messages that the ground has not acknowledged.
    package func wantsMessages(_ log: MessageLog) -> Bool {
        log.hasUpdate(after: parts?.telemetrySchedule.messagesSeen ?? 0)
    }

    // MARK: What the companion wants

    /// Sets the control status for this ground, and how many stops have begun; both are sent at once, and again periodically.
    package func tell(_ status: ControlStatus, stops: UInt64 = 0) {
        switch life {
        case .waiting(var known):
            known.control = (status, stops)
            life = .waiting(known)
        case .open(let open), .closing(let open): open.tell(status, stops: stops)
        case .ended: break
        }
    }

    /// Sets what the vehicle can do, for this ground; a change is sent at once.
    package func tell(_ capabilities: VehicleCapabilities?) {
        switch life {
        case .waiting(var known):
            known.capabilities = capabilities
            life = .waiting(known)
        case .open(let open), .closing(let open): open.tell(capabilities)
        case .ended: break
        }
    }

    /// A setpoint was refused: the ground is sent the control status again.
    package func resendControlStatus(now: MonotonicTime) { parts?.resendControlStatus(now: now) }

    /// Counts what happened to a forwarded setpoint.
    package func note(_ verdict: SteeringVerdict) { parts?.note(verdict) }

    /// Stores the answer to a command of ``VehicleEvent/perform(id:_:until:)``.
    package func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) { parts?.answer(id, result) }

    /// Stores the encoded answer to a question of ``VehicleEvent/ask(id:_:until:)``.
    package func answer(question id: UInt64, _ payload: [UInt8]) { parts?.answer(question: id, payload) }

    /// Sends goodbye with the next frame.
    package func end() {
        switch life {
        case .waiting: life = .ended(nil)
        case .open(let open): life = .closing(open)
        case .closing, .ended: break
        }
    }

    /// The carrier was renewed: what was in flight on the old one is resent.
    package func carrierWasRenewed() { parts?.carrierWasRenewed() }

    // MARK: Frames in

    /// Processes a frame, which is decrypted in place.
    ///
    /// - Parameter available: how many more bytes transfers may hold.
    package func receive(
        _ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime, available: Int = ChannelLimits.bulkTotal
    ) -> Received {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard header.session == id.value else { throw .unknownSession }
            switch life {
            case .waiting(let known):
                guard header.sequence == 0 else { throw .unknownSession }
                return try open(frame, announcing: known, now: now)
            case .open(let open), .closing(let open):
                if header.sequence > 0 { return try take(frame, header.sequence, open, now: now, available: available) }
                try handshake.takeAgain(frame, of: open, now: now)
                return Received(event: .nothing, isNewest: true)
            case .ended: throw .unknownSession
            }
        } catch {
            drops.note(error)
            return Received()
        }
    }

    private func open(
        _ frame: UnsafeMutableRawBufferPointer, announcing known: OpenVehicleSession.Announcements, now: MonotonicTime
    ) throws(FrameRefusal) -> Received {
        guard let (cipher, helloRandom) = try handshake.open(frame, now: now) else {
            return Received(event: .nothing, isNewest: true)
        }
        life = .open(
            OpenVehicleSession(
                cipher: cipher, helloRandom: helloRandom, statePeriod: statePeriod, announcing: known, now: now))
        lastHeard = now
        return Received(event: .opened, isNewest: true)
    }

    private func take(
        _ frame: UnsafeMutableRawBufferPointer, _ sequence: UInt64, _ open: OpenVehicleSession, now: MonotonicTime,
        available: Int
    ) throws(FrameRefusal) -> Received {
        let newest = open.cipher.window.newest
        if open.isTraced, open.cipher.isRepeated(sequence) {
            open.note(.repeated(.init(sequence: sequence, at: now)))
        }
        let (text, sequence) = try open.cipher.open(frame)
        lastHeard = now
        var received = Received(event: .nothing, isNewest: sequence > newest)
        do throws(WireError) {
            received.event = try open.take(text, sequence: sequence, now: now, available: available)
        } catch { drops.invalid += 1 }
        if case .ended = received.event { life = .ended(open.totals) }
        return received
    }

    /// Processes the decoded command of a transfer; `nil` when it was invalid.
    package func perform(_ command: DecodedCommand?, now: MonotonicTime) -> VehicleEvent {
        guard let command else {
            drops.invalid += 1
            return .nothing
        }
        return parts?.perform(command, now: now) ?? .nothing
    }

    // MARK: Time

    /// Advances to the present.
    package func tick(now: MonotonicTime) -> Change {
        let unheard = now - lastHeard
        switch life {
        case .ended: return .nothing
        case .waiting:
            guard unheard > ChannelTimes.ticketLife else { return .nothing }
            life = .ended(nil)
            return .ended
        case .open(let open), .closing(let open):
            let change = open.tick(unheard: unheard, now: now)
            if change == .ended { life = .ended(open.totals) }
            return change
        }
    }

    /// Whether it may be evicted: its link is lost, or its ticket was not used for longer than a log-in takes.
    package func isEvictable(now: MonotonicTime) -> Bool {
        now - lastHeard > (phase == .waiting ? ChannelTimes.ticketEvictionAge : ChannelTimes.linkLossTimeout)
    }

    /// The latest time of the next call.
    package func nextDeadline(telemetry: Telemetry?, hasMessages: Bool) -> MonotonicTime {
        switch life {
        case .ended: MonotonicTime(nanoseconds: .max)
        case .waiting: lastHeard + ChannelTimes.ticketLife
        case .open(let open), .closing(let open):
            open.nextDeadline(
                telemetry: telemetry, hasMessages: hasMessages, lastHeard: lastHeard, isReliable: isReliable)
        }
    }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    ///
    /// Order: welcome, answers, goodbye, then that of ``OpenVehicleSession``.
    /// - Parameter poseStampedAt: when the vehicle sent the pose in the telemetry, for a trace; `nil` if it is not known.
    package func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, telemetry: Telemetry?,
        poseStampedAt: MonotonicTime? = nil, messages: MessageLog
    ) -> Int {
        let welcome = handshake.nextWelcome(into: buffer, now: now)
        if welcome > 0 { return welcome }
        let reply = parts?.nextReply(into: buffer) ?? 0
        if reply > 0 { return reply }
        switch life {
        case .waiting, .ended: return 0
        case .open(let open):
            return open.nextFrame(
                into: buffer, now: now, telemetry: telemetry, poseStampedAt: poseStampedAt, messages: messages,
                isReliable: isReliable)
        case .closing(let open):
            life = .ended(open.totals)
            return open.goodbye(into: buffer)
        }
    }
}
