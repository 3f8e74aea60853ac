/// A Tello as its ground sees it: commands in, answers and the state out. A value without sockets or a clock: time is passed
/// in, seconds from any zero.
///
/// It is written from the vendor's documents and from reports of real drones, and shares no code with the client.
package struct EmulatedTello: Sendable {
    /// Which edition of the SDK it has.
    package enum Edition: String, Sendable, CaseIterable {
        /// The plain Tello.
        case sdk13 = "1.3"
        /// The Tello EDU.
        case sdk20 = "2.0"
        /// The RoboMaster TT.
        case sdk30 = "3.0"
    }

    /// What it does.
    package enum Activity: Hashable, Sendable {
        /// Stands, motors off.
        case standing
        /// Climbs to where it hovers.
        case takingOff
        /// Hovers, or follows the sticks.
        case hovering
        /// Moves or turns by a command until that time, seconds.
        case moving(until: Double)
        /// Has moved, and answers at that time, seconds; until then it takes no other move.
        case settling(until: Double)
        /// Lands; commanded, it answers when it stands.
        case landing(answers: Bool)
        /// Falls, motors off.
        case falling
    }

    /// What it is like; faults can be switched while it runs.
    package var settings: Settings
    /// What it does.
    package internal(set) var activity = Activity.standing
    /// Whether it takes commands: after the first `command`.
    package internal(set) var isInCommandMode = false
    /// The commands that it got, without sticks and questions.
    package internal(set) var commands: [String] = []
    /// The positions of the sticks that it got last: right, forward, up, clockwise.
    package internal(set) var sticks = [0, 0, 0, 0]
    /// Whether it looks for pads.
    package internal(set) var looksForPads = false
    /// Whether it sends its video.
    package internal(set) var sendsVideo = false
    /// The network that it was told to join, with its passphrase; `nil` while it has its own.
    package internal(set) var network: (name: String, passphrase: String)?
    /// When it restarts for that, seconds.
    var restartsAt: Double?
    /// Centimetres per second of straight moves, as it was told; `nil` before.
    var chosenSpeed: Int?
    /// The parts of the move that follow the present one.
    var legs: [Leg] = []
    /// What the move is answered with at its end.
    var moveAnswer = "ok"
    var body = EmulatedBody()
    var motorSeconds = 0.0
    var answers: [Answer] = []
    /// How many answers it has had to give, for those that a fault hits.
    var answersGiven = 0
    /// The colour of the expansion's light: red, green, blue.
    package internal(set) var light = [0, 0, 0]
    /// Who sent the command that is being taken, and who the one that is being executed: each gets the answers to its own.
    var sender = 0
    var mover = 0
    var now: Double
    var lastCommandAt: Double
    private var takeOffEnds = 0.0

    /// Where a take-off ends, metres.
    static let hoverMetres = 0.8
    private static let landingSpeed = 0.4
    private static let step = 0.01
    /// The longest time that is made up for, seconds: a process that was stopped does not fly on in an instant.
    private static let longestCatchUp = 1.0
    /// Of a full battery in the air, seconds: 13 minutes.
    private static let flightSeconds = 780.0
    /// A move that is not finished by then is given up, seconds (15.2 were measured by others).
    private static let longestMove = 15.2
    /// Below this charge it does not take off, and lands by itself; percent.
    static let emptyPercent = 10.0

    /// Stands on the ground, switched on.
    package init(_ settings: Settings = Settings(), now: Double) {
        self.settings = settings
        self.now = now
        lastCommandAt = now
    }

    /// Whether the motors run.
    package var motorsRun: Bool {
        switch activity {
        case .standing, .falling: false
        case .takingOff, .hovering, .moving, .settling, .landing: true
        }
    }

    /// Metres above the ground.
    package var height: Double { body.z }
    /// Metres forward and left of where it was switched on, and the yaw since, radians counter-clockwise.
    package var place: (x: Double, y: Double, yaw: Double) { (body.x, body.y, body.yaw) }

    /// Whether it executes a command, so that it takes no other one.
    var isBusy: Bool {
        switch activity {
        case .takingOff, .moving, .settling, .landing: true
        case .standing, .hovering, .falling: false
        }
    }

    // MARK: Time

    /// Lives on until a time, seconds.
    package mutating func advance(to time: Double) {
        if time - now > Self.longestCatchUp { now = time - Self.longestCatchUp }
        while now + Self.step <= time {
            now += Self.step
            live(seconds: Self.step)
        }
    }

    private mutating func live(seconds: Double) {
        if let restartsAt, now >= restartsAt { restart() }
        if motorsRun {
            motorSeconds += seconds
            settings.battery = max(0, settings.battery - 100 * seconds / Self.flightSeconds)
        }
        switch activity {
        case .standing: return
        case .falling:
            body.fall(seconds: seconds)
            if body.z <= 0 { stand() }
            return
        case .takingOff:
            if now >= takeOffEnds {
                body.hold()
                activity = .hovering
                answer("ok", to: mover)
            }
        case .moving(let until):
            if now >= until { nextLeg() }
        case .settling(let until):
            if now >= until {
                activity = .hovering
                answer(moveAnswer, to: mover)
            }
        case .landing(let answers):
            if body.z <= 0.01 {
                stand()
                if answers { answer("ok", to: mover) }
                return
            }
        case .hovering: followSticks()
        }
        body.fly(seconds: seconds)
        watch()
    }

    private mutating func watch() {
        let isSilent = now - lastCommandAt >= settings.failsafeSeconds
        guard isSilent || settings.battery < Self.emptyPercent else { return }
        switch activity {
        case .moving, .settling, .takingOff:
            answer("error Auto land", to: mover)
            beginLanding(answers: false)
        case .hovering: beginLanding(answers: false)
        case .standing, .landing, .falling: break
        }
    }

    // MARK: What it does

    mutating func beginTakeOff() {
        mover = sender
        let seconds = max(0.1, settings.takeOffSeconds)
        activity = .takingOff
        takeOffEnds = now + seconds
        sticks = [0, 0, 0, 0]
        body.hold()
        // The last part of it is spent hovering.
        body.wanted.up = Self.hoverMetres / seconds
    }

    mutating func beginLanding(answers: Bool) {
        activity = .landing(answers: answers)
        if answers { mover = sender }
        body.hold()
        body.wanted.up = -Self.landingSpeed
    }

    mutating func beginMove(forward: Double = 0, left: Double = 0, up: Double = 0, turn: Double = 0, seconds: Double) {
        beginMove([Leg(forward: forward, left: left, up: up, turn: turn, seconds: seconds)])
    }

    mutating func beginMove(_ parts: [Leg], answering text: String = "ok") {
        sticks = [0, 0, 0, 0]
        (legs, moveAnswer, mover) = (parts, text, sender)
        if settings.runsIntoTimeout {
            // It hovers where the move should have ended, and gives up; the last second is that before an answer.
            let seconds = parts.reduce(0) { $0 + $1.seconds }
            legs.append(Leg(seconds: max(0, Self.longestMove - 1 - seconds)))
            moveAnswer = "error Run timeout"
        }
        nextLeg()
    }

    private mutating func nextLeg() {
        guard !legs.isEmpty else {
            body.hold()
            return activity = .settling(until: now + 1)
        }
        let leg = legs.removeFirst()
        activity = .moving(until: now + leg.seconds)
        body.wanted = (leg.forward, leg.left, leg.up, leg.turn)
    }

    mutating func stand() {
        activity = .standing
        body.stand()
        sticks = [0, 0, 0, 0]
    }

    /// A full deflection is 1 m/s, 0.6 m/s up and a quarter of a turn a second.
    private mutating func followSticks() {
        body.wanted = (
            forward: Double(sticks[1]) / 100, left: -Double(sticks[0]) / 100, up: Double(sticks[2]) / 100 * 0.6,
            turn: -Double(sticks[3]) / 100 * .pi / 2
        )
    }
}
