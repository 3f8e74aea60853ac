internal import MachineLink
package import UAVLink

extension TelloClient {
    /// Sends a command, or says why not; its caller is told within `timeout`.
    ///
    /// What stops or lands is sent whatever else is on its way, over a lost link too. What moves is sent to a drone that is
    /// heard and executes nothing else; otherwise it is refused, and not sent.
    package mutating func perform(_ command: Command, for call: Call, within timeout: Duration, now: MonotonicTime) {
        used(now: now)
        guard phase == .open else {
            let error = LinkError(.notConnected, "the Tello is not connected", hint: "connect first")
            return endings.append(.answered(call, .failure(error)))
        }
        callers[call] = Caller(name: command.name, begun: now, deadline: now + timeout)
        if command.stopsOrLands { endPlan(now: now) }
        do throws(LinkError) {
            try begin(try TelloTranslation.command(command, for: version), for: call, now: now)
        } catch {
            fail(call, error)
        }
        advance(now: now)
    }

    /// Sends a command of the drone's own protocol under the same rules, where UAVLink has none for it.
    ///
    /// - Parameter plan: the flight plan of which it is a step; once that was ended, by a stop for example, it is not sent.
    package mutating func perform(
        _ command: TelloCommand, ofPlan plan: UInt64?, for call: Call, within timeout: Duration, now: MonotonicTime
    ) {
        used(now: now)
        guard phase == .open else {
            let error = LinkError(.notConnected, "the Tello is not connected", hint: "connect first")
            return endings.append(.answered(call, .failure(error)))
        }
        callers[call] = Caller(name: command.text, begun: now, deadline: now + timeout)
        do throws(LinkError) {
            if let plan, plan != self.plan {
                throw LinkError(.notInCommand, "the flight plan was ended", hint: "by a stop or a landing")
            }
            try command.validate(for: version)
            if plan == nil, [.stop, .land, .emergency].contains(command) { endPlan(now: now) }
            try begin(command, ofPlan: plan, for: call, now: now)
        } catch {
            fail(call, error)
        }
        advance(now: now)
    }

    private mutating func begin(
        _ command: TelloCommand, ofPlan plan: UInt64? = nil, for call: Call, now: MonotonicTime
    ) throws(LinkError) {
        switch command {
        case .stop, .sticks: hover(for: call, now: now)
        case .emergency: stopMotors(for: call, now: now)
        case .land: beginLanding(for: call, now: now)
        case .video(false): endVideo(for: call, now: now)
        case .command, .read:
            throw LinkError(.invalidInput, "'\(command.text)' is sent by the link itself")
        default: try move(command, ofPlan: plan, for: call, now: now)
        }
    }

    /// Takes a setpoint.
    ///
    /// - Returns: whether its sticks were sent at once; others are sent within ``TelloTimes/sticks``, unless a newer one
    ///   replaces them. One that is not followed is dropped: expired, not neutral first, while the drone executes a command, or
    ///   while it is not heard.
    package mutating func steer(_ setpoint: VelocitySetpoint, as sticks: TelloSticks, now: MonotonicTime) -> Bool {
        used(now: now)
        statistics.setpoints &+= 1
        tookSetpoint = false
        let isHeard = lastHeard.map { now - $0 < TelloTimes.steeringLoss } == true
        guard phase == .open, isHeard, expectations[.move] == nil, landing == nil, expectations[.emergency] == nil,
            plan == nil, !stopsOnly
        else {
            return false
        }
        tookSetpoint = steering.take(setpoint, as: sticks, now: now)
        guard tookSetpoint, let due = steering.due(now: now) else { return false }
        outgoing.append(.sticks(due))
        return true
    }

    // MARK: Stops

    private mutating func hover(for call: Call, now: MonotonicTime) {
        dropLanding(for: .hover)
        releaseSticks()
        guard version.hasStop else {
            // Its only stop has no answer: that the drone hears at all is shown by the next one to a question.
            for _ in 0..<TelloTimes.urgentCopies { outgoing.append(.sticks(.neutral)) }
            hovering.append(call)
            _ = expectations.giveUp(.question)
            return send(.read(.battery), now: now, until: now + TelloTimes.answer)
        }
        urgently(.stop, every: TelloTimes.stopPeriod, for: [call], now: now)
    }

    private mutating func stopMotors(for call: Call, now: MonotonicTime) {
        dropLanding(for: .emergencyLand)
        _ = steering.release()
        if let ended = expectations.end(.move, now: now) { abandon(ended, for: .emergencyLand) }
        flight.emergencySent(now: now)
        urgently(.emergency, every: TelloTimes.emergencyPeriod, for: [call], now: now)
        report(now: now)
    }

    private mutating func urgently(
        _ command: TelloCommand, every period: Duration, for calls: [Call], now: MonotonicTime
    ) {
        send(command, for: calls, now: now, until: now + TelloTimes.move)
        repetitions.removeAll { $0.command == command }
        repetitions.append(
            Repetition(command: command, left: TelloTimes.urgentCopies - 1, period: period, nextAt: now + period))
    }

    // MARK: Landing

    private mutating func beginLanding(for call: Call, now: MonotonicTime) {
        releaseSticks()
        if landing != nil {
            landing?.calls.append(call)
            return
        }
        // The answer to the move that still runs must not be taken for the landing's.
        // A ground that only stops and lands does not know of it: the other one has sent it.
        let mayMove = expectations[.move].map { $0.command != .land } ?? stopsOnly
        guard mayMove, version.hasStop else { return land(for: [call], now: now) }
        landing = Landing(calls: [call], at: now + TelloTimes.stopBeforeLanding)
        urgently(.stop, every: TelloTimes.stopPeriod, for: [], now: now)
    }

    mutating func land(for calls: [Call], now: MonotonicTime) {
        landing = nil
        if let running = expectations[.move], running.command != .land, let given = expectations.giveUp(.move) {
            abandon(given, for: .land)
        }
        flight.landingSent(now: now)
        send(.land, for: calls, now: now, until: now + TelloFlight.longestLanding)
        landAgainAt = now + TelloTimes.landAgain
        report(now: now)
    }

    /// A landing is no move that must not be repeated: one that may have been refused unnoticed is sent again, until it shows.
    mutating func landAgain(now: MonotonicTime) {
        guard mayLandAgain, landAgainAt <= now, let pending = expectations[.move] else { return }
        landAgainAt = now + TelloTimes.landAgain
        send(.land, now: now, until: pending.until)
    }

    /// Whether a landing is on its way whose answer would say nothing, and the drone does not show it.
    var mayLandAgain: Bool {
        guard let pending = expectations[.move] else { return false }
        return pending.command == .land && pending.isContested && !flight.showsLanding && flight.state != .disarmed
    }

    /// A landing that waits is not sent after what is newer.
    private mutating func dropLanding(for newer: Command) {
        guard let dropped = landing else { return }
        landing = nil
        for call in dropped.calls { answer(call, .overruled(by: newer.name)) }
    }

    // MARK: Moves

    private mutating func move(
        _ command: TelloCommand, ofPlan plan: UInt64?, for call: Call, now: MonotonicTime
    ) throws(LinkError) {
        // The video moves nothing.
        let isVideo = command == .video(true)
        if stopsOnly, !isVideo { throw Self.onlyStops }
        guard isConnected(now: now) || isVideo else {
            throw LinkError(
                .notConnected, "nothing is heard of the Tello", hint: "is this computer still in its Wi-Fi?")
        }
        if let obstacle = obstacle(to: command, ofPlan: plan) {
            return answer(call, CommandReply(accepted: false, message: obstacle))
        }
        releaseSticks()
        if command == .takeoff { flight.takeOffSent(now: now) }
        send(command, for: [call], now: now, until: now + Self.longestAnswer(to: command))
        report(now: now)
    }

    private static func longestAnswer(to command: TelloCommand) -> Duration {
        if command == .takeoff { return TelloFlight.longestTakeOff }
        return command.isSetting ? TelloTimes.setting : TelloTimes.move
    }

    /// Why a command that moves the drone is not sent; `nil` if it is.
    private func obstacle(to command: TelloCommand, ofPlan plan: UInt64?) -> String? {
        if self.plan != plan { return "a flight plan is flown: hover first, which ends it" }
        if let running = expectations[.move] {
            return "the Tello has not answered '\(running.command.text)' yet: it executes one command at a time"
        }
        if landing != nil || flight.state == .landing { return "the Tello lands" }
        if expectations[.emergency] != nil { return "the Tello's motors are being stopped" }
        if let owed = expectations.owedCommand {
            return "an answer to '\(owed.text)' may still come: try again in a moment"
        }
        if case .join = command {
            return flight.state == .disarmed ? nil : "it restarts for that, and is not known to stand on the ground"
        }
        if command.isSetting { return nil }
        if command == .takeoff, plan == nil || flight.state.isAirborne { return mode.takeOffObstacle }
        if command == .takeoff { return nil }
        return flight.state == .disarmed ? "the Tello stands on the ground" : nil
    }

    private mutating func releaseSticks() {
        if steering.release() { outgoing.append(.sticks(.neutral)) }
    }

    // MARK: Callers

    /// Tells a caller the drone's answer.
    mutating func answer(_ call: Call, _ reply: CommandReply, now: MonotonicTime? = nil) {
        guard let caller = callers.removeValue(forKey: call) else { return }
        var reply = reply
        // A trip of no time at all would look like none.
        reply.roundTrip = max(.nanoseconds(1), now.map { $0 - caller.begun } ?? .zero)
        endings.append(.answered(call, .success(reply)))
    }

    mutating func fail(_ call: Call, _ error: LinkError) {
        guard callers.removeValue(forKey: call) != nil else { return }
        endings.append(.answered(call, .failure(error)))
    }

    /// The callers of a command whose answer would not say what the drone does.
    mutating func abandon(_ pending: TelloExpectations.Pending, for newer: Command) {
        for call in pending.calls {
            fail(
                call,
                LinkError(
                    .timedOut, "'\(newer.name)' was sent before the Tello had answered '\(pending.command.text)'",
                    hint: "look at what the drone does"))
        }
    }
}
