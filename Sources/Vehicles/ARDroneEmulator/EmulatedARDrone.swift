/// An AR.Drone 2 as its ground sees it: commands in, navigation data and configuration out. A value without sockets or a clock:
/// time is passed in, seconds from any zero.
///
/// It is written from the vendor's guide and from reports of working clients, and shares no code with the client.
package struct EmulatedARDrone: Sendable {
    /// What it is like, and what is wrong with it.
    package struct Settings: Sendable {
        /// Percent.
        package var battery = 90.0
        /// From the command until it hovers, seconds.
        package var takeOffSeconds = 2.5
        /// Where it was switched on, degrees, and its heading there, degrees clockwise from north.
        package var latitude = 50.0755
        package var longitude = 14.4378
        package var heading = 0.0
        /// Whether a GPS receiver is plugged in and has a fix.
        package var hasGPS = true
        /// Whether its magnetometer is calibrated.
        package var hasCompass = true
        /// Whether it lands when nothing was heard of its ground for 4 s; else it hovers on.
        package var landsWhenLost = true
        /// Whether only `COMWDG` clears its watchdog; else any command does.
        package var isWatchdogStrict = true
        /// Faults: a take-off is ignored; a configuration is dropped, or acknowledged and not applied.
        package var ignoresTakeOff = false
        package var dropsConfiguration = false
        package var forgetsConfiguration = false
        /// Faults: wrong checksums; options with tags 28 and 29; the ultrasound hears nothing.
        package var hasWrongChecksum = false
        package var hasUnknownOptions = false
        package var isDeaf = false

        /// A healthy drone of firmware 2.4.8, with a GPS receiver.
        package init() {}
    }

    /// What it does.
    package enum Activity: Hashable, Sendable {
        /// Stands, motors off.
        case landed
        /// Climbs until that time, seconds.
        case takingOff(until: Double)
        /// Hovers, or follows the sticks.
        case flying
        case landing
        /// Motors cut: it falls, or lies.
        case cut
    }

    /// Which packets it sends.
    package enum Stream: Hashable, Sendable {
        case none, bootstrap, whole
    }

    /// What it is like; faults can be switched while it runs.
    package var settings: Settings
    /// What it does.
    package internal(set) var activity = Activity.landed
    /// What it sends.
    package internal(set) var stream = Stream.none
    /// The commands that had an effect, as text, without sticks and watchdog.
    package internal(set) var commands: [String] = []
    /// The sticks that it follows: roll, pitch, climb, yaw; `nil` to hover.
    package internal(set) var sticks: [Double]?
    /// Lines that were not obeyed: malformed, or with a sequence number that is not higher than the last.
    package internal(set) var refused = 0
    /// Commands that were obeyed.
    package internal(set) var obeyed = 0
    var body = EmulatedARDroneBody()
    var configuration = EmulatedConfiguration()
    var now: Double
    var lastSequence: UInt32 = 0
    var lastCommandAt: Double
    /// When a request last opened the stream.
    var lastOpeningAt: Double
    var isWatchdogSet = true
    var isLost = false
    var isAcknowledging = false
    var emergencyBit = false
    var hasCutOut = false
    var navdataSequence: UInt32 = 0
    var packetDue: Double
    var controlOutput: [UInt8] = []

    static let watchdogSeconds = 0.05
    static let lostSeconds = 2.0
    /// Where a take-off ends, metres.
    static let hoverMetres = 0.9
    private static let landingSpeed = 0.6
    private static let step = 0.005
    /// The longest time that is made up for, seconds: a process that was stopped does not fly on in an instant.
    private static let longestCatchUp = 1.0
    /// Of a full battery in the air, seconds: 12 minutes.
    private static let flightSeconds = 720.0
    /// Below this charge it does not take off, percent.
    static let lowPercent = 20.0
    /// What a tilt of 12 degrees flies here, m/s.
    static let fullSpeed = 2.0
    static let fullTilt = 0.2094

    /// Stands on the ground, switched on.
    package init(_ settings: Settings = Settings(), now: Double) {
        self.settings = settings
        self.now = now
        (lastCommandAt, lastOpeningAt, packetDue) = (now, now, now)
        body.heading = settings.heading * .pi / 180
    }

    /// Whether the motors run.
    package var motorsRun: Bool {
        switch activity {
        case .landed, .cut: false
        case .takingOff, .flying, .landing: true
        }
    }

    /// Metres above the ground.
    package var height: Double { body.up }
    /// Metres north and east of where it was switched on.
    package var place: (north: Double, east: Double) { (body.north, body.east) }
    /// Radians clockwise from north.
    package var heading: Double { body.heading }

    /// How many commands of a pilot had an effect: all but the configuration.
    package var pilotCommands: Int { commands.count { !$0.hasPrefix("config") } }

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
        if motorsRun { settings.battery = max(0, settings.battery - 100 * seconds / Self.flightSeconds) }
        watch()
        switch activity {
        case .landed: return
        case .cut:
            body.fall(seconds: seconds)
            if body.up <= 0 { body.stand() }
            return
        case .takingOff(let until):
            if now >= until {
                activity = .flying
                body.hold()
            }
        case .landing:
            if body.up <= 0.01 {
                activity = .landed
                body.stand()
                return
            }
        case .flying: follow()
        }
        body.fly(seconds: seconds)
    }

    private mutating func watch() {
        let silence = now - lastCommandAt
        if silence > Self.watchdogSeconds, !isWatchdogSet {
            isWatchdogSet = true
            navdataSequence = 0
        }
        // A request opens the stream, of a ground that commands nothing yet; what is flown is held by commands only.
        if silence > Self.lostSeconds { sticks = nil }
        if now - max(lastCommandAt, lastOpeningAt) > Self.lostSeconds, !isLost {
            isLost = true
            lastSequence = 0
            stream = .none
            isAcknowledging = false
        }
        let landsAfter = Self.lostSeconds + configuration.number("general:com_watchdog")
        if settings.landsWhenLost, silence > landsAfter, activity == .flying { land() }
        if settings.battery < 1, activity == .flying { land() }
    }

    private mutating func follow() {
        guard let sticks, sticks.count == 4 else { return body.hold() }
        let tilt = configuration.number("control:euler_angle_max") / Self.fullTilt * Self.fullSpeed
        let ceiling = configuration.number("control:altitude_max") / 1000
        let climb = sticks[2] * configuration.number("control:control_vz_max") / 1000
        body.wanted = (
            // Positive pitch is nose up: backward.
            forward: -sticks[1] * tilt, right: sticks[0] * tilt, up: body.up >= ceiling ? min(0, climb) : climb,
            turn: sticks[3] * configuration.number("control:control_yaw")
        )
        // It does not fly into the floor.
        if body.up <= configuration.number("control:altitude_min") / 1000 { body.wanted.up = max(0, climb) }
    }

    // MARK: What it does

    mutating func takeOff() {
        guard activity == .landed, !settings.ignoresTakeOff, settings.battery >= Self.lowPercent else { return }
        let seconds = max(0.1, settings.takeOffSeconds)
        activity = .takingOff(until: now + seconds)
        sticks = nil
        body.hold()
        body.wanted.up = Self.hoverMetres / seconds
        note("takeoff")
    }

    mutating func land() {
        switch activity {
        case .takingOff, .flying:
            activity = .landing
            sticks = nil
            body.hold()
            body.wanted.up = -Self.landingSpeed
            note("land")
        case .landed, .landing, .cut: break
        }
    }

    mutating func toggleEmergency() {
        if activity == .cut {
            hasCutOut = false
            activity = .landed
            body.stand()
            note("clear")
        } else {
            hasCutOut = motorsRun
            activity = .cut
            sticks = nil
            note("emergency")
        }
    }

    mutating func note(_ command: String) { if commands.count < 10_000 { commands.append(command) } }
}
