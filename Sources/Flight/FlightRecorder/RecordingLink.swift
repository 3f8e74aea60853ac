internal import Synchronization
public import UAVLink

/// Stands in front of a link and has everything recorded that passes: commands with their answers, setpoints, telemetry.
///
/// A setpoint goes to the link first and is noted after, so the recording delays nothing. Of a channel both ends are traced as
/// well, which tells when the vehicle's end had what passed. The recorder outlives the link: whoever made it ends it.
public final class RecordingLink: SurveyLink, PromptLink, ControlledLink {
    private let link: any UAVLink
    /// What it records to.
    public let recorder: FlightRecorder
    private let name: String
    private let condition: String
    private let clock: any MonotonicClock
    private let listening = Mutex<Task<Void, Never>?>(nil)
    /// The channel's number with the recorder; `nil` for a link that is not traced.
    private let channel: Int?

    /// The companion's last notes come within a fifth of a second; over a bad link they are not waited for longer.
    private static let patience: Duration = .milliseconds(700)

    /// A link in front of another.
    public init(_ link: any UAVLink, recorder: FlightRecorder, clock: any MonotonicClock = SystemMonotonicClock()) {
        self.link = link
        self.recorder = recorder
        self.clock = clock
        name = link.kind.rawValue
        condition = ""
        channel = (link as? any TracedChannel).map { recorder.follow($0) }
    }

    /// A link in front of one whose trace belongs to somebody else.
    ///
    /// - Parameters:
    ///   - name: how the recording calls what carries it.
    ///   - condition: what the network is made to do.
    public init(
        _ link: any UAVLink, recorder: FlightRecorder, name: String, condition: String = "",
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.link = link
        self.recorder = recorder
        self.name = name
        self.condition = condition
        self.clock = clock
        channel = nil
    }

    deinit {
        listening.withLock { $0?.cancel() }
        if let channel { recorder.leave(channel) }
    }

    /// What carries the link behind.
    public var kind: LinkKind { link.kind }
    /// The newest telemetry.
    public var latestTelemetry: Telemetry? { link.latestTelemetry }
    /// How well the link works.
    public var quality: LinkQuality { link.quality }
    /// Every change of telemetry from now on.
    public func telemetry() -> AsyncStream<Telemetry> { link.telemetry() }

    /// Opens the link and begins to record its telemetry.
    public func connect(within timeout: Duration) async throws(LinkError) {
        do {
            try await link.connect(within: timeout)
        } catch {
            event(.error, "not connected over \(kind.rawValue): \(error.description)")
            throw error
        }
        event(.information, "connected over \(kind.rawValue)")
        listen()
    }

    /// Begins to record the telemetry of a link that is connected already.
    public func listen() {
        let (link, recorder, clock) = (link, recorder, clock)
        listening.withLock { listening in
            guard listening == nil else { return }
            listening = Task.detached {
                for await telemetry in link.telemetry() { recorder.note(.telemetry(telemetry, at: clock.now)) }
            }
        }
    }

    /// Has the command done and recorded.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await recorded(command) { () async throws(LinkError) in try await link.perform(command, within: timeout) }
    }

    /// Asks the link behind, where its end decides who flies, and notes what came of it.
    public func control(_ wish: ControlWish, within timeout: Duration) async throws(LinkError) -> CommandReply {
        guard let link = link as? any ControlledLink else {
            return CommandReply(accepted: true, message: "nobody decides who flies over \(kind.rawValue)")
        }
        let reply = try await link.control(wish, within: timeout)
        event(reply.accepted ? .information : .warning, "\(wish.words): \(reply.message)")
        return reply
    }

    /// Has the setpoint sent, then recorded.
    public func steer(_ setpoint: VelocitySetpoint) throws(LinkError) {
        do {
            try link.steer(setpoint)
        } catch {
            noteSetpoint(setpoint, error: error.description)
            throw error
        }
        noteSetpoint(setpoint, error: nil)
    }

    /// Ends the link once the vehicle's end has told of what passed last; the recording goes on.
    public func close() async {
        if let channel, quality.isConnected { await recorder.settle(channel, within: Self.patience) }
        event(.information, "closed")
        listening.withLock { listening in
            listening?.cancel()
            listening = nil
        }
        await link.close()
    }

    private func noteSetpoint(_ setpoint: VelocitySetpoint, error: String?) {
        let now = clock.now
        // Where ROS, or the simulator, is in this machine's reach, sending is applying.
        let isDirect = error == nil && (kind == .ros || kind == .sim)
        var note = SetpointNote(
            number: recorder.nextSetpoint(), link: name, setpoint: setpoint, sentAt: now,
            receivedAt: isDirect ? now : nil, appliedAt: isDirect ? now : nil, fate: isDirect ? .applied : nil,
            error: error)
        note.condition = condition
        recorder.note(.setpoint(note), over: error == nil ? channel : nil)
    }

    private func event(_ severity: VehicleMessage.Severity, _ text: String) {
        recorder.note(.event(EventNote(severity, "link", text, at: clock.now)))
    }

    private func recorded(
        _ command: Command, _ body: () async throws(LinkError) -> CommandReply
    ) async throws(LinkError) -> CommandReply {
        let number = recorder.nextCommand()
        let begun = clock.now
        do {
            let reply = try await body()
            note(number, command, begun, .success(reply))
            return reply
        } catch {
            note(number, command, begun, .failure(error))
            throw error
        }
    }

    private func note(
        _ number: UInt32, _ command: Command, _ begun: MonotonicTime, _ answer: Result<CommandReply, LinkError>
    ) {
        var note = CommandNote(
            number: number, link: name, command: command, intendedAt: begun, sentAt: begun, answeredAt: clock.now,
            answer: answer)
        note.condition = condition
        recorder.note(.command(note), over: channel)
    }
}

extension RecordingLink {
    private func survey() throws(LinkError) -> any SurveyLink {
        guard let survey = link as? any SurveyLink else {
            throw LinkError(.unsupported, "the link \(kind.rawValue) cannot be asked for maps and limits")
        }
        return survey
    }

    /// What the vehicle allows.
    public func flightEnvelope(within timeout: Duration) async throws(LinkError) -> FlightEnvelope {
        try await survey().flightEnvelope(within: timeout)
    }

    /// The maps that the vehicle offers.
    public func maps(within timeout: Duration) async throws(LinkError) -> [MapOffer] {
        try await survey().maps(within: timeout)
    }

    /// Fetches a map.
    public func pullMap(
        _ request: MapRequest, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> [UInt8] {
        try await survey().pullMap(request, within: timeout, progress: progress)
    }

    /// Has a long command done and recorded.
    public func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        try await recorded(command) { () async throws(LinkError) in
            guard let link = link as? any SurveyLink else { return try await link.perform(command, within: timeout) }
            return try await link.perform(command, within: timeout, progress: progress)
        }
    }

    /// Has the command done without a task of the caller's, and recorded.
    public func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        let number = recorder.nextCommand()
        let begun = clock.now
        let told: @Sendable (Result<CommandReply, LinkError>) -> Void = { [self] result in
            note(number, command, begun, result)
            answer(result)
        }
        if let prompt = link as? any PromptLink { return prompt.perform(command, within: timeout, answer: told) }
        Task.detached { [link] in
            do throws(LinkError) { told(.success(try await link.perform(command, within: timeout))) } catch {
                told(.failure(error))
            }
        }
    }
}
