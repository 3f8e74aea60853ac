package import UAVLink

extension TelloClient {
    /// A flight plan begins: until it ends, moves that are no steps of it are refused, and sticks are not followed.
    ///
    /// - Returns: its number, which each of its steps names.
    /// - Throws: ``UAVLink/LinkError`` if the link is not open or does not hear the drone, another plan is flown, or the
    ///   drone is in the air.
    package mutating func beginPlan(now: MonotonicTime) throws(LinkError) -> UInt64 {
        used(now: now)
        if stopsOnly { throw Self.onlyStops }
        guard isConnected(now: now) else {
            throw LinkError(.notConnected, "nothing is heard of the Tello", hint: "is this computer in its Wi-Fi?")
        }
        guard plan == nil else { throw LinkError(.notInCommand, "another flight plan is flown already") }
        guard !flight.state.isAirborne, landing == nil else {
            throw LinkError(.notInCommand, "the Tello is in the air: a plan begins on the ground", hint: "land first")
        }
        editPlan(false, now: now)
        lastPlan &+= 1
        plan = lastPlan
        tell(.information, "a flight plan begins", now: now)
        report(now: now)
        return lastPlan
    }

    /// A flight plan has ended; nothing happens if it had ended before, or a newer one is flown.
    package mutating func endPlan(_ number: UInt64, now: MonotonicTime) {
        if plan == number { endPlan(now: now) }
    }

    /// What stops or lands the drone, whoever asks for it, ends the plan: a step that is sent later is refused.
    mutating func endPlan(now: MonotonicTime) {
        guard plan != nil else { return }
        plan = nil
        tell(.information, "the flight plan has ended", now: now)
        enter(.planEnded)
        report(now: now)
    }

    /// A plan is edited from now on, or not any more. That is a state only of a drone that nobody flies: in any other it has no effect.
    package mutating func editPlan(_ isEdited: Bool, now: MonotonicTime) {
        guard isEdited != (mode == .planning) else { return }
        enter(isEdited ? .planOpened : .planClosed)
        guard !isEdited else { return }
        // What was lost while the plan was edited is lost now.
        if !isConnected(now: now) { enter(.lost) }
        if phase == .open { report(now: now) }
    }

    /// Whether a move would be sent at once: none is on its way, and no late answer may still come.
    package var isReadyForStep: Bool {
        expectations[.move] == nil && expectations.owedCommand == nil && landing == nil
            && expectations[.emergency] == nil
    }

    /// The drone's state does not come here: another program of this computer, or another link of this one, receives it and flies
    /// the drone.
    package mutating func restrictToStops(because reason: String, now: MonotonicTime) {
        stopsOnly = true
        tell(.warning, "\(reason): this link only stops and lands the Tello, and sees no state of it", now: now)
    }

    static let onlyStops = LinkError(
        .notInCommand, "another program or link of this computer receives the Tello's state and flies it",
        hint: "from here it can be stopped and landed; end the other one to fly it")
}
