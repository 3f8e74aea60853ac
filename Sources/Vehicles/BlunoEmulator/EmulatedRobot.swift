#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A robot with two driven wheels, as a value: bytes in, text out, time from outside.
///
/// Its program is that of the Bluno remote's robot: five tasks of behaviours with priorities. It has no acknowledgement, and, like
/// that one, no watchdog of its own unless ``Settings/watchdogSeconds`` gives one: a direction is kept until another character comes.
package struct EmulatedRobot: Sendable {
    /// What it is like.
    package struct Settings: Sendable {
        /// The battery at first, percent.
        package var battery = 100.0
        /// How fast the motors drain it at full power, percent per second; standing it takes a tenth.
        package var drainPercentPerSecond = 0.2
        /// From one report of its battery to the next, seconds.
        package var reportSeconds = 1.0
        /// It stops by itself when no character has come for so long while it is driven by the keys, seconds; `nil` for never.
        package var watchdogSeconds: Double?
        /// Where it is.
        package var room = EmulatedRoom()

        /// A new one.
        package init() {}
    }

    /// Metres per second at full power.
    static let fullSpeed = 0.5
    /// The distance of its wheels, and its radius, metres.
    static let wheelBase = 0.2
    static let radius = 0.12
    private static let step = 0.01
    /// So near in front it touches something.
    private static let touchMetres = 0.01

    /// What it is like.
    package var settings: Settings
    /// Where it is; its heading in radians, counter-clockwise from the room's x axis.
    package private(set) var place = RoomPlace(1, 1.5)
    package private(set) var heading = 0.0
    /// Its task.
    package private(set) var task = EmulatedTask.status
    /// What drives it now; `nil` if nothing does.
    package private(set) var behaviour: Behaviour?
    /// What its motors get.
    package private(set) var motors = Motors.off
    /// The charge, percent.
    package private(set) var battery: Double
    /// The last speed that it was given.
    package private(set) var speed = 128
    /// The characters and values that have come: what its program saw.
    package private(set) var words: [String] = []
    /// Bytes that have come.
    package private(set) var bytesReceived = 0
    /// Whether it has driven over the edge.
    package private(set) var hasFallen = false

    private var now: Double
    private var memory = BehaviourMemory()
    private var parser = RobotParser()
    private var output: [UInt8] = []
    private var reportsAt: Double
    private var lastCharacterAt: Double
    private var hasLight = false
    private static let mostWords = 1000
    private static let mostOutput = 4096

    /// Switched on at a time, seconds.
    package init(_ settings: Settings = Settings(), now: Double) {
        self.settings = settings
        battery = min(max(settings.battery, 0), 100)
        (self.now, reportsAt, lastCharacterAt) = (now, now, now)
    }

    // MARK: What it hears and says

    /// Bytes have come.
    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            bytesReceived &+= 1
            guard let word = parser.take(byte) else { continue }
            lastCharacterAt = now
            switch word {
            case .value(let value):
                note("<\(value)>")
                speed = min(value, 255)
                if memory.manual != .off { memory.manual = scaled(memory.manual) }
            case .character(let character): obey(character)
            }
        }
    }

    private mutating func obey(_ character: UInt8) {
        guard (0x21...0x7E).contains(character) else { return }
        note(String(UnicodeScalar(character)))
        if (0x30...0x39).contains(character) {
            guard let next = EmulatedTask(rawValue: Int(character - 0x30)) else {
                return say("no task \(character - 0x30)")
            }
            (task, memory) = (next, BehaviourMemory())
            return say("task \(next.rawValue) \(next.name)")
        }
        guard let key = Self.keys[character] else { return }
        switch key {
        case .ask: answer(character)
        case .drive(let left, let right):
            guard task == .remote else { return }
            memory.manual = scaled(Motors(left, right))
        }
    }

    private enum Key { case ask, drive(Double, Double) }
    private static let keys: [UInt8: Key] = [
        UInt8(ascii: "f"): .drive(1, 1), UInt8(ascii: "b"): .drive(-1, -1), UInt8(ascii: "l"): .drive(-1, 1),
        UInt8(ascii: "r"): .drive(1, -1), UInt8(ascii: "s"): .drive(0, 0), UInt8(ascii: "w"): .ask,
        UInt8(ascii: "x"): .ask, UInt8(ascii: "y"): .ask, UInt8(ascii: "z"): .ask,
    ]

    private func scaled(_ motors: Motors) -> Motors {
        func sign(_ value: Double) -> Double { value > 0 ? 1 : value < 0 ? -1 : 0 }
        return Motors(sign(motors.left) * Double(speed), sign(motors.right) * Double(speed))
    }

    private mutating func answer(_ character: UInt8) {
        switch character {
        case UInt8(ascii: "w"):
            hasLight.toggle()
            say("light \(hasLight ? "on" : "off")")
        case UInt8(ascii: "x"): say("distance \(Self.hundredths(senses.front)) m")
        case UInt8(ascii: "y"):
            say("place \(Self.hundredths(place.x)) \(Self.hundredths(place.y)) m")
        default: say("task \(task.rawValue) \(task.name), \(behaviour?.rawValue ?? "idle")")
        }
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private mutating func say(_ line: String) {
        guard output.count < Self.mostOutput else { return }
        output += Array("\(line)\r\n".utf8)
    }

    private mutating func note(_ word: String) {
        if words.count >= Self.mostWords { words.removeFirst(Self.mostWords / 2) }
        words.append(word)
    }

    /// What it has said since the last call.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: What it does

    /// Lives until that time, seconds; a pause of more than a second is not lived through.
    package mutating func advance(to time: Double) {
        if time - now > 1 { now = time - 1 }
        while now + Self.step <= time {
            now += Self.step
            live()
        }
        if now >= reportsAt {
            reportsAt = max(reportsAt + settings.reportSeconds, now)
            say("battery \(Int(exactly: battery.rounded()) ?? 0) %")
        }
    }

    private var senses: Senses {
        let room = settings.room
        let ahead = RoomPlace(place.x + cos(heading) * Self.radius, place.y + sin(heading) * Self.radius)
        let touch = RoomPlace(place.x + cos(heading) * Self.touchMetres, place.y + sin(heading) * Self.touchMetres)
        func bearing(_ target: RoomPlace) -> Double {
            let angle = place.bearing(to: target) - heading
            return atan2(sin(angle), cos(angle))
        }
        return Senses(
            front: room.distance(from: ahead, towards: heading),
            left: room.distance(from: ahead, towards: heading + .pi / 4),
            right: room.distance(from: ahead, towards: heading - .pi / 4), isAtCliff: !room.hasFloor(ahead),
            hasBumped: room.blocks(touch, radius: Self.radius), battery: battery / 100,
            personBearing: bearing(room.person),
            personDistance: place.distance(to: room.person), dockBearing: bearing(room.dock),
            dockDistance: place.distance(to: room.dock))
    }

    private mutating func live() {
        if let limit = settings.watchdogSeconds, task == .remote, memory.manual != .off,
            now - lastCharacterAt > limit
        {
            memory.manual = .off
            say("nothing heard: stopped")
        }
        let senses = senses
        decide(senses)
        drain()
        move()
    }

    /// Of the task's behaviours, the one with the lowest priority that wants something.
    private mutating func decide(_ senses: Senses) {
        let before = behaviour
        (behaviour, motors) = (nil, .off)
        guard battery > 0, !hasFallen else { return }
        // A stable order: of equal priorities the first of the list.
        let ordered = task.behaviours.enumerated().sorted {
            ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
        }
        for (_, candidate) in ordered {
            guard let wanted = candidate.wants(senses, &memory, now: now) else { continue }
            (behaviour, motors) = (candidate, wanted)
            break
        }
        // The sensors of cliff and collision stop what would go on ahead, in each task.
        if senses.isAtCliff || senses.hasBumped, motors.left + motors.right > 0 {
            if before != .stop { say(senses.isAtCliff ? "cliff" : "collision") }
            (behaviour, motors) = (.stop, .off)
        }
    }

    private mutating func drain() {
        if memory.isCharging {
            battery = min(battery + 5 * Self.step, 100)
            return
        }
        let power = (abs(motors.left) + abs(motors.right)) / 510
        battery = max(battery - settings.drainPercentPerSecond * max(power, 0.1) * Self.step, 0)
    }

    private mutating func move() {
        let (left, right) = (motors.left / 255 * Self.fullSpeed, motors.right / 255 * Self.fullSpeed)
        let angle = heading + (right - left) / Self.wheelBase * Self.step
        heading = atan2(sin(angle), cos(angle))
        let ahead = (left + right) / 2 * Self.step
        guard ahead != 0 else { return }
        let next = RoomPlace(place.x + cos(heading) * ahead, place.y + sin(heading) * ahead)
        guard !settings.room.blocks(next, radius: Self.radius) else { return }
        place = next
        if !settings.room.hasFloor(place), !hasFallen {
            hasFallen = true
            say("fallen")
        }
    }
}
