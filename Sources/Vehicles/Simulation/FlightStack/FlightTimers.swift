internal import UAVLink

extension HexacopterSimulator {
    /// Updates timeouts and counters.
    mutating func updateSwitches() {
        if stack.isOutputEnabled { stack.lastOutputAt = seconds }
        if stack.isOffboard, let last = stack.lastOutputAt, seconds - last > StackState.Timing.offboardTimeout {
            stack.isOffboard = false
        }
        // A take-off needs offboard mode: the radio has ended it.
        if tracker != nil, !stack.status.isOffboard { endFlight() }
        if tracker != nil { stack.flightSeconds += Self.tickSeconds }
    }

    /// Lets the autopilot's status follow its switches.
    mutating func updateStatus() {
        let switches = StackState.Switches(isArmed: stack.isArmed, isOffboard: stack.isOffboard)
        guard switches != stack.status else {
            stack.statusDiffersSince = nil
            return
        }
        let since = stack.statusDiffersSince ?? stepCount
        guard stepCount - since >= StackState.Timing.statusSteps else {
            stack.statusDiffersSince = since
            return
        }
        (stack.status, stack.statusDiffersSince) = (switches, nil)
    }

    /// The state machine of take-off, flight and landing.
    mutating func updateFlight() {
        thrustShare = 1
        switch stack.phase {
        case .grounded: break
        case .takingOff(let since, let isClimbing):
            let goes = seconds - since - StackState.Timing.takeoffCallSeconds
            thrustShare = min(1, max(0.05, goes / StackState.Timing.runUp))
            if !isClimbing, goes >= StackState.Timing.runUp {
                climb(since: since)
            } else if isClimbing, tracker?.hasGoal == false {
                stack.phase = .flying
                stack.callbacksEnabled = true
            }
        case .flying:
            updatePirouette()
            checkControlError()
        case .emergencyHover: checkControlError()
        case .flyingHome(let isHeld):
            checkControlError()
            if !isHeld, tracker?.hasGoal == false, tracker?.isIdle == true { beginLanding(isEmergency: false) }
            // The manager gives the goal again once it takes references.
            if isHeld, stack.callbacksEnabled { _ = land() }
        case .landing(let landing): updateLanding(landing)
        }
    }

    /// Lands at its position if it can no longer follow the tracker, as the real control manager does.
    private mutating func checkControlError() {
        guard let wanted = tracker?.position,
            (wanted - estimatedPosition).length > StackState.maximumControlError
        else { return }
        beginLanding(isEmergency: true)
    }

    private mutating func climb(since: Double) {
        guard let now = tracker else { return }
        let up = Vector3(x: 0, y: 0, z: configuration.takeoffHeightMetres)
        tracker?.goImmediately(to: .init(position: now.position + up, headingRadians: now.headingRadians))
        stack.phase = .takingOff(since: since, isClimbing: true)
    }

    mutating func beginLanding(isEmergency: Bool) {
        tracker?.stop()
        stack.pirouetteLeft = nil
        stack.callbacksEnabled = false
        stack.phase = .landing(.init(since: seconds, isEmergency: isEmergency))
    }

    private mutating func updateLanding(_ landing: StackState.Landing) {
        var landing = landing
        if let touchdown = landing.touchedDownAt {
            let since = seconds - touchdown
            thrustShare = max(0.1, 1 - since / StackState.Timing.runDown)
            if since >= StackState.Timing.groundDwell { return endLanding(landing) }
        } else if landing.isDescending, body.isOnGround {
            landing.touchedDownAt = seconds
        } else if !landing.isDescending, seconds - landing.since >= StackState.Timing.landingDelay,
            let now = tracker, now.plane.velocity.length < 0.1
        {
            // The goal is far below the ground, so that the descent ends at touch-down.
            let place = Vector3(x: now.position.x, y: now.position.y, z: -1000)
            tracker?.goImmediately(to: .init(position: place, headingRadians: now.headingRadians))
            landing.isDescending = true
        }
        stack.phase = .landing(landing)
    }

    private mutating func endLanding(_ landing: StackState.Landing) {
        stack.isOutputLocked = stack.isOutputLocked || landing.isEmergency
        endFlight()
        stack.isArmed = false
    }

    /// NullTracker and no output, whether on the ground or not.
    mutating func endFlight() {
        if stack.phase != .grounded { stack.flights += 1 }
        stack.phase = .grounded
        stack.isOutputEnabled = false
        stack.outputSince = nil
        stack.callbacksEnabled = true
        stack.pirouetteLeft = nil
        tracker = nil
        if radio == nil { controller.reset(headingRadians: body.attitude.headingRadians) }
    }

    /// A full turn on the spot, in parts.
    private mutating func updatePirouette() {
        guard let left = stack.pirouetteLeft, let now = tracker, !now.hasGoal else { return }
        guard left > 0 else {
            stack.pirouetteLeft = nil
            stack.callbacksEnabled = true
            return
        }
        let part = min(left, 2 * .pi / 3)
        tracker?.goImmediately(
            to: .init(position: now.position, headingRadians: Heading.wrapped(now.headingRadians + part)))
        stack.pirouetteLeft = left - part
    }
}
