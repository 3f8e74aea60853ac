/// A command of the AR.Drone 2's text protocol, UDP port 5556. None is ever answered there.
///
/// Numbers, names and signs are those of the vendor's developer guide.
package enum ATCommand: Hashable, Sendable {
    /// Take off, land, emergency: levels and an edge, see ``ATReference``.
    case reference(ATReference)
    /// The sticks; `nil`: hover on the spot.
    case progressive(ATSticks?)
    /// The sticks with a heading relative to magnetic north: shares of 180 degrees, east positive, and its accuracy.
    case absolute(ATSticks, heading: Double, accuracy: Double)
    /// Sets one key of the configuration; acknowledged by ``ARDroneStatus/commandAcknowledged``.
    case configuration(key: String, value: String)
    /// The identifiers of the configuration that follows directly, 8 hexadecimal digits each.
    case configurationIDs(session: String, user: String, application: String)
    /// Clears the communication watchdog.
    case resetWatchdog
    /// Asks something of the control channel.
    case control(ATControl)
    /// The floor is level here: only on the ground.
    case flatTrim
    /// Calibrates a device, 0 for the magnetometer: only in flight, the drone spins.
    case calibrate(device: Int)
    /// Flies an animation, 0 to 19, for so many milliseconds.
    case animate(id: Int, milliseconds: Int)
    /// Blinks the lights, 0 to 20, at a frequency, for so many seconds; 0 for ever.
    case lights(id: Int, hertz: Double, seconds: Int)

    /// The name after `AT*`.
    package var name: String {
        switch self {
        case .reference: "REF"
        case .progressive: "PCMD"
        case .absolute: "PCMD_MAG"
        case .configuration: "CONFIG"
        case .configurationIDs: "CONFIG_IDS"
        case .resetWatchdog: "COMWDG"
        case .control: "CTRL"
        case .flatTrim: "FTRIM"
        case .calibrate: "CALIB"
        case .animate: "ANIM"
        case .lights: "LED"
        }
    }

    /// The arguments after the sequence number.
    var arguments: [String] {
        switch self {
        case .reference(let reference): ["\(reference.bits)"]
        case .progressive(nil): ["0", "0", "0", "0", "0"]
        case .progressive(let sticks?): ["1"] + sticks.arguments
        case .absolute(let sticks, let heading, let accuracy):
            // Progressive commands, relative to north.
            ["5"] + sticks.arguments + ["\(ATFloat.share(heading))", "\(ATFloat.share(accuracy))"]
        case .configuration(let key, let value): ["\"\(key)\"", "\"\(value)\""]
        case .configurationIDs(let session, let user, let application):
            ["\"\(session)\"", "\"\(user)\"", "\"\(application)\""]
        case .resetWatchdog, .flatTrim: []
        case .control(let control): ["\(control.rawValue)", "0"]
        case .calibrate(let device): ["\(device)"]
        case .animate(let id, let milliseconds): ["\(id)", "\(milliseconds)"]
        case .lights(let id, let hertz, let seconds): ["\(id)", "\(ATFloat.bits(hertz))", "\(seconds)"]
        }
    }

    /// The line with its sequence number and its end, a carriage return.
    package func line(_ sequence: UInt32) -> String {
        "AT*\(name)=" + ([String(sequence)] + arguments).joined(separator: ",") + "\r"
    }

    /// Whether its texts can stand between quotes: printable ASCII without quotes and backslashes, and not too long.
    package var isWellFormed: Bool {
        switch self {
        case .configuration(let key, let value):
            Self.isText(key) && Self.isText(value) && !key.isEmpty
                && line(.max).utf8.count <= ATSequence.mostBytes
        case .configurationIDs(let session, let user, let application):
            [session, user, application].allSatisfy { id in
                id.utf8.count == 8
                    && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
            }
        case .calibrate(let device): device == 0
        case .animate(let id, let milliseconds): (0...19).contains(id) && (0...60_000).contains(milliseconds)
        case .lights(let id, let hertz, let seconds):
            (0...20).contains(id) && (0...50).contains(hertz) && (0...3600).contains(seconds)
        default: true
        }
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

/// The argument of `REF`.
package enum ATReference: Hashable, Sendable, CaseIterable {
    /// Lands, or stays on the ground: bit 9 clear. Repeated until the state shows it.
    case land
    /// Takes off, or stays in the air: bit 9 set. Repeated until the state shows it.
    case takeOff
    /// Bit 8 set: changes between emergency and none where it was clear before, however long it is repeated.
    case toggleEmergency

    /// The bits, with those that the guide wants always set (18, 20, 22, 24 and 28).
    package var bits: Int32 {
        let always: Int32 = 0x1154_0000
        switch self {
        case .land: return always
        case .takeOff: return always | 1 << 9
        case .toggleEmergency: return always | 1 << 8
        }
    }
}

/// The modes of `CTRL`.
package enum ATControl: Int, Hashable, Sendable, CaseIterable {
    /// Sends the configuration on the control channel.
    case sendConfiguration = 4
    /// Clears the acknowledgement.
    case clearAcknowledgement = 5
    /// Lists the identifiers of sessions, users and applications on the control channel.
    case listIDs = 6
}

/// The positions of the sticks, each a share of the configured limit from -1 to 1, with the guide's signs.
package struct ATSticks: Hashable, Sendable {
    /// To the right.
    package var roll: Double
    /// Nose up: positive flies **backward**.
    package var pitch: Double
    /// Up.
    package var climb: Double
    /// Turning to the right, clockwise seen from above.
    package var yaw: Double

    /// The positions; what is no number is 0, what is beyond a full deflection is one.
    package init(roll: Double, pitch: Double, climb: Double, yaw: Double) {
        self.roll = Self.clamped(roll)
        self.pitch = Self.clamped(pitch)
        self.climb = Self.clamped(climb)
        self.yaw = Self.clamped(yaw)
    }

    /// All released.
    package static let neutral = Self(roll: 0, pitch: 0, climb: 0, yaw: 0)

    private static func clamped(_ value: Double) -> Double { value.isFinite ? min(max(value, -1), 1) : 0 }

    var arguments: [String] { [roll, pitch, climb, yaw].map { "\(ATFloat.share($0))" } }
}

/// Numbers as the protocol has them: the bits of an IEEE 754 single, printed as a signed decimal.
package enum ATFloat {
    /// The bits of a number; those of 0 for -0 and for what is not finite in single precision.
    package static func bits(_ value: Double) -> Int32 {
        let single = Float(value)
        return single.isFinite && single != 0 ? Int32(bitPattern: single.bitPattern) : 0
    }

    /// The bits of a share from -1 to 1.
    static func share(_ value: Double) -> Int32 { value.isFinite ? bits(min(max(value, -1), 1)) : 0 }
}
