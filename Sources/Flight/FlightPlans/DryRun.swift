internal import Tello
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Where the drone is after each step of a plan, and when: computed, nothing is flown.
///
/// Metres from where it takes off, x along its nose, y to its left, z up; headings are radians counter-clockwise from there.
/// Times are estimates: the protocol has none, and the drone answers a move about a second after its end (reported).
package struct DryRun: Hashable, Sendable {
    /// The lowest and the highest that the drone may be, metres: take-offs end between 0.5 and 1 m.
    package struct Heights: Hashable, Sendable {
        package var least: Double
        package var most: Double
    }

    /// After one step.
    package struct Moment: Hashable, Sendable {
        /// Its place; `nil` once it is not known, after a pad whose place the plan does not say.
        package var place: Vector3?
        /// Its heading; `nil` likewise.
        package var heading: Double?
        /// Its height at the end.
        package var heights: Heights
        /// The lowest and the highest during the step.
        package var passed: Heights
        /// Seconds from the beginning of the plan to the end of the step.
        package var seconds: Double
        /// Seconds of the step itself.
        package var takes: Double
        /// Percent of a full battery that was used.
        package var battery: Double
        /// Where it was on the way, the end included; for drawing.
        package var path: [Vector3]
    }

    /// One for each step of the plan.
    package private(set) var moments: [Moment] = []

    private var now = Moment(
        place: .zero, heading: 0, heights: .init(least: 0, most: 0), passed: .init(least: 0, most: 0), seconds: 0,
        takes: 0,
        battery: 0, path: [])
    private var isFlying = false
    private var speed = Self.usualSpeed
    private let pads: [Int: FlightPlan.Place]

    /// Metres per second of a move until `speed` says another: of the 3.6 s that 100 cm take (reported).
    static let usualSpeed = 0.4
    /// From the end of a move to its answer, seconds.
    private static let settling = 1.0
    /// Degrees per second of a turn.
    private static let turning = 90.0
    private static let takeOffSeconds = 5.0
    private static let takeOffHeights = Heights(least: 0.5, most: 1)
    private static let landingSpeed = 0.4
    private static let flipSeconds = 2.0
    private static let settingSeconds = 0.1
    /// Of a full battery in the air: 13 minutes by its maker.
    private static let flightSeconds = 780.0
    private static let arcPieces = 24

    /// Moves a drone through the plan.
    package init(_ plan: FlightPlan) {
        pads = plan.pads
        for step in plan.steps {
            now.path = []
            now.passed = now.heights
            switch step.action {
            case .wait(let seconds): pass(seconds)
            case .send(let command): take(command)
            }
            if let place = now.place, now.path.isEmpty { now.path = [place] }
            moments.append(now)
        }
    }

    private mutating func pass(_ seconds: Double) {
        now.seconds += seconds
        now.takes = seconds
        if isFlying { now.battery += 100 * seconds / Self.flightSeconds }
    }

    private mutating func take(_ command: TelloCommand) {
        switch command {
        case .takeoff:
            isFlying = true
            rise(to: Self.takeOffHeights)
            now.place?.z = 0.8
            pass(Self.takeOffSeconds)
        case .land, .emergency:
            pass(now.heights.most / Self.landingSpeed + Self.settling)
            rise(to: .init(least: 0, most: 0))
            now.place?.z = 0
            isFlying = false
        case .move(let direction, let centimetres): fly(direction, Double(centimetres) / 100)
        case .turn(let clockwise, let degrees):
            turn(by: Heading.radians(degrees: Double(clockwise ? -degrees : degrees)))
            pass(Double(degrees) / Self.turning + Self.settling)
        case .go(let x, let y, let z, let speed): fly(TelloPoint(x, y, z), at: speed)
        case .curve(let arc, let speed, nil): fly(arc, at: speed)
        case .curve(let arc, let speed, let pad?): flyOverPad(arc.end, through: arc.through, at: speed, pad)
        case .goOverPad(let point, let speed, let pad): flyOverPad(point, at: speed, pad)
        case .jump(let point, let speed, let yaw, let first, let second):
            flyOverPad(point, at: speed, first)
            // Over the second pad it turns to the yaw in that pad's frame, which lies as the take-off does.
            now.heading = pads[second.number] == nil ? nil : Heading.radians(degrees: Double(-yaw))
            let takes = now.takes
            pass(180 / Self.turning)
            now.takes += takes
        case .flip: pass(Self.flipSeconds + Self.settling)
        case .speed(let value):
            speed = Self.speed(value)
            pass(Self.settingSeconds)
        case .stop, .padDetection, .padDirection, .video, .setting, .sticks, .command, .read, .join:
            pass(Self.settingSeconds)
        }
    }

    private mutating func rise(to heights: Heights) {
        now.passed = .init(least: min(now.heights.least, heights.least), most: max(now.heights.most, heights.most))
        now.heights = heights
    }

    private mutating func climb(by metres: Double) {
        rise(to: .init(least: now.heights.least + metres, most: now.heights.most + metres))
    }

    private mutating func turn(by radians: Double) { now.heading = now.heading.map { Heading.wrapped($0 + radians) } }

    private mutating func fly(_ direction: TelloCommand.Direction, _ metres: Double) {
        switch direction {
        case .forward: go(Vector3(x: metres, y: 0, z: 0))
        case .back: go(Vector3(x: -metres, y: 0, z: 0))
        case .left: go(Vector3(x: 0, y: metres, z: 0))
        case .right: go(Vector3(x: 0, y: -metres, z: 0))
        case .up: go(Vector3(x: 0, y: 0, z: metres))
        case .down: go(Vector3(x: 0, y: 0, z: -metres))
        }
        pass(metres / speed + Self.settling)
    }

    private mutating func fly(_ point: TelloPoint, at centimetresPerSecond: Int) {
        let way = Self.metres(point)
        go(way)
        pass(way.length / Self.speed(centimetresPerSecond) + Self.settling)
    }

    private mutating func fly(_ arc: TelloArc, at centimetresPerSecond: Int) {
        let before = now
        let points = ArcPath(arc)?.points(Self.arcPieces) ?? [Self.metres(arc.end)]
        var (length, last) = (0.0, Vector3.zero)
        for point in points {
            length += (point - last).length
            last = point
        }
        let ups = points.map(\.z)
        now.path = points.compactMap { before.world($0) }
        now.place = before.world(last)
        let (least, most) = (before.heights.least, before.heights.most)
        now.passed = .init(least: least + min(0, ups.min() ?? 0), most: most + max(0, ups.max() ?? 0))
        now.heights = .init(least: least + last.z, most: most + last.z)
        pass(length / Self.speed(centimetresPerSecond) + Self.settling)
    }

    private mutating func flyOverPad(
        _ point: TelloPoint, through: TelloPoint? = nil, at centimetresPerSecond: Int, _ pad: TelloPad
    ) {
        let metres = Self.metres(point)
        let before = now.place
        now.place = pads[pad.number].map {
            Vector3(x: Double($0.x) / 100 + metres.x, y: Double($0.y) / 100 + metres.y, z: metres.z)
        }
        rise(to: .init(least: metres.z, most: metres.z))
        if let through {
            let height = Self.metres(through).z
            now.passed = .init(least: min(now.passed.least, height), most: max(now.passed.most, height))
        }
        // Without a place of the pad, from straight above it.
        let way = before.flatMap { from in now.place.map { ($0 - from).length } } ?? metres.length
        pass(way / Self.speed(centimetresPerSecond) + Self.settling)
    }

    private mutating func go(_ way: Vector3) {
        now.place = now.world(way)
        climb(by: way.z)
    }

    private static func metres(_ point: TelloPoint) -> Vector3 {
        Vector3(x: Double(point.x) / 100, y: Double(point.y) / 100, z: Double(point.z) / 100)
    }

    /// Of a speed that is checked elsewhere: never by zero.
    private static func speed(_ centimetresPerSecond: Int) -> Double { max(0.01, Double(centimetresPerSecond) / 100) }
}

extension DryRun.Moment {
    /// A place of the body's frame.
    fileprivate func world(_ way: Vector3) -> Vector3? {
        guard let place, let heading else { return nil }
        return place
            + Vector3(
                x: way.x * cos(heading) - way.y * sin(heading), y: way.x * sin(heading) + way.y * cos(heading), z: way.z
            )
    }
}
