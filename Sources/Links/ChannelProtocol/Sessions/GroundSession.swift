package import UAVLink

/// The ground's end of a session: takes frames, returns events, and provides the next frame to send. No I/O, no clock of its
/// own.
///
/// ```
///   opening --welcome--> open --end()--> closing --goodbye sent--> ended
///      |                  |                 |
///      | versions differ, +---- goodbye ----+
///      | end()                  received
///      v
///    ended
/// ```
/// When nothing was received for 1 s the link is lost: commands continue, steering is refused.
package final class GroundSession {
    package enum Phase: Equatable {
        case opening
        /// Until goodbye was sent or received.
        case open
        case ended
    }

    private enum Life {
        case opening(GroundHandshake)
        case open
        /// Goodbye is due.
        case closing
        case ended
    }

    package let id: SessionID
    private var life: Life
    private let exchange: GroundExchange
    package private(set) var drops = DropCounts()
    package private(set) var lastHeard: MonotonicTime

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
        life = .opening(
            try GroundHandshake(session: id, key: ticket.key, random: helloRandom, version: version, now: now))
        exchange = GroundExchange(
            cipher: try FrameCipher(session: id.value, key: ticket.key, helloRandom: helloRandom, sending: .up),
            vehicle: ticket.vehicle, isReliable: isReliable, now: now)
        lastHeard = now
    }

    package var phase: Phase {
        switch life {
        case .opening: .opening
        case .open, .closing: .open
        case .ended: .ended
        }
    }

    /// Whether the link is lost: nothing was received from the companion for longer than the timeout.
    package func isLost(now: MonotonicTime) -> Bool { now - lastHeard > ChannelTimes.linkLossTimeout }

    /// Whether the next hello is due.
    package func helloIsDue(now: MonotonicTime) -> Bool {
        switch life {
        case .opening(let handshake): handshake.nextAt <= now
        case .open, .closing, .ended: false
        }
    }

    // MARK: What it knows

    var cipher: FrameCipher { exchange.cipher }

    package var timing: PeerTiming { exchange.timing }

    package var received: GroundTelemetry { exchange.received }

    /// The newest telemetry.
    package var telemetry: Telemetry { exchange.received.value }

    /// How many stops of the companion are known; `nil` if that was not received.
    package var knownStops: UInt64? { exchange.knownStops }

    /// The companion's counters of our setpoints.
    package var setpoints: SetpointCounts { exchange.steering.counts }

    /// How many setpoints were sent.
    package var setpointsSent: UInt64 { exchange.steering.sent }

    /// The trace of this session, if it is traced.
    package var trace: GroundTrace? {
        get { exchange.trace }
        set { exchange.trace = newValue }
    }

    // MARK: What the caller wants

    /// Sets the setpoint to send, replacing one that was not sent yet.
    ///
    /// - Returns: the number of the setpoint, counted from 1.
    @discardableResult
    package func steer(_ setpoint: VelocitySetpoint, now: MonotonicTime) throws(LinkError) -> UInt64 {
        try requireOpen()
        guard !isLost(now: now) else {
            exchange.dropSetpoint()
            throw LinkError(
                .notConnected, "no frames received from the vehicle for more than 1 s",
                hint: "the companion has braked the vehicle; steer again when the link is restored")
        }
        return exchange.steer(setpoint, now: now)
    }

    /// Starts a command and returns the id of its answer.
    package func begin(
        _ command: Command, in sequence: CommandSequence? = nil, deadline: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        try requireOpen()
        return try exchange.begin(command, in: sequence, deadline: deadline, now: now)
    }

    /// Starts a question and returns the id of its answer; steering continues.
    package func begin(_ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime) throws(LinkError)
        -> UInt64
    {
        try requireOpen()
        return try exchange.begin(question, deadline: deadline, now: now)
    }

    /// Schedules an extra heartbeat now; ``GroundEvent/echoed(sent:)`` reports its answer. If it is lost, the next regular one
    /// follows.
    package func ping(now: MonotonicTime) throws(LinkError) {
        try requireOpen()
        exchange.sendHeartbeat(now: now)
        exchange.echoIsAwaited = true
    }

    /// Sets whether a call waits for a heartbeat's answer.
    package func awaitEcho(_ isAwaited: Bool) { exchange.echoIsAwaited = isAwaited }

    private func requireOpen() throws(LinkError) {
        switch life {
        case .open, .closing: break
        case .opening, .ended:
            // After the first opening: before it, the link itself refuses.
            throw LinkError(
                .notConnected, "the link is lost",
                hint: "it is tried again by itself; until then only the radio reaches the vehicle")
        }
    }

    /// Forgets a command: its caller no longer waits.
    package func forget(_ id: UInt64) { exchange.forget(id) }

    /// Sends goodbye with the next frame.
    package func end() {
        exchange.dropSetpoint()
        switch life {
        case .opening: life = .ended
        case .open: life = .closing
        case .closing, .ended: break
        }
    }

    /// The carrier was renewed: what was in flight is lost and resent, except setpoints.
    package func carrierWasRenewed(now: MonotonicTime) {
        exchange.carrierWasRenewed(now: now)
        switch life {
        case .opening(var handshake):
            handshake.carrierWasRenewed(now: now)
            life = .opening(handshake)
        case .open, .closing, .ended: break
        }
    }

    // MARK: Frames in

    /// Processes a frame, which is decrypted in place.
    package func receive(
        _ frame: UnsafeMutableRawBufferPointer, now: MonotonicTime, waited: Int64? = nil
    ) -> GroundEvent {
        do throws(FrameRefusal) {
            let header = try FrameHeader(UnsafeRawBufferPointer(frame))
            guard header.session == id.value else { throw .unknownSession }
            let isHandshake = header.sequence == 0
            switch life {
            case .opening(let handshake):
                guard isHandshake else { throw .unknownSession }
                return open(try handshake.welcome(frame), now: now)
            case .open, .closing:
                guard !isHandshake else { throw .replayed }
                exchange.look(at: header)
                exchange.waited = waited
                let (text, sequence) = try exchange.cipher.open(frame)
                lastHeard = now
                return take(text, sequence: sequence, now: now)
            case .ended:
                if isHandshake { throw .replayed }
                throw .unknownSession
            }
        } catch {
            drops.note(error)
            return .nothing
        }
    }

    private func open(_ welcome: Handshake.Welcome, now: MonotonicTime) -> GroundEvent {
        guard welcome.accepted else {
            life = .ended
            return .refused(.channelVersion(theirs: welcome.version))
        }
        life = .open
        lastHeard = now
        exchange.begin(welcome, now: now)
        return .opened
    }

    private func take(_ text: UnsafeRawBufferPointer, sequence: UInt64, now: MonotonicTime) -> GroundEvent {
        do throws(WireError) {
            let event = try exchange.take(text, sequence: sequence, now: now)
            if case .ended = event { life = .ended }
            return event
        } catch {
            drops.invalid += 1
            return .nothing
        }
    }

    // MARK: Time

    /// Commands past their deadline, each reported once.
    package func expired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] { exchange.takeExpired(now: now) }

    /// The latest time of the next call.
    package func nextDeadline(now: MonotonicTime) -> MonotonicTime {
        switch life {
        case .opening(let handshake): min(handshake.nextAt, exchange.nextRequest)
        case .open, .closing: min(exchange.nextExchange, exchange.nextRequest)
        case .ended: MonotonicTime(nanoseconds: .max)
        }
    }

    // MARK: Frames out

    /// The next frame to send, most urgent first; 0 when there is none now.
    ///
    /// Order: commands that stop motion, the setpoint, goodbye, then that of ``GroundExchange``.
    package func nextFrame(into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime) -> Int {
        switch life {
        case .opening(var handshake):
            let hello = handshake.nextHello(into: buffer, now: now)
            life = .opening(handshake)
            return hello
        case .open:
            let urgent = exchange.nextUrgent(into: buffer, now: now)
            return urgent > 0 ? urgent : exchange.nextFrame(into: buffer, now: now)
        case .closing:
            let urgent = exchange.nextUrgent(into: buffer, now: now)
            if urgent > 0 { return urgent }
            life = .ended
            return exchange.goodbye(into: buffer)
        case .ended: return 0
        }
    }
}
