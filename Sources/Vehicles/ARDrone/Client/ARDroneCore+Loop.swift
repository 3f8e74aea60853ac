internal import UAVLink

extension ARDroneCore {
    /// The control loop: one datagram of what is urgent, one of the sticks, one of the rest.
    mutating func tick(now: MonotonicTime) {
        // A fixed rate; what was missed is not caught up, and one that came early delays none.
        let next = max((loopAt ?? now) + ARDroneTimes.loop, now + ARDroneTimes.loop / 2)
        loopAt = min(next, now + ARDroneTimes.loop)
        endLateOrders(now: now)
        // Before its state is known nothing that is sent could be known to be harmless.
        guard flight.status != nil else { return steering.release() }
        guard isUsed(now: now) else { return fallSilent() }
        hoversLeft = ARDroneTimes.hovers
        if let since = starvedSince, now - since >= ARDroneTimes.starved {
            // Another program's counter is ahead, or the datagram that began ours was lost.
            sequence.restart()
            starvedSince = now
        }
        if mustResetWatchdog {
            mustResetWatchdog = false
            send([.resetWatchdog])
        }
        for reference in references(now: now) { send([.reference(reference)]) }
        send([.progressive(sticks(now: now))])
        // While something is urgent the configuration waits.
        guard emergency == nil, landing == nil else { return }
        send(configurator.due(now: now))
        for complaint in configurator.complaints { tell(.warning, complaint, now: now) }
        configurator.complaints = []
    }

    /// The program hangs, or nobody flies: the drone hovers, and then its own failsafe takes over. Until that it would fly on by
    /// the last sticks.
    private mutating func fallSilent() {
        steering.release()
        way = nil
        guard hoversLeft > 0 else { return }
        hoversLeft -= 1
        send([.progressive(nil)])
    }

    private mutating func references(now: MonotonicTime) -> [ATReference] {
        if var under = emergency {
            defer { emergency = under }
            return under.edge.references(heardAt: flight.isHeard(now: now) ? flight.heardAt : nil, now: now)
        }
        if landing != nil { return [.land] }
        return takeOff == nil ? [] : [.takeOff]
    }

    /// The sticks now; `nil` to hover.
    private mutating func sticks(now: MonotonicTime) -> ATSticks? {
        guard emergency == nil, landing == nil, takeOff == nil else {
            steering.release()
            return nil
        }
        if steering.isSteering { return steering.sticks(now: now) }
        return followWay(now: now)
    }

    private mutating func followWay(now: MonotonicTime) -> ATSticks? {
        guard let under = way else { return nil }
        guard let place, now - place.at < ARDroneTimes.position, let compass,
            now - compass.at < ARDroneTimes.position, flight.state == .flying,
            now - under.begun < ARDroneTimes.goTo
        else {
            way = nil
            tell(.warning, "the goto has ended: \(obstacleOnTheWay(now: now)); the AR.Drone hovers", now: now)
            return nil
        }
        let (metres, bearing) = under.guidance.way(latitude: place.latitude, longitude: place.longitude)
        let sticks = ARDroneGuidance.sticks(metres: metres, bearing: bearing, heading: compass.degrees)
        if sticks == nil {
            way = nil
            tell(.information, "the goto has arrived; the AR.Drone hovers", now: now)
        }
        return sticks
    }

    /// Why a goto cannot be flown on.
    func obstacleOnTheWay(now: MonotonicTime) -> String {
        if flight.state != .flying { return "the AR.Drone does not fly" }
        guard let place, now - place.at < ARDroneTimes.position else { return "no satellite fix" }
        guard let compass, now - compass.at < ARDroneTimes.position else { return "no calibrated magnetometer" }
        return "it has taken too long"
    }

    private mutating func endLateOrders(now: MonotonicTime) {
        if let order = takeOff, now - order.begun >= ARDroneTimes.takeOff {
            takeOff = nil
            for call in order.calls {
                fail(
                    call,
                    LinkError(
                        .timedOut, "the AR.Drone has not taken off",
                        hint: "it refuses silently: is it level, its battery charged, and no propeller blocked?"))
            }
        }
        if let order = landing, now - order.begun >= ARDroneTimes.landing {
            landing = nil
            let error = LinkError(.timedOut, "the AR.Drone does not show that it landed", hint: "look at the drone")
            for call in order.calls { fail(call, error) }
        }
        // Not for ever, and to start it again not often: one edge too many is worse than one too few.
        guard let under = emergency,
            now - under.order.begun >= ARDroneTimes.landing || (under.edge.aim == .clear && under.edge.edges > 3)
        else { return }
        emergency = nil
        let error = LinkError(.timedOut, "the AR.Drone does not follow the emergency bit", hint: "look at the drone")
        for call in under.order.calls { fail(call, error) }
    }
}
