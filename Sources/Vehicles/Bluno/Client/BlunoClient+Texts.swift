package import UAVLink

extension BlunoClient {
    // MARK: Texts

    /// Sends the speed alone; the last of many is always sent. It moves nothing, so a stop is repeated as before.
    package mutating func send(speed: Int, now: MonotonicTime) throws(LinkError) {
        try requireReady()
        change(speed: program.limited(speed), now)
    }

    /// Starts a task; what was held has to be released.
    package mutating func start(_ task: RobotTask, now: MonotonicTime) throws(LinkError) {
        try requireReady()
        if let problem = RobotProgram.problem(task) { throw LinkError(.invalidInput, problem) }
        if task.text == program.stopTask { return try stop(now: now) }
        if motion != nil { mustRelease = true }
        (motion, robot.direction) = (nil, nil)
        outbox.dropMotion()
        try queue(Array(task.text.utf8))
        robot.task = task
    }

    /// Sends bytes as they are.
    package mutating func send(_ bytes: [UInt8], now: MonotonicTime) throws(LinkError) {
        try requireReady()
        guard !bytes.isEmpty, bytes.count <= RobotProgram.longestText else {
            throw LinkError(.invalidInput, "the text has \(bytes.count) bytes, not 1 to \(RobotProgram.longestText)")
        }
        try queue(bytes)
        if RobotProgram.Key.allCases.contains(where: { program.bytes($0) == bytes }) { return }
        // Nobody knows what it does. If it is a task, that is the one; else it may have left task Remote, and a stop that took it
        // to be in that would not stop it.
        robot.task = program.tasks.first { Array($0.text.utf8) == bytes }
    }

    private mutating func queue(_ bytes: [UInt8]) throws(LinkError) {
        guard outbox.append(bytes) else {
            throw LinkError(
                .unreachable, "the robot takes nothing: \(outbox.waitingBytes) bytes wait", hint: "check its cable")
        }
        (stopRepeats, hasChanged) = (nil, true)
    }

    // MARK: What comes

    /// Bytes have come.
    package mutating func receive(_ bytes: some Sequence<UInt8>, now: MonotonicTime) {
        for line in lines.take(bytes) { take(line, now) }
        lineEndsAt = lines.isOpen ? now + BlunoTimes.linePause : nil
    }

    mutating func endLine(_ now: MonotonicTime) {
        lineEndsAt = nil
        if let line = lines.end() { take(line, now) }
    }

    private mutating func take(_ line: [UInt8], _ now: MonotonicTime) {
        receivedLines &+= 1
        log.add(.received, line, now)
        let text = String(decoding: line, as: UTF8.self)
        robot.lastLine = Sample(text, at: now)
        switch BlunoAnswer(line) {
        case .battery(let charge): telemetry.battery = Sample(Battery(remaining: charge), at: now)
        case .text: telemetry.append(Sample(VehicleMessage(severity: .information, text: text), at: now))
        }
        (hasChanged, hasNews) = (true, true)
    }
}
