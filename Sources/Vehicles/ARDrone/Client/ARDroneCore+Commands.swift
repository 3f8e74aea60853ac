internal import MachineLink
package import UAVLink

extension ARDroneCore {
    /// Sends a command, or says why not; its caller is told within `timeout`.
    ///
    /// What stops or lands is sent whatever else is wanted, over a lost link too. What moves is sent to a drone that is heard.
    package mutating func perform(_ command: Command, for call: Call, within timeout: Duration, now: MonotonicTime) {
        used(now: now)
        guard phase == .open else {
            let error = LinkError(.notConnected, "the AR.Drone is not connected", hint: "connect first")
            return endings.append(.answered(call, .failure(error)))
        }
        callers[call] = Caller(name: command.name, begun: now, deadline: now + timeout)
        switch command {
        case .hover: hover(for: call, now: now)
        case .land: land(for: call, now: now)
        case .emergencyLand: cut(for: call, now: now)
        case .takeoff: takeOff(for: call, now: now)
        case .goTo(let destination): go(to: destination, for: call, now: now)
        default: fail(call, LinkError(.unsupported, "the AR.Drone has no '\(command.name)'"))
        }
    }

    /// Takes a setpoint.
    ///
    /// - Returns: whether a datagram was sent at once, as for a stop; others go with the control loop, unless a newer one replaces
    ///   them. One that is not followed is dropped: expired, not neutral first, or to a drone that does not fly or is not heard.
    package mutating func steer(_ setpoint: VelocitySetpoint, as sticks: ATSticks, now: MonotonicTime) -> Bool {
        used(now: now)
        statistics.setpoints &+= 1
        tookSetpoint = false
        guard phase == .open, flight.state == .flying, flight.isHeard(within: ARDroneTimes.steeringLoss, now: now),
            takeOff == nil, landing == nil, emergency == nil
        else { return false }
        let wasMoving = steering.isMoving || way != nil
        guard steering.take(setpoint, as: sticks, now: now) else { return false }
        tookSetpoint = true
        way = nil
        // A stop does not wait for its turn.
        guard wasMoving, setpoint.isNeutral else { return false }
        tick(now: now)
        return true
    }

    // MARK: Stops

    private mutating func hover(for call: Call, now: MonotonicTime) {
        stopMoving()
        overruleTakeOff(by: .hover, now: now)
        hovering.append(Order(calls: [call], begun: now))
        tick(now: now)
        guard landing != nil || flight.state == .landing else { return }
        hovering.removeAll { $0.calls == [call] }
        answer([call], accepted: false, "it lands, and cannot be stopped from that", now: now)
    }

    private mutating func land(for call: Call, now: MonotonicTime) {
        stopMoving()
        // It may be taking off, and not show it yet.
        let mayRise = takeOff != nil
        overruleTakeOff(by: .land, now: now)
        let isKnown = flight.isHeard(now: now)
        if isKnown, emergency != nil || flight.isEmergency {
            return answer([call], accepted: false, "its motors are cut", now: now)
        }
        let stands = isKnown && flight.state == .disarmed && !mayRise && landing == nil
        if landing == nil { landing = Order(calls: [], begun: now) }
        if !stands { landing?.calls.append(call) }
        tick(now: now)
        guard stands else { return }
        // It was told all the same, in case its state is a moment old.
        landing = nil
        answer([call], accepted: false, "the AR.Drone stands on the ground", now: now)
    }

    private mutating func cut(for call: Call, now: MonotonicTime) {
        stopMoving()
        overruleTakeOff(by: .emergencyLand, now: now)
        if let overruled = landing {
            landing = nil
            answer(overruled.calls, .overruled(by: Command.emergencyLand.name), now: now)
        }
        if var under = emergency, under.edge.aim == .cut {
            under.order.calls.append(call)
            return emergency = under
        }
        if let under = emergency {
            answer(under.order.calls, .overruled(by: Command.emergencyLand.name), now: now)
            guard under.edge.edges == 0 else {
                return emergency = (ARDroneEmergency(cutAfter: under.edge, now: now), Order(calls: [call], begun: now))
            }
            // Nothing was sent that would clear it.
            emergency = nil
        }
        // A further edge would start what was stopped. What was shown last holds also when nothing is heard.
        if flight.isEmergency, emergency == nil {
            return answer([call], accepted: true, "the motors are cut already", now: now)
        }
        emergency = (ARDroneEmergency(.cut, now: now), Order(calls: [call], begun: now))
        tick(now: now)
    }

    private mutating func answer(_ calls: [Call], _ reply: CommandReply, now: MonotonicTime) {
        for call in calls { answer(call, reply, now: now) }
    }

    private mutating func stopMoving() {
        steering.release()
        way = nil
    }

    private mutating func overruleTakeOff(by newer: Command, now: MonotonicTime) {
        guard let overruled = takeOff else { return }
        takeOff = nil
        answer(overruled.calls, .overruled(by: newer.name), now: now)
    }

    // MARK: Moves

    private mutating func takeOff(for call: Call, now: MonotonicTime) {
        guard flight.isHeard(now: now) else { return fail(call, Self.unheard) }
        if flight.isEmergency, emergency == nil { return clear(for: call, now: now) }
        if let obstacle = obstacleToTakeOff { return answer([call], accepted: false, obstacle, now: now) }
        stopMoving()
        if takeOff == nil {
            takeOff = Order(calls: [], begun: now)
            // The floor is level where it stands: its trim is taken from there, as the guide wants before each flight.
            send([.flatTrim])
        }
        takeOff?.calls.append(call)
        tick(now: now)
    }

    private var obstacleToTakeOff: String? {
        if emergency != nil { return "the emergency bit is on its way" }
        if landing != nil || flight.state == .landing { return "it lands" }
        guard let status = flight.status else { return "its state is not known" }
        if status.contains(.batteryLow) { return "its battery is too low to take off" }
        return flight.state == .disarmed ? nil : "it is in the air already"
    }

    /// Clears an emergency, of a drone that lies still, on its pilot's word only.
    private mutating func clear(for call: Call, now: MonotonicTime) {
        guard flight.liesInEmergency(now: now) else {
            return answer([call], accepted: false, "its motors were cut a moment ago: look at it first", now: now)
        }
        emergency = (ARDroneEmergency(.clear, now: now), Order(calls: [call], begun: now))
        tick(now: now)
    }

    private mutating func go(to destination: Command.Destination, for call: Call, now: MonotonicTime) {
        guard flight.isHeard(now: now) else { return fail(call, Self.unheard) }
        guard emergency == nil, landing == nil, takeOff == nil, flight.state == .flying else {
            return answer([call], accepted: false, "it does not fly", now: now)
        }
        guard let place, now - place.at < ARDroneTimes.position, let compass, now - compass.at < ARDroneTimes.position
        else { return answer([call], accepted: false, obstacleOnTheWay(now: now), now: now) }
        let guidance = ARDroneGuidance(latitude: destination.position.x, longitude: destination.position.y)
        let (metres, bearing) = guidance.way(latitude: place.latitude, longitude: place.longitude)
        guard metres <= ARDroneGuidance.farthest else {
            let error = LinkError(
                .invalidInput, "the place is \(Self.whole(metres)) m away, and the AR.Drone flies 500 m at most",
                hint: "its Wi-Fi does not reach farther")
            return fail(call, error)
        }
        stopMoving()
        way = Way(guidance: guidance, begun: now)
        answer(
            [call], accepted: true,
            "flies \(Self.whole(metres)) m towards \(Self.whole(bearing)) degrees, at the height that it has",
            now: now)
        tick(now: now)
    }

    private static func whole(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? 0 }

    private static let unheard = LinkError(
        .notConnected, "nothing is heard of the AR.Drone", hint: "is this computer still in its Wi-Fi?")
}
