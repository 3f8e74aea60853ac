internal import MachineLink
package import UAVLink

extension ARDroneCore {
    /// A datagram of navigation data.
    package mutating func receive(_ bytes: some Collection<UInt8>, now: MonotonicTime) {
        guard phase != .idle else { return }
        let navdata: Navdata
        do throws(NavdataError) { navdata = try Navdata(bytes) } catch { return statistics.unread &+= 1 }
        let wasSilent = !flight.isHeard(within: ARDroneTimes.linkLoss, now: now)
        // After the watchdog, the bootstrap and a loss the drone counts from 1 again; else an older one is late.
        let restarts = navdata.status.contains(.watchdog) || navdata.status.contains(.bootstrap)
        guard navdata.sequence > newestSequence || restarts || wasSilent || lateInARow >= Self.mostLate else {
            lateInARow += 1
            return statistics.late &+= 1
        }
        (newestSequence, lateInARow) = (navdata.sequence, 0)
        if wasSilent { sequence.restart() }
        flight.take(navdata, now: now)
        statistics.count(now: now)
        watchTraffic(navdata.status, now: now)
        configure(navdata, wasSilent: wasSilent, now: now)
        note(navdata, now: now)
        lookForEffects(now: now)
        reportChanges(now: now)
        advance(now: now)
    }

    /// Bytes of the configuration, from the control channel.
    package mutating func receiveConfiguration(_ dump: [String: String], now: MonotonicTime) {
        configurator.take(dump, now: now)
        advance(now: now)
    }

    /// The control channel is open.
    package mutating func controlOpened(now: MonotonicTime) {
        guard let command = configurator.controlOpened() else { return }
        send([command])
    }

    /// So many late packets without another one are no late ones: the drone has begun to count again, and what said so was lost.
    private static let mostLate = 5

    private mutating func watchTraffic(_ status: ARDroneStatus, now: MonotonicTime) {
        guard status.contains(.watchdog) else {
            starvedSince = nil
            return
        }
        mustResetWatchdog = true
        if isUsed(now: now) { starvedSince = starvedSince ?? now } else { starvedSince = nil }
    }

    private mutating func configure(_ navdata: Navdata, wasSilent: Bool, now: MonotonicTime) {
        let isBootstrap = navdata.status.contains(.bootstrap)
        if isBootstrap, configurator.isDone || wasSilent {
            configurator.begin(ARDroneSettings.wanted(inFlight: flight.state.isAirborne), now: now)
        } else {
            configurator.take(navdata.status, now: now)
        }
        guard phase == .opening, !isBootstrap, navdata.demo != nil else { return }
        opened(now: now)
    }

    private mutating func opened(now: MonotonicTime) {
        phase = .open
        // Another program had begun the stream already.
        if configurator.isDone, configurator.known.isEmpty {
            configurator.begin(ARDroneSettings.wanted(inFlight: flight.state.isAirborne), now: now)
        }
        for (call, caller) in callers where caller.name == nil {
            callers[call] = nil
            endings.append(.opened(call, nil))
        }
        if flight.isEmergency {
            tell(
                .warning, "the AR.Drone was in an emergency already: a take-off only clears it, another one flies",
                now: now)
        } else if flight.state.isAirborne {
            tell(.warning, "the AR.Drone was in the air already: it hovers", now: now)
        }
    }

    private mutating func note(_ navdata: Navdata, now: MonotonicTime) {
        if let magnetometer = navdata.magnetometer, magnetometer.isCalibrated,
            let degrees = magnetometer.fusedDegrees ?? magnetometer.headingDegrees, abs(degrees) <= 360
        {
            compass = (degrees, now)
        }
        if let gps = navdata.gps, gps.hasFix {
            place = Place(latitude: gps.latitudeDegrees, longitude: gps.longitudeDegrees, at: now)
        }
        let heading = compass.flatMap { now - $0.at < ARDroneTimes.position ? $0.degrees : nil }
        telemetry.take(navdata, heading: heading, at: now)
        if let rates = statistics.rates(now: now) { telemetry.topicRates = rates }
        let state = flight.state
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state.isAirborne && state != .emergency, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        hasNews = true
    }

    /// What the state shows of what was commanded.
    private mutating func lookForEffects(now: MonotonicTime) {
        let state = flight.state
        if let under = emergency, now >= under.edge.tellsFrom, flight.isEmergency == (under.edge.aim == .cut) {
            emergency = nil
            // The drone stands or falls; the bit is not left set for whoever commands it next.
            if under.edge.edges > 0 { send([.reference(.land)]) }
            switch under.edge.aim {
            case .cut: answer(under.order.calls, accepted: true, "the motors are cut, as its state shows", now: now)
            case .clear:
                // Not a word of its own in UAVLink: the take-off that was asked for is not flown without another one.
                answer(
                    under.order.calls, accepted: false,
                    "the emergency is cleared; take off again if it lies level and free", now: now)
            }
        }
        if flight.isEmergency { endOrders("the motors are cut", now: now) }
        if let order = takeOff, state == .takingOff || state == .flying {
            takeOff = nil
            answer(order.calls, accepted: true, "takes off, as its state shows", now: now)
        }
        if let order = landing {
            // A drone that was just told to take off shows the ground a moment longer.
            let hasLanded = state == .disarmed && now - order.begun >= ARDroneTimes.fresh
            if state == .landing || hasLanded {
                answer(order.calls, accepted: true, "lands, as its state shows", now: now)
                landing?.calls = []
            }
            if hasLanded { landing = nil }
        }
        if state != .flying { steering.release() }
        guard !hovering.isEmpty, !flight.isCommandSilent else { return }
        for order in hovering where now - order.begun >= ARDroneTimes.evidence {
            let obstacle = obstacleToHover
            answer(order.calls, accepted: obstacle == nil, obstacle ?? "hovers: commands arrive", now: now)
        }
        hovering.removeAll { now - $0.begun >= ARDroneTimes.evidence }
    }

    /// Why a hover is none, though it was sent.
    private var obstacleToHover: String? {
        if flight.isEmergency { return "its motors are cut" }
        return flight.state == .disarmed ? "the AR.Drone stands on the ground" : nil
    }

    /// Take-off and landing are over: the drone does not obey them now.
    private mutating func endOrders(_ why: String, now: MonotonicTime) {
        for order in [takeOff, landing].compactMap(\.self) { answer(order.calls, accepted: false, why, now: now) }
        (takeOff, landing, way) = (nil, nil, nil)
        steering.release()
    }

    /// Says in words what has changed.
    private mutating func reportChanges(now: MonotonicTime) {
        if let status = flight.status, status != lastStatus {
            for warning in ARDroneStatus.warnings where status.contains(warning.bit) {
                if lastStatus?.contains(warning.bit) ?? false { continue }
                tell(warning.bit == .emergency ? .error : .warning, warning.words, now: now)
            }
            if lastStatus?.contains(.emergency) ?? false, !status.contains(.emergency) {
                tell(.information, "the emergency is cleared", now: now)
            }
            lastStatus = status
        }
        if let control = flight.control, control != lastControl {
            if control.isRemarkable { tell(.information, control.words, now: now) }
            lastControl = control
        }
    }
}

extension ARDroneFlight {
    /// Whether the drone says that no command has come for 50 ms.
    var isCommandSilent: Bool { status?.contains(.watchdog) ?? true }
}
