public import ChannelProtocol
internal import Synchronization
public import UAVLink

/// A link over the channel: the ground's end over UDP or TCP.
///
/// A dedicated thread does the waiting; ``steer(_:)`` seals and sends on the caller's thread and allocates nothing.
public final class SocketLink: UAVLink {
    /// The carrier of the frames.
    public enum Carrier: Sendable {
        /// Datagrams: least delay; lost frames are not resent, the newest wins.
        case udp
        /// One connection: for networks that block datagrams.
        case tcp
    }

    private let carrier: Carrier
    private let clock: any MonotonicClock
    private let requestTicket: @Sendable (Duration) async throws(LinkError) -> ChannelTicket
    let core: GroundCore
    private let renewal = Mutex<Task<Void, Never>?>(nil)

    /// Creates a link that is not connected yet.
    ///
    /// - Parameters:
    ///   - host: where the companion listens: a name or an address.
    ///   - carrier: UDP or TCP.
    ///   - clock: the source of time; setpoints carry times of the same clock.
    ///   - requestTicket: requests a ticket from the companion (over SSH) and returns within the given timeout.
    /// - Throws: ``LinkError`` when the system has no more file descriptors.
    public init(
        host: String, carrier: Carrier, clock: any MonotonicClock = SystemMonotonicClock(),
        requestTicket: @escaping @Sendable (Duration) async throws(LinkError) -> ChannelTicket
    ) throws(LinkError) {
        self.carrier = carrier
        self.clock = clock
        self.requestTicket = requestTicket
        core = try GroundCore(host: host, clock: clock)
    }

    deinit { core.close() }

    /// The carrier of this link.
    public var kind: LinkKind { carrier == .udp ? .udp : .tcp }

    /// Requests a ticket, resolves the host and opens the session; returns at once when the link is open.
    public func connect(within timeout: Duration) async throws(LinkError) {
        let deadline = clock.now + timeout
        if try core.isOpen() { return }
        let (ticket, addresses) = try await prepareSession(within: timeout)
        let token = core.newCall()
        let error: LinkError? = await withTaskCancellationHandler {
            await withCheckedContinuation { opener in
                let refusal = core.install(
                    ticket, addresses, isStream: carrier == .tcp, deadline: deadline,
                    for: .connection(opener, call: token))
                if let refusal { opener.resume(returning: refusal) }
            }
        } onCancel: {
            core.cancelOpening(call: token)
        }
        core.finished(call: token)
        if let error { throw error }
        core.renewSession.withLock { $0 = { [weak self] in self?.renewSession(within: timeout) } }
    }

    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        try command.validate()
        try requireAvailable(command)
        guard !Task.isCancelled else { throw LinkError(.cancelled, "\(command.name) was cancelled before it was sent") }
        let call = core.newCall()
        let answer: GroundCore.Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                core.begin(command, within: timeout, call: call, progress: report, waiter: waiter)
            }
        } onCancel: {
            core.cancel(call: call, name: command.name)
        }
        core.finished(call: call)
        return try answer.get()
    }

    /// Asks the companion; its answer is decoded here, on the caller's thread.
    func ask(
        _ question: SurveyQuestion, within timeout: Duration, report: MonotonicProgress? = nil
    ) async throws(LinkError) -> SurveyAnswer {
        try question.validate()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the request was cancelled before it was sent") }
        let call = core.newCall()
        let information: GroundCore.Information = await withTaskCancellationHandler {
            await withCheckedContinuation { asker in
                core.begin(question, within: timeout, call: call, progress: report, asker: asker)
            }
        } onCancel: {
            core.cancel(call: call, name: question.name)
        }
        core.finished(call: call)
        let payload = try information.get()
        let answer: QuestionAnswer
        do throws(WireError) {
            answer = try EncodedPayload.read(payload) { reader throws(WireError) in
                guard try reader.integer(UInt8.self) == FrameKind.questionAnswer.rawValue else { throw .invalid }
                return try QuestionAnswer(&reader)
            }
        } catch {
            throw LinkError(.protocolViolation, "cannot decode the companion's answer about \(question.name)")
        }
        return try answer.result.get()
    }

    /// Measures one round trip to the companion: sends an extra heartbeat, sealed and opened at both ends like every frame,
    /// which the companion's thread answers where it reads it.
    ///
    /// - Returns: the time until the answer was read, including the companion's processing.
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `notConnected`, `closed`.
    public func roundTrip(within timeout: Duration) async throws(LinkError) -> Duration {
        let call = core.newCall()
        let echo: GroundCore.Echo = await withTaskCancellationHandler {
            await withCheckedContinuation { core.ping(within: timeout, call: call, waiter: $0) }
        } onCancel: {
            core.cancelPing(call: call)
        }
        core.finished(call: call)
        return try echo.get()
    }

    /// Runs `body` on the link's dedicated thread, where answers arrive: a command performed in it returns without a thread
    /// switch, which costs as much as a network round trip on an idle machine.
    ///
    /// For work that mostly waits for the vehicle. While the body computes, nothing is read from the network; it must not block.
    /// Its parts that belong to an actor still run on that actor.
    public func onLinkThread<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withTaskExecutorPreference(core.executor) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Seals and sends on the caller's thread; a setpoint that the network does not accept at once is replaced by the next one.
    @discardableResult
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        try setpoint.validate()
        return try core.steer(setpoint)
    }

    /// See ``UAVLink/UAVLink/telemetry()``.
    public func telemetry() -> AsyncStream<Telemetry> { core.broadcast.stream() }

    /// See ``UAVLink/UAVLink/observeTelemetry(_:)``.
    public func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation {
        core.broadcast.observe(body)
    }

    /// The newest telemetry.
    public var latestTelemetry: Telemetry? { core.broadcast.latest }

    /// Round trips, loss, clock offset and counters.
    public var quality: LinkQuality { core.quality }

    /// The newest exchange of four timestamps; `nil` before the first.
    public var timing: ChannelTiming? { core.timing }

    /// Frames dropped without an answer, by reason.
    public var drops: DropCounts { core.state.withLock { $0.phase.connection?.session.drops ?? DropCounts() } }

    /// Ends the session and the thread; pending calls fail with `closed`.
    public func close() async {
        let task = renewal.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        core.close()
        await core.waitForThread()
    }

    // MARK: Sessions

    private func prepareSession(within timeout: Duration) async throws(LinkError) -> (ChannelTicket, [SocketAddress]) {
        let deadline = clock.now + timeout
        let ticket = try await requestTicket(timeout)
        guard ticket.version == channelProtocolVersion else { throw .channelVersion(theirs: ticket.version) }
        let port = carrier == .udp ? ticket.udpPort : ticket.tcpPort
        guard port != 0 else {
            throw LinkError(
                .unsupported, "the companion has no \(kind.rawValue.uppercased()) port",
                hint: "use --link \(carrier == .udp ? "tcp" : "udp")")
        }
        let addresses = try await HostLookup.addresses(of: core.host, port: port, within: deadline - clock.now)
        return (ticket, addresses)
    }

    /// The companion was not heard for long and may have restarted without the session. A new one is opened as the first was,
    /// with the same timeout; meanwhile no other attempt begins.
    private func renewSession(within timeout: Duration) {
        renewal.withLock { task in
            guard task == nil else { return }
            task = Task { [weak self] in
                await self?.takeNewSession(within: timeout)
                self?.renewal.withLock { $0 = nil }
            }
        }
    }

    private func takeNewSession(within timeout: Duration) async {
        let deadline = clock.now + timeout
        // A failure is not reported: the link is lost already, and the next attempt follows in a few seconds.
        guard let (ticket, addresses) = try? await prepareSession(within: timeout), !Task.isCancelled else { return }
        _ = core.install(ticket, addresses, isStream: carrier == .tcp, deadline: deadline, for: .renewal)
    }
}

/// The newest exchange with the companion.
public struct ChannelTiming: Hashable, Sendable {
    /// The round trip, without the time that the companion held the frame.
    public var roundTrip: Duration
    /// The companion's clock minus ours; its error is at most ``clockOffsetBound``.
    public var clockOffset: Duration
    /// The largest possible error of ``clockOffset``.
    public var clockOffsetBound: Duration
    /// Delay from ground to vehicle, computed with the clock offset, so its error is within the bound.
    public var delayUp: Duration
    /// Delay from vehicle to ground, computed with the clock offset, so its error is within the bound.
    public var delayDown: Duration
}
