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

    /// What it is like, and what is wrong with it.
    package struct Settings: Sendable {
        /// The edition of its SDK.
        package var edition = Edition.sdk20
        /// Percent.
        package var battery = 90.0
        /// From the command until it hovers and answers, seconds: 3.9 to 20 are reported.
        package var takeOffSeconds = 4.5
        /// How long it flies on without any command, seconds.
        package var failsafeSeconds = 15.0
        /// Whether a command that comes during a move is dropped instead of answered with `error Not joystick`.
        package var dropsWhenBusy = false
        /// Whether it was activated with the vendor's app; one that was not refuses everything.
        package var isActivated = true
        /// Whether it is too dark for its camera, so that it refuses every move.
        package var isDark = false
        /// Whether a datagram of the vendor's binary protocol comes before the first answer.
        package var isChatty = false

        /// A healthy drone of the second edition.
        package init() {}
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

    struct Answer {
        var at: Double
        var bytes: [UInt8]
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
    var body = EmulatedBody()
    var motorSeconds = 0.0
    var answers: [Answer] = []
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

    /// The answers that are due, in order.
    package mutating func takeAnswers() -> [[UInt8]] {
        let due = answers.filter { $0.at <= now }.sorted { $0.at < $1.at }
        answers.removeAll { $0.at <= now }
        return due.map(\.bytes)
    }

    private mutating func live(seconds: Double) {
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
                answer("ok")
            }
        case .moving(let until):
            if now >= until {
                body.hold()
                activity = .settling(until: now + 1)
            }
        case .settling(let until):
            if now >= until {
                activity = .hovering
                answer("ok")
            }
        case .landing(let answers):
            if body.z <= 0.01 {
                stand()
                if answers { answer("ok") }
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
            answer("error Auto land")
            beginLanding(answers: false)
        case .hovering: beginLanding(answers: false)
        case .standing, .landing, .falling: break
        }
    }

    // MARK: What it does

    mutating func beginTakeOff() {
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
        body.hold()
        body.wanted.up = -Self.landingSpeed
    }

    mutating func beginMove(forward: Double = 0, left: Double = 0, up: Double = 0, turn: Double = 0, seconds: Double) {
        activity = .moving(until: now + seconds)
        sticks = [0, 0, 0, 0]
        body.wanted = (forward, left, up, turn)
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

    mutating func answer(_ text: String, after seconds: Double = 0) {
        guard answers.count < 64 else { return }
        answers.append(Answer(at: now + seconds, bytes: Array(text.utf8)))
    }
}
