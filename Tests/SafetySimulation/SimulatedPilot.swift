import UAVLink

@testable import ChannelProtocol

/// The user at a ground, and the steering pump of the screens: does anything at any time, until the faults are over and each
/// shows in turn that he can fly.
struct SimulatedPilot {
    private enum Hands: Equatable {
        case off
        /// Command was asked for under that number.
        case asked(UInt64)
        /// So many neutral setpoints first.
        case steering(neutral: Int)
    }

    private unowned(unsafe) let world: World
    private let ground: Int
    private var hands = Hands.off
    private var wasYours = false
    /// By the ground's clock.
    private var takenAt = MonotonicTime.atOnce
    private var isPushing = false
    private var nextSetpoint = MonotonicTime.atOnce
    private var nextWhim: MonotonicTime
    private var period: Duration = .milliseconds(20)
    private var trip: Trip?

    /// Several commands that are one for the pilot, each given when the one before was answered.
    private struct Trip {
        let sequence: CommandSequence
        let begunAt: MonotonicTime
        var next: [Command]
        var asked: UInt64
    }

    init(_ world: World, ground: Int) {
        self.world = world
        self.ground = ground
        nextWhim = world.now + .milliseconds(300)
    }

    mutating func letGo() {
        hands = .off
        trip = nil
    }

    var nextDeadline: MonotonicTime {
        if case .steering = hands { min(nextWhim, nextSetpoint) } else { nextWhim }
    }

    // MARK: What he hears

    /// The answer to a question; `nil` when none came in time.
    mutating func informed(_ id: UInt64, _ payload: [UInt8]?, _ clock: WorldClock) {
        guard case .asked(id) = hands else { return }
        let answer = payload.flatMap { payload in
            try? EncodedPayload.read(payload) { reader throws(WireError) in
                _ = try reader.integer(UInt8.self)
                return try QuestionAnswer(&reader)
            }
        }
        guard case .success(.control(let reply))? = answer?.result, reply.accepted else { return hands = .off }
        // Some push the stick before it is theirs.
        hands = .steering(neutral: world.dice.hits(0.3) ? 0 : 3)
        wasYours = false
        takenAt = clock.now
        nextSetpoint = world.now
        period = world.dice.milliseconds(10...50)
    }

    /// As the steering pump does: command that was seen to be lost ends the run, and so does command that is never seen.
    mutating func look(at status: Sample<ControlStatus>?) {
        guard case .steering = hands, let status else { return }
        if status.value.isYours {
            wasYours = true
        } else if wasYours || status.at > takenAt + .seconds(1) {
            hands = .off
        }
    }

    /// The answer to a command: the next of its sequence follows.
    mutating func answered(
        _ id: UInt64, _ result: Result<CommandReply, LinkError>, _ session: GroundSession, _ clock: WorldClock
    ) {
        guard var trip, trip.asked == id else { return }
        guard case .success = result, !trip.next.isEmpty, !world.mustHeal,
            let asked = perform(trip.next.removeFirst(), session, clock, of: trip)
        else { return self.trip = nil }
        trip.asked = asked
        self.trip = trip
    }

    // MARK: What he does

    mutating func act(_ session: GroundSession, _ clock: WorldClock) {
        if case .steering(let neutral) = hands, nextSetpoint <= world.now { steer(session, clock, neutral: neutral) }
        guard nextWhim <= world.now else { return }
        if world.mustHeal {
            nextWhim = world.now + .milliseconds(150)
            show(session, clock)
        } else {
            nextWhim = world.now + world.dice.milliseconds(20...700)
            whim(session, clock)
        }
    }

    private mutating func steer(_ session: GroundSession, _ clock: WorldClock, neutral: Int) {
        // A pump that was stopped leaves out what has passed.
        nextSetpoint = max(nextSetpoint + period, world.now)
        var value = 0
        if neutral > 0 {
            hands = .steering(neutral: neutral - 1)
        } else if isPushing {
            value = world.judge.meant(
                SetpointOrigin(ground: ground, createdAt: world.now, validFor: .milliseconds(200)))
        }
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: Double(value), y: 0, z: 0), frame: .body, intendedAt: clock.now,
            validFor: world.broken == .setpointsLiveLonger ? .milliseconds(500) : .milliseconds(200))
        if (try? session.steer(setpoint, now: clock.now)) == nil { hands = .off }
    }

    private mutating func whim(_ session: GroundSession, _ clock: WorldClock) {
        switch world.dice.next() % 12 {
        case 0, 1, 2:
            if hands == .off { ask(.take(name: name), session, clock) }
        case 3:
            if world.dice.hits(0.3), hands == .off { ask(.takeOver(name: name, reason: "whim"), session, clock) }
        case 4, 5, 6: isPushing.toggle()
        case 7:
            guard case .steering = hands, world.dice.hits(0.5) else { return }
            hands = .off
            // Falls silent, or says why.
            if world.dice.hits(0.7) { ask(.release(reason: "whim"), session, clock) }
        case 8: perform(.goTo(.init(.relative, position: .zero, headingRadians: 0)), session, clock)
        case 9: perform(.hover, session, clock)
        case 10: if world.dice.hits(0.3) { perform(.land, session, clock) }
        default:
            guard trip == nil, world.sequenceDice.hits(0.7) else {
                perform(.takeoff, session, clock)
                return
            }
            var trip = Trip(
                sequence: CommandSequence(knownStops: session.knownStops), begunAt: world.now,
                next: [
                    .goTo(.init(.relative, position: .zero, headingRadians: 1)), .hover,
                    .goTo(.init(.relative, position: .zero, headingRadians: 2)), .startTrajectory,
                ],
                asked: 0)
            guard let asked = perform(.takeoff, session, clock, of: trip) else { return }
            trip.asked = asked
            self.trip = trip
        }
    }

    /// More commands at once than there is place for.
    mutating func flood(_ session: GroundSession, _ clock: WorldClock) {
        for number in 0..<50 { perform(number.isMultiple(of: 10) ? .hover : .takeoff, session, clock) }
    }

    /// Nothing is broken any more: one after the other takes over and moves the vehicle.
    private mutating func show(_ session: GroundSession, _ clock: WorldClock) {
        guard world.showsNow == ground else { return hands = .off }
        switch hands {
        case .asked: break
        case .off: ask(.takeOver(name: name, reason: "to show it"), session, clock)
        case .steering where world.vehicle.mode == .landed: perform(.takeoff, session, clock)
        case .steering: isPushing.toggle()
        }
    }

    private var name: String { "pilot \(ground)" }

    private mutating func ask(_ wish: ControlAuthorityRequest, _ session: GroundSession, _ clock: WorldClock) {
        guard let id = try? session.begin(.control(wish), deadline: clock.now + .seconds(5), now: clock.now) else {
            return
        }
        world.judge.note("ground \(ground): \(wish.words)", at: world.now)
        if case .release = wish { return }
        world.judge.finality.asked(by: ground, as: RequestID(session: session.id, number: id), at: world.now)
        hands = .asked(id)
    }

    @discardableResult
    private mutating func perform(
        _ command: Command, _ session: GroundSession, _ clock: WorldClock, of trip: Trip? = nil
    ) -> UInt64? {
        // As the screens do: a newer command of the user ends what is left of an older one (`Fleet.beginCommand`).
        if trip == nil { self.trip = nil }
        let patience = world.dice.milliseconds(200...5000)
        let deadline = clock.now + patience
        let sequence = world.broken == .sequencesGoOn ? nil : trip?.sequence
        guard let number = try? session.begin(command, in: sequence, deadline: deadline, now: clock.now) else {
            return nil
        }
        world.judge.meant(
            CommandRecord(
                ground: ground, command: command, createdAt: world.now, wantedAt: trip?.begunAt ?? world.now,
                patience: patience, deadline: deadline, clock: clock),
            as: RequestID(session: session.id, number: number))
        world.judge.note("ground \(ground): \(command.name) \(number)", at: world.now)
        // As the screens do: what takes over ends the run of setpoints.
        if command.interruptsSteering, world.dice.hits(0.7) { hands = .off }
        return number
    }
}
