package import MachineLink
package import UAVLink

/// The client of one drone: what is sent when, and what an answer means. A value without sockets, threads or a clock: time is
/// passed in, and what is to be sent and said is taken out.
///
/// Rules:
/// - one move at a time is on its way, and is never repeated; its answer is never taken for another command's;
/// - `stop`, `emergency`, a landing and neutral sticks wait for nothing but, a landing, half a second for the end of a move;
/// - sticks are sent at a steady rate while steering only; when setpoints stop, neutral ones follow;
/// - after nothing was heard for a while steering begins neutral again;
/// - what keeps the drone from landing by itself is sent only while the program uses the link (``used(now:)``): when it
///   hangs, or nobody flies, the drone lands after 15 s.
package struct TelloClient: Sendable {
    /// A caller that waits.
    package typealias Call = TelloExpectations.Call

    /// What a caller is told.
    package typealias Ending = MachineEnding

    enum Phase: Hashable {
        case idle
        /// `command` is sent until it is answered.
        case greeting(nextAt: MonotonicTime)
        /// `sdk?` is sent until it is answered.
        case asking(nextAt: MonotonicTime, left: Int)
        case open
    }

    struct Caller: Hashable {
        /// The name of the command; `nil` for one that opens.
        var name: String?
        var begun: MonotonicTime
        var deadline: MonotonicTime
    }

    /// A landing that waits for the end of a move.
    struct Landing: Hashable {
        var calls: [Call]
        var at: MonotonicTime
    }

    /// A command that is repeated, until it is answered.
    struct Repetition: Hashable {
        var command: TelloCommand
        var left: Int
        var period: Duration
        var nextAt: MonotonicTime
    }

    /// The edition of the drone's SDK; the first one until it has answered.
    package internal(set) var version = TelloVersion.sdk13
    /// Its serial number, in its words; `nil` if it does not say.
    package internal(set) var serial: String?
    /// What it is for its pilot.
    package internal(set) var mode = TelloMode.disconnected
    /// What it is doing.
    package internal(set) var flight = TelloFlight()
    /// The newest telemetry; without parts before the first state.
    package internal(set) var telemetry: Telemetry
    /// Round trips and counters.
    package internal(set) var statistics = TelloStatistics()

    /// The flight plan that is flown, by its number; `nil` for none.
    package internal(set) var plan: UInt64?
    /// Whether the drone's state goes to another program of this computer, which flies it: this one only stops and lands it.
    package internal(set) var stopsOnly = false

    var lastPlan: UInt64 = 0
    var phase = Phase.idle
    var callers: [Call: Caller] = [:]
    var expectations = TelloExpectations()
    var steering = TelloSteering()
    var landing: Landing?
    /// Callers of a hover of the first edition, which has no answer: the next answer to a question shows that the drone hears.
    var hovering: [Call] = []
    var repetitions: [Repetition] = []
    /// Whether the video is to be turned off once nothing else is answered.
    var videoMustEnd = false
    var notices = TelloNotices()
    var lastHeard: MonotonicTime?
    var lastUsed: MonotonicTime?
    /// Whether the newest setpoint is followed; it may not be sent yet.
    package internal(set) var tookSetpoint = false
    var questionAt: MonotonicTime?
    /// When a landing whose answer would say nothing is sent again.
    var landAgainAt = MonotonicTime(nanoseconds: .max)
    var serialQuestions = 3
    var outgoing: [TelloCommand] = []
    var endings: [Ending] = []
    var hasNews = false

    /// A client that has sent nothing.
    ///
    /// - Parameter vehicle: its name in telemetry.
    package init(vehicle: String) { telemetry = Telemetry(vehicle: vehicle) }

    // MARK: What comes out

    /// What is to be sent now, in order.
    package mutating func takeOutgoing() -> [TelloCommand] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Who is to be told what.
    package mutating func takeEndings() -> [Ending] {
        defer { endings = [] }
        return endings
    }

    /// The telemetry, if it has changed since the last call.
    package mutating func takeNews() -> Telemetry? {
        defer { hasNews = false }
        return hasNews ? telemetry : nil
    }

    /// Whether it has confirmed `command`, and was heard within ``TelloTimes/linkLoss``.
    package func isConnected(now: MonotonicTime) -> Bool {
        phase == .open && lastHeard.map { now - $0 < TelloTimes.linkLoss } == true
    }

    /// Whether it is open, heard or not.
    package var isOpen: Bool { phase == .open }

    /// When ``advance(now:)`` has something to do next; `nil` if it has nothing.
    package func nextDeadline(now: MonotonicTime) -> MonotonicTime? {
        var all = callers.values.map(\.deadline) + repetitions.map(\.nextAt)
        switch phase {
        case .idle: break
        case .greeting(let nextAt), .asking(let nextAt, _): all.append(nextAt)
        case .open: if let questionAt { all.append(questionAt) }
        }
        if let landing { all.append(landing.at) }
        if mayLandAgain { all.append(landAgainAt) }
        if let due = steering.nextDeadline { all.append(due) }
        if let due = expectations.nextDeadline { all.append(due) }
        return all.min()
    }

    // MARK: Opening

    /// Begins to open, for a caller who waits until `deadline`; one that is open tells so at once.
    package mutating func open(for call: Call, until deadline: MonotonicTime, now: MonotonicTime) {
        if phase == .open { return endings.append(.opened(call, nil)) }
        callers[call] = Caller(begun: now, deadline: deadline)
        used(now: now)
        if phase == .idle {
            phase = .greeting(nextAt: now)
            enter(.joined)
        }
        advance(now: now)
    }

    /// The program has used the link: as long as it does, the drone is kept from landing by itself.
    package mutating func used(now: MonotonicTime) { lastUsed = max(now, lastUsed ?? now) }

    /// A caller does not wait any more. What was sent is not taken back.
    package mutating func cancel(_ call: Call) {
        callers[call] = nil
        forget(call)
    }

    private mutating func forget(_ call: Call) {
        expectations.forget(call)
        hovering.removeAll { $0 == call }
        landing?.calls.removeAll { $0 == call }
    }

    /// Everybody who waits is told that the link is closed; a drone that is steered is sent neutral sticks first.
    package mutating func close() {
        if steering.release() { outgoing.append(.sticks(.neutral)) }
        if videoMustEnd { outgoing.append(.video(false)) }
        for (call, caller) in callers {
            let error = LinkError(.closed, "the link was closed")
            endings.append(caller.name == nil ? .opened(call, error) : .answered(call, .failure(error)))
        }
        callers = [:]
        phase = .idle
    }

    // MARK: Time

    /// Sends what is due, and ends what was not answered in time.
    package mutating func advance(now: MonotonicTime) {
        endLateCallers(now: now)
        for pending in expectations.expire(now: now) { expired(pending, now: now) }
        switch phase {
        case .idle: return
        case .greeting(let nextAt): if nextAt <= now { greet(now: now) }
        case .asking(let nextAt, let left): if nextAt <= now { askVersion(left: left, now: now) }
        case .open: advanceOpen(now: now)
        }
    }

    private mutating func endLateCallers(now: MonotonicTime) {
        for (call, caller) in callers where caller.deadline <= now {
            callers[call] = nil
            forget(call)
            guard let name = caller.name else {
                endings.append(.opened(call, openingFailure))
                continue
            }
            let error = LinkError(
                .timedOut, "the Tello has not answered '\(name)'", hint: "it may have been received: look at the drone")
            endings.append(.answered(call, .failure(error)))
        }
        // Nobody waits for it to open any more.
        if phase != .open, phase != .idle, !callers.values.contains(where: { $0.name == nil }) {
            phase = .idle
            expectations = TelloExpectations()
            enter(.lost)
        }
    }

    private var openingFailure: LinkError {
        LinkError(
            .unreachable, "the Tello does not answer 'command'",
            hint: "is this computer in its Wi-Fi (TELLO-...), and UDP port 8889 open in the firewall?")
    }

    private mutating func greet(now: MonotonicTime) {
        send(.command, now: now, until: now + TelloTimes.answer)
        phase = .greeting(nextAt: now + TelloTimes.handshake)
    }

    private mutating func askVersion(left: Int, now: MonotonicTime) {
        guard left > 0 else { return opened(as: .sdk13, now: now) }
        send(.read(.version), now: now, until: now + TelloTimes.answer)
        phase = .asking(nextAt: now + TelloTimes.handshake, left: left - 1)
    }

    mutating func opened(as version: TelloVersion, now: MonotonicTime) {
        self.version = version
        phase = .open
        questionAt = now
        for (call, caller) in callers where caller.name == nil {
            callers[call] = nil
            endings.append(.opened(call, nil))
        }
        tell(.information, "Tello with SDK \(version.text)", now: now)
        advance(now: now)
    }

    private mutating func advanceOpen(now: MonotonicTime) {
        if let lastHeard, now - lastHeard >= TelloTimes.steeringLoss { steering.brake(now: now) }
        loseWhatIsSilent(now: now)
        if let sticks = steering.due(now: now) { outgoing.append(.sticks(sticks)) }
        for index in repetitions.indices where repetitions[index].nextAt <= now { repeatUrgent(index, now: now) }
        repetitions.removeAll { $0.left <= 0 }
        let isMoving = expectations[.move] != nil || stopsOnly && expectations[.stop] != nil
        if let landing, landing.at <= now || !isMoving { land(for: landing.calls, now: now) }
        landAgain(now: now)
        endVideoWhenFree(now: now)
        ask(now: now)
    }

    private mutating func repeatUrgent(_ index: Int, now: MonotonicTime) {
        let slot: TelloExpectations.Slot = repetitions[index].command == .stop ? .stop : .emergency
        guard let pending = expectations[slot] else { return repetitions[index].left = 0 }
        send(repetitions[index].command, now: now, until: pending.until)
        repetitions[index].left -= 1
        repetitions[index].nextAt = now + repetitions[index].period
    }

    private mutating func loseWhatIsSilent(now: MonotonicTime) {
        guard let lastHeard, now - lastHeard >= TelloTimes.linkLoss else { return }
        enter(.lost)
        guard now - lastHeard >= TelloTimes.forgetting, flight.state != .unknown else { return }
        flight.forget()
        report(now: now)
    }

    /// Asks a question while the program runs; a drone that is not heard is greeted, since it may have been switched off and on.
    private mutating func ask(now: MonotonicTime) {
        guard let due = questionAt, due <= now else { return }
        questionAt = now + (steering.isActive ? TelloTimes.questionWhileSteering : TelloTimes.question)
        guard let lastUsed, now - lastUsed < TelloTimes.use else { return }
        // It would keep the drone in the air when the program that flies it hangs.
        if stopsOnly { return }
        guard isConnected(now: now) else { return send(.command, now: now, until: now + TelloTimes.answer) }
        let asksSerial = serial == nil && version >= .sdk20 && serialQuestions > 0
        if asksSerial { serialQuestions -= 1 }
        send(.read(asksSerial ? .serial : .battery), now: now, until: now + TelloTimes.answer)
    }

    // MARK: Inside

    mutating func send(
        _ command: TelloCommand, for calls: [Call] = [], now: MonotonicTime, until: MonotonicTime
    ) {
        expectations.sent(command, for: calls, now: now, until: until)
        outgoing.append(command)
    }

    mutating func enter(_ event: TelloMode.Event) {
        if let next = mode.after(event) { mode = next }
    }
}
