#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a robot's two motors get: -255 to 255.
package struct Motors: Hashable, Sendable {
    package var left: Double
    package var right: Double

    package init(_ left: Double, _ right: Double) {
        self.left = left
        self.right = right
    }

    package static let off = Self(0, 0)
    /// Around its own middle; left if positive.
    static func turn(_ power: Double) -> Self { Self(-power, power) }
    static func straight(_ power: Double) -> Self { Self(power, power) }
}

/// What an emulated robot senses.
struct Senses: Sendable {
    /// To what is in front, and 45 degrees to both sides, metres.
    var front: Double
    var left: Double
    var right: Double
    /// No floor in front of it.
    var isAtCliff: Bool
    /// It has touched something.
    var hasBumped: Bool
    /// 0 to 1.
    var battery: Double
    /// Where the source of infrared and the dock are, seen from its heading: radians, left positive.
    var personBearing: Double
    var personDistance: Double
    var dockBearing: Double
    var dockDistance: Double
}

/// The behaviours, each a rule from senses to motors; of those that a task has, the one with the lowest priority that wants something
/// drives: subsumption.
package enum Behaviour: String, Hashable, Sendable, CaseIterable {
    case stop, manual, escape, avoid, power, attract, repel
    /// Goes ahead when no other wants anything: what a patrol does between its obstacles.
    case cruise

    /// The lower wins; of equal ones, the one that the task lists first.
    package var priority: Int {
        switch self {
        case .stop: 1
        case .manual: 2
        case .escape: 3
        case .avoid: 4
        case .power: 5
        case .attract, .repel: 6
        case .cruise: 7
        }
    }
}

/// The robot's tasks.
package enum EmulatedTask: Int, Hashable, Sendable, CaseIterable {
    case status, remote, patrol, followIR, avoidIR

    /// As the robot calls it.
    package var name: String {
        switch self {
        case .status: "Status"
        case .remote: "Remote"
        case .patrol: "Patrol"
        case .followIR: "Follow IR"
        case .avoidIR: "Avoid IR"
        }
    }

    /// What it consists of.
    package var behaviours: [Behaviour] {
        switch self {
        case .status: [.stop]
        case .remote: [.manual]
        case .patrol: [.avoid, .escape, .power, .cruise]
        case .followIR: [.attract, .avoid, .escape, .power]
        case .avoidIR: [.repel, .avoid, .escape, .power]
        }
    }
}

/// What the behaviours remember from one step to the next.
struct BehaviourMemory: Sendable {
    /// The keys' motors.
    var manual = Motors.off
    /// Until when it backs off, and then turns: seconds.
    var escapeBacksUntil = -Double.infinity
    var escapeTurnsUntil = -Double.infinity
    var isCharging = false
}

extension Behaviour {
    /// Nearer than this it escapes, farther than the other it need not avoid; metres.
    static let escapeMetres = 0.12
    static let avoidMetres = 0.4
    /// Below the first it looks for its dock, up to the second it stays there.
    static let lowBattery = 0.2
    static let fullBattery = 0.9
    /// How near it goes to a person, and from how far it flees; metres.
    static let nearMetres = 0.5
    static let farMetres = 1.5

    /// The motors that it wants; `nil` if nothing.
    func wants(_ senses: Senses, _ memory: inout BehaviourMemory, now: Double) -> Motors? {
        switch self {
        case .stop: return .off
        case .manual: return memory.manual
        case .escape:
            let isIdle = now >= memory.escapeTurnsUntil
            if isIdle, senses.isAtCliff || senses.hasBumped || senses.front < Self.escapeMetres {
                memory.escapeBacksUntil = now + 0.5
                memory.escapeTurnsUntil = now + 1.3
            }
            if now < memory.escapeBacksUntil { return .straight(-150) }
            return now < memory.escapeTurnsUntil ? .turn(150) : nil
        case .avoid:
            guard min(senses.front, senses.left, senses.right) < Self.avoidMetres else { return nil }
            if senses.front < Self.avoidMetres { return .turn(senses.left >= senses.right ? 120 : -120) }
            return senses.left < senses.right ? Motors(140, 60) : Motors(60, 140)
        case .power:
            if memory.isCharging, senses.battery >= Self.fullBattery { memory.isCharging = false }
            guard memory.isCharging || senses.battery < Self.lowBattery else { return nil }
            guard senses.dockDistance > 0.15 else {
                memory.isCharging = true
                return .off
            }
            return Self.go(senses.dockBearing)
        case .attract:
            return senses.personDistance > Self.nearMetres ? Self.go(senses.personBearing) : .off
        case .repel:
            guard senses.personDistance < Self.farMetres else { return .off }
            return Self.go(senses.personBearing > 0 ? senses.personBearing - .pi : senses.personBearing + .pi)
        case .cruise: return .straight(140)
        }
    }

    /// Turns until it looks there, then goes.
    private static func go(_ bearing: Double) -> Motors {
        if abs(bearing) > 0.4 { return .turn(bearing > 0 ? 110 : -110) }
        return Motors(130 - bearing * 60, 130 + bearing * 60)
    }
}
