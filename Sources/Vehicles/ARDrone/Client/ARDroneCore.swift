package import MachineLink
package import UAVLink

/// The client of one drone: what is sent when, and what navigation data means. A value without sockets, threads or a clock: time
/// is passed in, and what is to be sent and said is taken out.
///
/// Rules:
/// - the control loop sends sticks or a hover every 30 ms, at once when steering is lost, and nothing else moves the drone;
/// - `REF` is sent only while a take-off, a landing or an emergency is wanted and not shown, so that nothing lands a drone in the
///   air, or starts one that has landed by itself;
/// - nothing at all is sent before the drone's state was heard;
/// - the emergency bit is an edge, never sent to a drone that shows an emergency but to clear it, on its pilot's word;
/// - after setpoints or navigation data were missing, steering begins neutral again;
/// - the drone is kept from its own failsafe only while the program uses the link (``used(now:)``).
package struct ARDroneCore: Sendable {
    /// A caller that waits.
    package typealias Call = UInt64

    /// A datagram to send.
    package enum Output: Hashable, Sendable {
        /// To the port of commands.
        case commands([UInt8])
        /// To the port of navigation data: that it is wanted.
        case request

        /// Its bytes.
        package var bytes: [UInt8] {
            switch self {
            case .commands(let bytes): bytes
            case .request: [1, 0, 0, 0]
            }
        }
    }

    /// What a caller is told.
    package typealias Ending = MachineEnding

    enum Phase: Hashable {
        case idle, opening, open
    }

    struct Caller: Hashable {
        /// The name of the command; `nil` for one that opens.
        var name: String?
        var begun: MonotonicTime
        var deadline: MonotonicTime
    }

    /// A command that is sent until the state shows it.
    struct Order: Hashable {
        var calls: [Call]
        var begun: MonotonicTime
    }

    /// A goto under way.
    struct Way: Hashable {
        var guidance: ARDroneGuidance
        var begun: MonotonicTime
    }

    /// What is known of the drone's place.
    struct Place: Hashable {
        var latitude: Double
        var longitude: Double
        var at: MonotonicTime
    }

    /// What it is doing.
    package internal(set) var flight = ARDroneFlight()
    /// The newest telemetry; without parts before the first navigation data.
    package internal(set) var telemetry: Telemetry
    /// Counters.
    package internal(set) var statistics = ARDroneStatistics()
    /// What is set in its configuration.
    package internal(set) var configurator = ARDroneConfigurator()

    var phase = Phase.idle
    var callers: [Call: Caller] = [:]
    var sequence = ATSequence()
    var steering = ARDroneSteering()
    var way: Way?
    var place: Place?
    /// Degrees clockwise from magnetic north, of a calibrated magnetometer, and when.
    var compass: (degrees: Double, at: MonotonicTime)?
    var takeOff: Order?
    var landing: Order?
    var emergency: (edge: ARDroneEmergency, order: Order)?
    /// Callers of a hover, which nothing answers: navigation data without the watchdog shows that commands arrive.
    var hovering: [Order] = []
    var newestSequence: UInt32 = 0
    /// Packets in a row that came after a newer one.
    var lateInARow = 0
    var loopAt: MonotonicTime?
    var requestAt: MonotonicTime?
    var lastUsed: MonotonicTime?
    /// Whether the newest setpoint is followed; it may not be sent yet.
    package internal(set) var tookSetpoint = false
    /// Since when the watchdog is shown although commands are sent.
    var starvedSince: MonotonicTime?
    var mustResetWatchdog = false
    var lastStatus: ARDroneStatus?
    var lastControl: ARDroneControlState?
    var newsAt: MonotonicTime?
    var hoversLeft = 0
    var outgoing: [Output] = []
    var endings: [Ending] = []
    var hasNews = false

    /// A client that has sent nothing.
    ///
    /// - Parameter vehicle: its name in telemetry.
    package init(vehicle: String) { telemetry = Telemetry(vehicle: vehicle) }

    // MARK: What comes out

    /// What is to be sent now, in order.
    package mutating func takeOutgoing() -> [Output] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Who is to be told what.
    package mutating func takeEndings() -> [Ending] {
        defer { endings = [] }
        return endings
    }

    /// The telemetry, if it has changed since the last call, at most every ``ARDroneTimes/news``.
    package mutating func takeNews(now: MonotonicTime) -> Telemetry? {
        guard hasNews, newsAt.map({ $0 <= now }) ?? true else { return nil }
        (hasNews, newsAt) = (false, now + ARDroneTimes.news)
        return telemetry
    }

    /// Whether its stream was heard within ``ARDroneTimes/linkLoss``.
    package func isConnected(now: MonotonicTime) -> Bool {
        phase == .open && flight.isHeard(within: ARDroneTimes.linkLoss, now: now)
    }

    /// When ``advance(now:)`` has something to do next; `nil` if it has nothing.
    package func nextDeadline(now: MonotonicTime) -> MonotonicTime? {
        var all = callers.values.map(\.deadline)
        if phase != .idle {
            if let loopAt { all.append(loopAt) }
            if let requestAt { all.append(requestAt) }
            if let expiresAt = steering.expiresAt { all.append(expiresAt) }
            if hasNews, let newsAt { all.append(newsAt) }
        }
        return all.min()
    }

    // MARK: Opening

    /// Begins to open, for a caller who waits until `deadline`; one that is open tells so at once.
    package mutating func open(for call: Call, until deadline: MonotonicTime, now: MonotonicTime) {
        if phase == .open { return endings.append(.opened(call, nil)) }
        callers[call] = Caller(begun: now, deadline: deadline)
        used(now: now)
        if phase == .idle {
            phase = .opening
            requestAt = now
            loopAt = now
        }
        advance(now: now)
    }

    /// The program has used the link: as long as it does, the drone is kept from its own failsafe.
    package mutating func used(now: MonotonicTime) { lastUsed = max(now, lastUsed ?? now) }

    /// A caller does not wait any more. What was sent is not taken back.
    package mutating func cancel(_ call: Call) {
        callers[call] = nil
        forget(call)
    }

    private mutating func forget(_ call: Call) {
        takeOff?.calls.removeAll { $0 == call }
        landing?.calls.removeAll { $0 == call }
        emergency?.order.calls.removeAll { $0 == call }
        hovering.removeAll { $0.calls == [call] }
    }

    /// Everybody who waits is told that the link is closed; a drone in the air is told to hover. A landing or an emergency that
    /// does not show yet is sent once more.
    package mutating func close(now: MonotonicTime) {
        if phase != .idle, flight.status != nil {
            steering.release()
            way = nil
            var last: [ATCommand] = [.progressive(nil)]
            if let edge = emergency?.edge {
                if edge.aim == .cut, edge.isHeld { last.insert(.reference(.toggleEmergency), at: 0) }
            } else if landing != nil {
                last.insert(.reference(.land), at: 0)
            }
            // So that the loss of some does not matter.
            for _ in 0..<3 { send(last) }
        }
        for (call, caller) in callers {
            let error = LinkError(.closed, "the link was closed")
            endings.append(caller.name == nil ? .opened(call, error) : .answered(call, .failure(error)))
        }
        callers = [:]
        phase = .idle
    }

    // MARK: Time

    /// Sends what is due, and ends what was not shown in time.
    package mutating func advance(now: MonotonicTime) {
        endLateCallers(now: now)
        guard phase != .idle else { return }
        noticeLoss(now: now)
        if let due = requestAt, due <= now { request(now: now) }
        let isBrakeDue = steering.expiresAt.map { $0 <= now } ?? false
        if isBrakeDue || (loopAt.map { $0 <= now } ?? false) { tick(now: now) }
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
                .timedOut, "the AR.Drone does not show that it obeys '\(name)'",
                hint: "it may have been received: look at the drone")
            endings.append(.answered(call, .failure(error)))
        }
        // Nobody waits for it to open any more.
        if phase == .opening, !callers.values.contains(where: { $0.name == nil }) { phase = .idle }
    }

    private var openingFailure: LinkError {
        guard flight.status != nil else {
            return LinkError(
                .unreachable, "the AR.Drone sends no navigation data",
                hint: "is this computer in its Wi-Fi (ardrone2_...), and UDP port 5554 let in by the firewall?")
        }
        return LinkError(
            .timedOut, "the AR.Drone answers, but does not begin its stream",
            hint: "does another program command it? Only one can")
    }

    private mutating func noticeLoss(now: MonotonicTime) {
        guard !flight.isHeard(within: ARDroneTimes.steeringLoss, now: now) else { return }
        let wasMoving = steering.isMoving
        steering.release()
        if way != nil { tell(.warning, "the goto has ended: nothing is heard of the AR.Drone", now: now) }
        guard wasMoving || way != nil else { return }
        way = nil
        tick(now: now)
    }

    /// Asks for navigation data where none comes, while the program uses the link.
    private mutating func request(now: MonotonicTime) {
        requestAt = now + ARDroneTimes.request
        guard isUsed(now: now), !flight.isHeard(now: now) else { return }
        outgoing.append(.request)
    }

    /// Whether the program runs, or still waits for something.
    func isUsed(now: MonotonicTime) -> Bool {
        takeOff != nil || landing != nil || emergency != nil || lastUsed.map { now - $0 < ARDroneTimes.use } ?? false
    }

    // MARK: Inside

    mutating func send(_ commands: [ATCommand]) {
        for datagram in sequence.datagrams(of: commands) { outgoing.append(.commands(datagram)) }
    }

    mutating func tell(_ severity: VehicleMessage.Severity, _ text: String, now: MonotonicTime) {
        telemetry.append(Sample(VehicleMessage(severity: severity, text: text), at: now))
        hasNews = true
    }

    /// Tells a caller what the drone shows.
    mutating func answer(_ call: Call, _ reply: CommandReply, now: MonotonicTime) {
        guard let caller = callers.removeValue(forKey: call) else { return }
        var reply = reply
        // A trip of no time at all would look like none.
        reply.roundTrip = max(.nanoseconds(1), now - caller.begun)
        endings.append(.answered(call, .success(reply)))
    }

    mutating func answer(_ calls: [Call], accepted: Bool, _ message: String, now: MonotonicTime) {
        for call in calls { answer(call, CommandReply(accepted: accepted, message: message), now: now) }
    }

    mutating func fail(_ call: Call, _ error: LinkError) {
        guard callers.removeValue(forKey: call) != nil else { return }
        endings.append(.answered(call, .failure(error)))
    }
}
