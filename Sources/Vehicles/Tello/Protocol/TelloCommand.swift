package import UAVLink

/// A command of the drone's text protocol, one datagram on UDP port 8889.
///
/// Units, axes and signs are the protocol's: centimetres and degrees; x forward, y left, z up of the body; sticks from -100 to
/// 100 with right, forward, up and clockwise positive.
package enum TelloCommand: Hashable, Sendable {
    /// Enters the mode of text commands; repeating it changes nothing.
    case command
    /// Takes off; answered when the drone hovers, 4 to 20 s later.
    case takeoff
    /// Lands; answered when it stands.
    case land
    /// Stops the motors at once: the drone falls. Often not answered.
    case emergency
    /// Ends a move and hovers.
    case stop
    /// Flies straight along one axis, centimetres; answered when it is there.
    case move(Direction, centimetres: Int)
    /// Turns by whole degrees, clockwise or not; answered when done.
    case turn(clockwise: Bool, degrees: Int)
    /// Flies straight to a place relative to the body, centimetres, at centimetres per second; answered when it is there.
    case go(x: Int, y: Int, z: Int, speed: Int)
    /// Flips over a side.
    case flip(Flip)
    /// Flies an arc, centimetres per second; with a pad its places are in that pad's frame.
    case curve(TelloArc, speed: Int, pad: TelloPad?)
    /// Flies to a place in the frame of a pad that it sees, at centimetres per second.
    case goOverPad(TelloPoint, speed: Int, pad: TelloPad)
    /// Flies to a place over the first pad, finds the second one, and turns to that many degrees in its frame.
    case jump(TelloPoint, speed: Int, yaw: Int, from: TelloPad, to: TelloPad)
    /// Looks for pads, or not.
    case padDetection(Bool)
    /// Which cameras look for pads, see ``padDirections``.
    case padDirection(Int)
    /// The speed of `up` to `back`, centimetres per second.
    case speed(Int)
    /// Sends its video, or not.
    case video(Bool)
    /// Settings of its video, and the light of the expansion, all since 3.0.
    case setting(Setting)
    /// Joins a network as a station, and restarts for it: in the air it would fall.
    case join(TelloNetwork)
    /// The positions of the sticks, which stay so until the next ones. Never answered.
    case sticks(TelloSticks)
    /// A question, which is answered at any time.
    case read(Question)

    /// A direction of the body.
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        case up, down, left, right, forward, back
    }

    /// A question.
    package enum Question: String, Hashable, Sendable, CaseIterable {
        /// Percent.
        case battery = "battery?"
        /// The edition of the SDK.
        case version = "sdk?"
        /// The serial number, since 2.0.
        case serial = "sn?"
    }

    /// The bytes of the datagram, without a terminator.
    package var bytes: [UInt8] {
        if case .join(let network) = self { Array(text.utf8) + network.commandEnd } else { Array(text.utf8) }
    }

    /// The command as text, for messages too: without a passphrase.
    package var text: String {
        switch self {
        case .command: "command"
        case .takeoff: "takeoff"
        case .land: "land"
        case .emergency: "emergency"
        case .stop: "stop"
        case .move(let direction, let centimetres): "\(direction.rawValue) \(centimetres)"
        case .turn(let clockwise, let degrees): "\(clockwise ? "cw" : "ccw") \(degrees)"
        case .go(let x, let y, let z, let speed): "go \(x) \(y) \(z) \(speed)"
        case .flip(let side): "flip \(side.rawValue)"
        case .curve(let arc, let speed, let pad):
            "curve \(arc.through.text) \(arc.end.text) \(speed)" + (pad.map { " " + $0.text } ?? "")
        case .goOverPad(let point, let speed, let pad): "go \(point.text) \(speed) \(pad.text)"
        case .jump(let point, let speed, let yaw, let from, let to):
            "jump \(point.text) \(speed) \(yaw) \(from.text) \(to.text)"
        case .padDetection(let isOn): isOn ? "mon" : "moff"
        case .padDirection(let direction): "mdirection \(direction)"
        case .speed(let speed): "speed \(speed)"
        case .video(let isOn): isOn ? "streamon" : "streamoff"
        case .setting(let setting): setting.text
        case .join(let network): "ap \(network.name)"
        case .sticks(let sticks): "rc \(sticks.right) \(sticks.forward) \(sticks.up) \(sticks.clockwise)"
        case .read(let question): question.rawValue
        }
    }

    /// The first word, by which the drone names a command that it does not know.
    package var word: String { String(text.prefix { $0 != " " }) }

    /// Whether it moves nothing and is answered at once, on the ground and in the air.
    package var isSetting: Bool {
        switch self {
        case .padDetection, .padDirection, .speed, .video, .setting, .join: true
        default: false
        }
    }

    /// Centimetres of one move, of `up` to `back`, and of an axis of `go` in the first edition.
    package static let moveCentimetres = 20...500
    /// Centimetres along each axis of `go`.
    package static let goCentimetres = -500...500
    /// Up to this distance along all three axes, `go` is refused, centimetres.
    package static let leastGoCentimetres = 20
    /// Centimetres per second of `go`.
    package static let speeds = 10...100
    /// Degrees of one turn, in every edition.
    package static let turnDegrees = 1...360

    /// Checks what the drone would refuse as out of range, or does not know: it is not sent.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that names the value, or `unsupported`.
    package func validate(for version: TelloVersion) throws(LinkError) {
        switch self {
        case .move(_, let centimetres): try Self.require(centimetres, in: Self.moveCentimetres, "a move", "cm")
        case .turn(_, let degrees): try Self.require(degrees, in: Self.turnDegrees, "a turn", "degrees")
        case .go(let x, let y, let z, let speed):
            try Self.require(speed, in: Self.speeds, "the speed", "cm/s")
            for (value, axis) in [(x, "x"), (y, "y"), (z, "z")] {
                // Its document allows no other numbers.
                let range = version == .sdk13 ? Self.moveCentimetres : Self.goCentimetres
                try Self.require(value, in: range, axis, "cm", version == .sdk13 ? " of SDK 1.3" : "")
            }
            guard [x, y, z].contains(where: { $0.magnitude > UInt(Self.leastGoCentimetres) }) else {
                throw LinkError(
                    .invalidInput, "the place is too near: the Tello flies no less than 0.2 m",
                    hint: "give more than 0.2 m along one axis")
            }
        case .sticks(let sticks):
            for value in sticks.all { try Self.require(value, in: TelloSticks.range, "a stick", "percent") }
        case .stop:
            guard version.hasStop else {
                throw LinkError(.unsupported, "the Tello's SDK \(version.text) has no 'stop'")
            }
        case .curve(let arc, let speed, let pad): try Self.validate(arc, speed: speed, pad: pad, for: version)
        case .goOverPad(let point, let speed, let pad):
            try pad.validate(for: version)
            try Self.require(speed, in: Self.speeds, "the speed", "cm/s")
            try Self.validate(point, overPad: true, what: " over a pad")
        case .jump(let point, let speed, let yaw, let from, let to):
            for pad in [from, to] { try pad.validate(for: version) }
            try Self.require(speed, in: Self.speeds, "the speed", "cm/s")
            try Self.require(yaw, in: Self.jumpYaws, "the turn", "degrees")
            try Self.validate(point, overPad: true, what: " over a pad")
        case .speed(let speed): try Self.require(speed, in: Self.speeds, "the speed", "cm/s")
        case .padDetection, .padDirection: try validatePads(for: version)
        case .setting(let setting): try setting.validate(for: version)
        case .join:
            guard version.hasStationMode else {
                throw LinkError(
                    .unsupported, "the Tello's SDK \(version.text) joins no networks: it has its own Wi-Fi only")
            }
        case .command, .takeoff, .land, .emergency, .read, .flip, .video: break
        }
    }

    private func validatePads(for version: TelloVersion) throws(LinkError) {
        guard version.hasPads else {
            throw LinkError(.unsupported, "the Tello's SDK \(version.text) has no mission pads")
        }
        guard case .padDirection(let direction) = self else { return }
        try Self.require(direction, in: Self.padDirections, "the direction", "(down, forward, both)")
    }

    static func require(
        _ value: Int, in range: ClosedRange<Int>, _ what: String, _ unit: String, _ edition: String = ""
    ) throws(LinkError) {
        guard range.contains(value) else {
            throw LinkError(
                .invalidInput,
                "\(what) of \(value) \(unit) is outside the Tello's \(range.lowerBound) to \(range.upperBound)\(edition)"
            )
        }
    }
}

/// The positions of the four sticks, each -100 to 100 percent of their full deflection.
package struct TelloSticks: Hashable, Sendable {
    /// To the right.
    package var right: Int
    /// Forward.
    package var forward: Int
    /// Up.
    package var up: Int
    /// Turning clockwise, seen from above.
    package var clockwise: Int

    /// The positions.
    package init(right: Int, forward: Int, up: Int, clockwise: Int) {
        self.right = right
        self.forward = forward
        self.up = up
        self.clockwise = clockwise
    }

    /// What a stick can be.
    package static let range = -100...100
    /// All released: the drone hovers.
    package static let neutral = Self(right: 0, forward: 0, up: 0, clockwise: 0)

    /// The four positions in the order of the protocol.
    package var all: [Int] { [right, forward, up, clockwise] }

    /// The sticks for a velocity in the body frame; what is faster than `full` is a full deflection.
    package init(_ setpoint: VelocitySetpoint, full: VehicleCapabilities.Steering.Speeds) {
        let velocity = setpoint.velocityMetresPerSecond
        // UAVLink's y is to the left, and its turns are counter-clockwise.
        self.init(
            right: Self.percent(-velocity.y, of: full.horizontalMetresPerSecond),
            forward: Self.percent(velocity.x, of: full.horizontalMetresPerSecond),
            up: Self.percent(velocity.z, of: full.verticalMetresPerSecond),
            clockwise: Self.percent(-setpoint.headingRateRadiansPerSecond, of: full.turningRadiansPerSecond))
    }

    private static func percent(_ value: Double, of full: Double) -> Int {
        guard value.isFinite, full > 0 else { return 0 }
        let share = min(max(value / full, -1), 1)
        // A stick that is hardly deflected is deflected: rounding to zero would make a slow setpoint none at all.
        let percent = (share * 100).rounded(share < 0 ? .down : .up)
        return Int(exactly: percent) ?? 0
    }
}
