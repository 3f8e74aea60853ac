internal import UAVLink

extension HexacopterSimulator {
    /// Calls a service of the flight stack; the answer has the real stack's wording.
    public mutating func call(_ request: ServiceCall) -> ServiceAnswer {
        guard isReady else { return .failed }
        switch request {
        case .arming(let on): return arm(on)
        case .managerArm(let on): return on ? .no(Refusal.armOverManager) : arm(false)
        case .toggleOutput(let on): return toggleOutput(on)
        case .offboard: return enterOffboard()
        case .takeoff: return takeoff()
        case .land: return land()
        case .landHome: return landHome()
        case .landThere(let place): return land(at: place)
        case .hover: return hover()
        case .ehover: return ehover()
        case .eland: return emergencyLanding("eland activated", refusal: Refusal.elandOnGround)
        case .failsafe: return emergencyLanding("failsafe activated", refusal: Refusal.failsafeOnGround)
        case .pirouette: return pirouette()
        case .goTo(let position, let heading):
            return go(to: PlaceReference(position: position, headingRadians: heading))
        case .goToBody(let position, let heading):
            return go(to: PlaceReference(frame: .bodyUntilted, position: position, headingRadians: heading))
        case .goToRelative, .goToAltitude, .setHeading, .setHeadingRelative: return goFromReference(request)
        case .reference(let place): return go(to: place)
        case .velocityReference(let reference): return fly(reference)
        case .trajectoryReference(let trajectory): return load(trajectory)
        case .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory:
            return followTrajectory(request)
        case .validateReference(let place): return validate(place)
        case .radio, .radioLanding: return callRadio(request)
        case .snapshot: return takeSnapshot()
        case .setConstraints, .setGains, .switchTracker, .switchController, .changeEstimator, .enableCallbacks,
            .useSafetyArea, .bumper, .setMinimumZ:
            return configure(request)
        }
    }

    // MARK: Arming and output

    private mutating func arm(_ on: Bool) -> ServiceAnswer {
        stack.isArmed = on
        if !on {
            radio = nil
            endFlight()
        }
        return .yes(on ? "armed" : "disarmed")
    }

    private mutating func toggleOutput(_ on: Bool) -> ServiceAnswer {
        if on {
            guard !stack.isOutputLocked else { return .failed }
            if !stack.isOutputEnabled { stack.outputSince = seconds }
            stack.isOutputEnabled = true
            return .yes("Output: ON")
        }
        endFlight()
        return .yes("Output: OFF")
    }

    mutating func enterOffboard() -> ServiceAnswer {
        guard stack.isArmed else { return .no(Refusal.offboardNotArmed) }
        // The very first offboard request needs no control output; the real stack behaves the same.
        if stack.flights > 0 {
            guard stack.isOutputEnabled, let since = stack.outputSince,
                seconds - since >= StackState.Timing.outputSettlingSeconds
            else { return .no(Refusal.offboardNoInput) }
        }
        stack.isOffboard = true
        // The autopilot obeys the flight stack again, whatever that commands.
        radio = nil
        return .yes("Offboard set")
    }

    // MARK: Take-off and landing

    private mutating func takeoff() -> ServiceAnswer {
        // By the autopilot's status, which follows its switches: a call that comes at once is refused.
        guard stack.status.isArmed else { return .no(Refusal.notArmed) }
        guard stack.status.isOffboard else { return .no(Refusal.notOffboard) }
        guard stack.isOutputEnabled else { return .no(Refusal.outputDisabled) }
        guard stack.phase == .grounded else { return .no(Refusal.alreadyFlying) }
        let place = estimatedPosition
        stack.home = place
        controller.reset(headingRadians: body.attitude.headingRadians)
        tracker = Tracker(position: place, headingRadians: body.attitude.headingRadians)
        stack.phase = .takingOff(since: seconds, isClimbing: false)
        stack.flightController = StackState.usualController
        stack.callbacksEnabled = false
        return .yes("taking off", answerDelaySeconds: StackState.Timing.takeoffCallSeconds)
    }

    /// From a metre above the height of descent on it flies down by a goto first, recorded from the real stack.
    mutating func land() -> ServiceAnswer {
        guard tracker != nil else { return .no(Refusal.cannotLand) }
        if case .landing = stack.phase { return .yes("landing initiated") }
        let height = measuredHeight
        if height >= StackState.descendHeight + 1, !stack.phase.usesLandoffTracker {
            let place = estimatedPosition
            let below = Vector3(x: place.x, y: place.y, z: place.z - (height - StackState.descendHeight))
            flyToLand(at: .init(position: below, headingRadians: body.attitude.headingRadians))
            return .yes("flying down for landing")
        }
        beginLanding(isEmergency: false)
        return .yes("landing initiated")
    }

    private mutating func landHome() -> ServiceAnswer {
        guard let home = stack.home else { return .no(Refusal.cannotLandHome) }
        guard stack.phase == .flying, let now = tracker else {
            return tracker == nil ? .no(Refusal.cannotLand) : .no(Refusal.landingAlready)
        }
        flyToLand(
            at: .init(
                position: Vector3(x: home.x, y: home.y, z: now.position.z), headingRadians: now.headingRadians))
        return .yes("flying home for landing")
    }

    private mutating func land(at place: PlaceReference) -> ServiceAnswer {
        guard stack.phase == .flying, let now = tracker else { return .no(Refusal.cannotLand) }
        guard place.isFinite else { return .no(Refusal.notFinite) }
        guard let there = resolved(place) else { return .no(Refusal.unknownFrame) }
        guard isAllowed(there.position) else { return .no(Refusal.outside) }
        flyToLand(
            at: .init(
                position: Vector3(x: there.position.x, y: there.position.y, z: now.position.z),
                headingRadians: there.headingRadians))
        return .yes("flying home for landing")
    }

    private mutating func flyToLand(at point: Trajectory.Point) {
        stack.pirouetteLeft = nil
        stack.callbacksEnabled = false
        stack.phase = .flyingHome(isHeld: false)
        let now = seconds
        tracker?.go(to: point, now: now)
    }

    // MARK: Stopping

    private mutating func hover() -> ServiceAnswer {
        switch stack.phase {
        case .grounded: return .no(Refusal.trackerLacks("hover", tracker: stack.trackerName))
        case .landing(let landing):
            guard !landing.isEmergency else { return .no(Refusal.callbacksDisabled) }
            // The landing goes on.
            return .yes("hover initiated")
        case .emergencyHover: return .no(Refusal.callbacksDisabled)
        case .flyingHome: stack.phase = .flyingHome(isHeld: true)
        case .flying:
            guard stack.callbacksEnabled || stack.pirouetteLeft != nil else {
                return .no(Refusal.callbacksDisabled)
            }
            if stack.pirouetteLeft != nil { stack.callbacksEnabled = true }
        case .takingOff(_, let isClimbing):
            guard isClimbing else { return .no(Refusal.trackerLacks("hover", tracker: stack.trackerName)) }
        }
        stack.pirouetteLeft = nil
        tracker?.stop()
        return .yes("initiating hover")
    }

    private mutating func ehover() -> ServiceAnswer {
        guard tracker != nil else { return .no(Refusal.ehoverOnGround) }
        if case .landing(let landing) = stack.phase, landing.isEmergency || landing.touchedDownAt != nil {
            return .no(Refusal.callbacksDisabled)
        }
        if case .takingOff(_, isClimbing: false) = stack.phase { return .no(Refusal.ehoverOnGround) }
        stack.phase = .emergencyHover
        stack.pirouetteLeft = nil
        stack.callbacksEnabled = false
        tracker?.stop()
        return .yes("ehover activated")
    }

    private mutating func emergencyLanding(_ message: String, refusal: String) -> ServiceAnswer {
        guard tracker != nil else { return .no(refusal) }
        if case .landing(var landing) = stack.phase {
            landing.isEmergency = true
            stack.phase = .landing(landing)
        } else {
            beginLanding(isEmergency: true)
        }
        stack.callbacksEnabled = false
        return .yes(message)
    }

    private mutating func pirouette() -> ServiceAnswer {
        guard stack.phase == .flying else { return .no(Refusal.notFlying) }
        guard stack.callbacksEnabled else { return .no(Refusal.callbacksDisabled) }
        stack.callbacksEnabled = false
        stack.pirouetteLeft = 2 * .pi
        tracker?.stop()
        return .yes("pirouette activated")
    }
}
