package import UAVLink

/// The state of a link to a robot as a value: what is to be sent, what has come, and when something is due. Time comes from outside.
///
/// - A held direction is repeated every ``BlunoTimes/repetition`` while it is held, and stops when its hold runs out.
/// - A stop goes before everything, and drops the rest; it is sent ``BlunoTimes/stops`` times, unless something newer than a
///   speed is sent.
/// - After a loss, and after a hold that ran out, nothing moves before it was released.
package struct BlunoClient: Sendable {
    struct Motion: Sendable {
        var direction: RobotDirection
        var until: MonotonicTime
        var repeatsAt: MonotonicTime
    }

    /// The texts of the robot's program.
    package let program: RobotProgram
    /// What is known of it.
    package internal(set) var robot = RobotState()
    /// Its telemetry: the battery and its lines.
    package internal(set) var telemetry: Telemetry
    /// Lines that have come on this connection.
    package internal(set) var receivedLines: UInt64 = 0

    var outbox = BlunoOutbox()
    var motion: Motion?
    var mustRelease = true
    private var speedAt = MonotonicTime(nanoseconds: .min)
    /// A speed that waits for its time.
    var pendingSpeed: Int?
    var stopRepeats: (left: Int, at: MonotonicTime, bytes: [UInt8])?
    private var readyAt: MonotonicTime?
    private let settling: Duration
    var lines = BlunoLines()
    var lineEndsAt: MonotonicTime?
    var log = BlunoLog()
    var hasChanged = false
    var hasNews = false

    /// A robot that is not connected.
    package init(vehicle: String, program: RobotProgram, settling: Duration = BlunoTimes.settling) {
        self.program = program
        self.settling = settling
        telemetry = Telemetry(vehicle: vehicle)
    }

    // MARK: The connection

    /// The transport is open. The key's stop leaves at once, for a board that was not reset, and again when it has started: what
    /// another program drove ends, and a task that the robot carries out by itself goes on.
    ///
    /// - Parameter mayStart: whether the opening may have reset the board.
    package mutating func opened(_ name: String, mayStart: Bool = true, now: MonotonicTime) {
        forget()
        robot.phase = .starting
        readyAt = mayStart ? now + settling : now
        outbox.stop(program.bytes(.stop))
        let start = mayStart ? "; a board that starts anew is ready after \(settling.inSeconds) s" : ""
        note("\(name) is open\(start)", now)
    }

    /// The key's stop, before the board is left for another one, or for none.
    package mutating func leave() { outbox.stop(program.bytes(.stop)) }

    /// The board was left: nothing is tried again until one is chosen.
    package mutating func left(_ words: String, now: MonotonicTime) {
        endLine(now)
        forget()
        robot.phase = .closed
        note(words, now)
    }

    /// The transport has failed, and is tried again.
    package mutating func lost(_ why: String, now: MonotonicTime) {
        if case .lost(why) = robot.phase { return }
        endLine(now)
        forget()
        robot.phase = .lost(why)
        note("lost: \(why)", now)
    }

    /// The link is closed. What is driven by the keys stops before; a task that the robot carries out by itself goes on.
    package mutating func close(now: MonotonicTime) {
        let isReached = robot.phase == .ready || robot.phase == .starting
        // Not an empty outbox first: it knows whether a text was cut in two, which the stop has to end.
        outbox.stop(program.bytes(.stop))
        forget(keepingStop: isReached)
        robot.phase = .closed
        note("closed", now)
    }

    private mutating func forget(keepingStop: Bool = false) {
        if !keepingStop { outbox.clear() }
        (motion, pendingSpeed, stopRepeats, readyAt, lineEndsAt) = (nil, nil, nil, nil, nil)
        (robot.task, robot.direction, robot.speed) = (nil, nil, nil)
        (lines, mustRelease, receivedLines) = (BlunoLines(), true, 0)
        hasChanged = true
    }

    /// - Throws: why nothing can be sent.
    func requireReady() throws(LinkError) {
        switch robot.phase {
        case .ready: return
        case .closed: throw LinkError(.notConnected, "the robot is not connected", hint: "connect first")
        case .starting: throw LinkError(.notConnected, "the board may still be starting", hint: "wait two seconds")
        case .lost(let why): throw LinkError(.notConnected, why, hint: "it is tried again every second")
        }
    }

    // MARK: Moving

    /// Drives in a direction until `until` at most.
    ///
    /// - Returns: whether it drives; `false` if it must be released first.
    package mutating func hold(
        _ direction: RobotDirection, speed: Int, until: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> Bool {
        try requireReady()
        guard !mustRelease, until > now else { return false }
        enterRemoteTask(now)
        change(speed: program.limited(speed), now)
        if motion?.direction == direction {
            motion?.until = until
        } else {
            motion = Motion(direction: direction, until: until, repeatsAt: now + BlunoTimes.repetition)
            outbox.move(program.bytes(direction))
            robot.direction = direction
        }
        (stopRepeats, hasChanged) = (nil, true)
        return true
    }

    /// Ends what is held; the robot stops.
    package mutating func release(now: MonotonicTime) {
        mustRelease = false
        guard motion != nil else { return }
        endMotion(program.bytes(.stop), now)
    }

    /// Stops it, whatever it does.
    package mutating func stop(now: MonotonicTime) throws(LinkError) {
        // A board that may be starting gets it too: it may run already.
        if robot.phase != .starting { try requireReady() }
        mustRelease = true
        endMotion(stopBytes, now)
        // The task in which it stands ends the others.
        if let stopTask = program.stopTask, robot.task?.text != program.remoteTask {
            robot.task = program.task(stopTask)
        }
    }

    private mutating func endMotion(_ bytes: [UInt8], _ now: MonotonicTime) {
        (motion, pendingSpeed, robot.direction, hasChanged) = (nil, nil, nil, true)
        outbox.stop(bytes)
        stopRepeats = (BlunoTimes.stops - 1, now + BlunoTimes.stopRepetition, bytes)
    }

    /// The key's stop, and the task in which it stands unless it obeys the keys.
    private var stopBytes: [UInt8] {
        let key = program.bytes(.stop)
        guard let stopTask = program.stopTask, robot.task == nil || robot.task?.text != program.remoteTask else {
            return key
        }
        return key + Array(stopTask.utf8)
    }

    /// A robot obeys the keys in one of its tasks only.
    private mutating func enterRemoteTask(_ now: MonotonicTime) {
        guard let remote = program.remoteTask, robot.task?.text != remote else { return }
        guard outbox.append(Array(remote.utf8)) else { return }
        robot.task = program.task(remote)
    }

    mutating func change(speed: Int, _ now: MonotonicTime) {
        guard speed != robot.speed || pendingSpeed != nil else { return }
        guard now >= speedAt + BlunoTimes.speedPeriod else {
            pendingSpeed = speed
            return
        }
        guard outbox.append(program.bytes(speed: speed)) else { return }
        (robot.speed, pendingSpeed, speedAt, hasChanged) = (speed, nil, now, true)
    }

    // MARK: What is due

    /// Does what is due.
    package mutating func advance(now: MonotonicTime) {
        if let at = lineEndsAt, now >= at { endLine(now) }
        if let at = readyAt, now >= at {
            (readyAt, robot.phase, hasChanged) = (nil, .ready, true)
            outbox.stop(program.bytes(.stop))
            note("ready", now)
        }
        if let repeats = stopRepeats, now >= repeats.at {
            // Of texts only a speed may have come since the stop, which is sent again.
            if outbox.hasTexts { (pendingSpeed, robot.speed) = (pendingSpeed ?? robot.speed, nil) }
            outbox.stop(repeats.bytes)
            stopRepeats =
                repeats.left > 1 ? (repeats.left - 1, now + BlunoTimes.stopRepetition, repeats.bytes) : nil
        }
        if let moving = motion, now >= moving.until {
            mustRelease = true
            endMotion(program.bytes(.stop), now)
            note("stopped: the direction was not held any longer", now)
        }
        if let speed = pendingSpeed, now >= speedAt + BlunoTimes.speedPeriod { change(speed: speed, now) }
        if let moving = motion, now >= moving.repeatsAt {
            outbox.move(program.bytes(moving.direction))
            motion?.repeatsAt = now + BlunoTimes.repetition
        }
    }

    /// When something is due next; `nil` if nothing is.
    package var nextDeadline: MonotonicTime? {
        [
            lineEndsAt, readyAt, stopRepeats?.at, motion?.until, motion?.repeatsAt,
            pendingSpeed.map { _ in speedAt + BlunoTimes.speedPeriod },
        ].compactMap(\.self).min()
    }

    // MARK: What leaves

    /// Whether a stop waits for the transport.
    package var hasStop: Bool { outbox.hasStop }

    /// The next bytes to give to the transport; to be followed by ``wrote(_:of:now:)``.
    ///
    /// - Parameter underWay: the bytes that the transport has taken and that have not left.
    package mutating func next(underWay: Int) -> (bytes: [UInt8], isStop: Bool)? {
        outbox.next(underWay: underWay).map { ($0.bytes, $0.isStop) }
    }

    /// The bytes before a stop that had not left were discarded.
    package mutating func noteDiscarded() { outbox.noteDiscarded() }

    /// The transport has taken so many of these bytes.
    package mutating func wrote(_ count: Int, of bytes: [UInt8], now: MonotonicTime) {
        outbox.wrote(count)
        if count > 0 { log.add(.sent, Array(bytes.prefix(count)), now) }
        hasChanged = true
    }

    // MARK: News

    /// The newest lines of the log after that number.
    package func log(after number: UInt64) -> [RobotLogLine] { log.lines(after: number) }

    /// The state with what waits.
    package var state: RobotState {
        var state = robot
        state.waitingBytes = outbox.waitingBytes
        return state
    }

    /// Whether something has changed since the last call.
    package mutating func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    /// Telemetry, if it has changed since the last call.
    package mutating func takeNews() -> Telemetry? {
        guard hasNews else { return nil }
        hasNews = false
        return telemetry
    }

    private mutating func note(_ words: String, _ now: MonotonicTime) {
        log.add(.status, Array(words.utf8), now)
        hasChanged = true
    }
}
