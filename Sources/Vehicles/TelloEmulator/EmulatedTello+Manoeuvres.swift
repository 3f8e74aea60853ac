#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Flips, arcs, and what is flown by mission pads.
extension EmulatedTello {
    /// A part of a move, metres per second and radians per second of the body.
    struct Leg: Sendable {
        var forward = 0.0
        var left = 0.0
        var up = 0.0
        var turn = 0.0
        var seconds: Double
    }

    /// A mission pad on the floor, its rocket along where the drone looked when it was switched on; metres from there.
    package struct Pad: Hashable, Sendable {
        /// 1 to 8.
        package var number: Int
        /// Metres forward.
        package var x: Double
        /// Metres to the left.
        package var y: Double

        /// A pad.
        package init(_ number: Int, x: Double, y: Double) {
            self.number = number
            self.x = x
            self.y = y
        }
    }

    /// How far from straight below a pad is seen, metres.
    private static let padReach = 0.6
    private static let arcPieces = 12
    /// Below this charge it does not flip, percent.
    private static let flipPercent = 50.0

    /// The nearest pad that is seen from a place; `nil` for none.
    func padInSight(x: Double, y: Double) -> Pad? {
        guard looksForPads else { return nil }
        func distance(_ pad: Pad) -> Double { ((pad.x - x) * (pad.x - x) + (pad.y - y) * (pad.y - y)).squareRoot() }
        return settings.pads.filter { distance($0) <= Self.padReach }.min { distance($0) < distance($1) }
    }

    /// What it says of pads in its state.
    var padPart: String {
        guard settings.edition != .sdk13 else { return "" }
        guard looksForPads else { return "mid:-2;x:-200;y:-200;z:-200;mpry:0,0,0;" }
        guard let pad = padInSight(x: body.x, y: body.y) else { return "mid:-1;x:-100;y:-100;z:-100;mpry:0,0,0;" }
        func centimetres(_ value: Double) -> Int { Int(exactly: (value * 100).rounded()) ?? 0 }
        let yaw = Int(exactly: (-body.yaw * 180 / .pi).rounded()) ?? 0
        return "mid:\(pad.number);x:\(centimetres(body.x - pad.x));y:\(centimetres(body.y - pad.y));"
            + "z:\(centimetres(body.z));mpry:0,0,\(yaw);"
    }

    // MARK: Settings

    /// What moves nothing; it is answered at once.
    mutating func set(_ name: String, _ words: [String]) {
        let number = words.count == 1 ? Int(words[0]) : nil
        switch name {
        case "mon": looksForPads = true
        case "moff": looksForPads = false
        case "ap": return join(words)
        // The second edition sends none as a station.
        case "streamon": sendsVideo = network == nil || settings.edition != .sdk20
        case "streamoff": sendsVideo = false
        case "mdirection":
            guard looksForPads else { return answer("error", after: Self.soon) }
            guard let number, (0...2).contains(number) else { return answer("out of range", after: Self.soon) }
        default:
            guard let number, (10...100).contains(number) else { return answer("out of range", after: Self.soon) }
            chosenSpeed = number
        }
        answer("ok", after: Self.soon)
    }

    /// The commands of ``set(_:_:)``.
    static let settingNames: Set<String> = ["mon", "moff", "mdirection", "speed", "streamon", "streamoff", "ap"]

    /// From the answer to `ap` to the restart, seconds.
    private static let restartSeconds = 3.0

    private mutating func join(_ words: [String]) {
        guard words.count == 2 else { return answer("error", after: Self.soon) }
        (network, restartsAt) = ((words[0], words[1]), now + Self.restartSeconds)
        answer("OK,drone will reboot in 3s\0", after: Self.soon)
    }

    /// Starts anew: it knows no ground, and if it flew it falls.
    mutating func restart() {
        restartsAt = nil
        if motorsRun { activity = .falling }
        (isInCommandMode, looksForPads, sendsVideo, chosenSpeed) = (false, false, false, nil)
        answers = []
    }

    // MARK: Moves

    mutating func flip(_ words: [String]) {
        guard words.count == 1, ["l", "r", "f", "b"].contains(words[0]), settings.battery >= Self.flipPercent else {
            return answer("error", after: Self.soon)
        }
        beginMove([Leg(seconds: 1)])
    }

    mutating func curve(_ words: [String]) {
        let numbers = words.prefix(7).compactMap { Int($0) }
        let pad = words.count == 8 ? padNamed(words[7]) : nil
        guard numbers.count == 7, words.count == 7 || words.count == 8 else { return answer("error", after: Self.soon) }
        guard numbers.prefix(6).allSatisfy({ (-500...500).contains($0) }), (10...60).contains(numbers[6]) else {
            return answer("out of range", after: Self.soon)
        }
        if words.count == 8, pad == nil { return answer("error No valid marker", after: Self.soon) }
        let places = numbers.map { Double($0) / 100 }
        var (first, second) = ((places[0], places[1], places[2]), (places[3], places[4], places[5]))
        if let pad {
            first = ofBody(overPad: pad, first)
            second = ofBody(overPad: pad, second)
        }
        guard let pieces = Self.arc(through: first, to: second) else {
            return answer("error Radius is too large!", after: Self.soon)
        }
        let speed = Double(numbers[6]) / 100
        beginMove(pieces.map { Self.leg($0, speed: speed) })
    }

    mutating func goOverPad(_ words: [String]) {
        let numbers = words.prefix(4).compactMap { Int($0) }
        guard words.count == 5, numbers.count == 4 else { return answer("error", after: Self.soon) }
        guard Self.mayFly(numbers) else { return answer("out of range", after: Self.soon) }
        guard let pad = padNamed(words[4]) else { return answer("error No valid marker", after: Self.soon) }
        beginMove([leg(overPad: pad, numbers)])
    }

    mutating func jump(_ words: [String]) {
        let numbers = words.prefix(5).compactMap { Int($0) }
        guard words.count == 7, numbers.count == 5 else { return answer("error", after: Self.soon) }
        guard Self.mayFly(numbers), (-360...360).contains(numbers[4]) else {
            return answer("out of range", after: Self.soon)
        }
        guard let pad = padNamed(words[5]) else { return answer("error No valid marker", after: Self.soon) }
        let end = (x: pad.x + Double(numbers[0]) / 100, y: pad.y + Double(numbers[1]) / 100)
        let second = padNamed(words[6], x: end.x, y: end.y)
        var legs = [leg(overPad: pad, numbers)]
        if second != nil {
            let turn = (-Double(numbers[4]) * .pi / 180 - body.yaw).remainder(dividingBy: 2 * .pi)
            let rate = turn < 0 ? -Double.pi / 2 : .pi / 2
            legs.append(Leg(turn: rate, seconds: turn / rate))
        }
        beginMove(legs, answering: second == nil ? "error No valid marker" : "ok")
    }

    /// The pad of that name, if it is the one in sight.
    private func padNamed(_ name: String) -> Pad? { padNamed(name, x: body.x, y: body.y) }

    /// The same from another place. The third edition also takes the one that it sees first, m-1, and the nearest, m-2: here
    /// there is never more than one in sight.
    private func padNamed(_ name: String, x: Double, y: Double) -> Pad? {
        let isAny = settings.edition == .sdk30 && ["m-1", "m-2"].contains(name)
        return padInSight(x: x, y: y).flatMap { isAny || name == "m\($0.number)" ? $0 : nil }
    }

    private static func mayFly(_ numbers: [Int]) -> Bool {
        numbers.prefix(2).allSatisfy { (-500...500).contains($0) } && (0...500).contains(numbers[2])
            && (10...100).contains(numbers[3])
    }

    private func leg(overPad pad: Pad, _ numbers: [Int]) -> Leg {
        let place = ofBody(overPad: pad, (Double(numbers[0]) / 100, Double(numbers[1]) / 100, Double(numbers[2]) / 100))
        return Self.leg(place, speed: Double(numbers[3]) / 100)
    }

    /// A place over a pad, from where the body is and looks to.
    private func ofBody(overPad pad: Pad, _ place: (Double, Double, Double)) -> (Double, Double, Double) {
        let (dx, dy) = (pad.x + place.0 - body.x, pad.y + place.1 - body.y)
        return (dx * cos(body.yaw) + dy * sin(body.yaw), dy * cos(body.yaw) - dx * sin(body.yaw), place.2 - body.z)
    }

    private static func leg(_ way: (Double, Double, Double), speed: Double) -> Leg {
        let length = (way.0 * way.0 + way.1 * way.1 + way.2 * way.2).squareRoot()
        guard length > 0.001 else { return Leg(seconds: 0) }
        let share = speed / length
        return Leg(forward: way.0 * share, left: way.1 * share, up: way.2 * share, seconds: length / speed)
    }

    /// The straight pieces of an arc from where it is; `nil` for a radius that it does not fly.
    private static func arc(
        through first: (Double, Double, Double), to second: (Double, Double, Double)
    ) -> [(Double, Double, Double)]? {
        typealias Place = (Double, Double, Double)
        func dot(_ a: Place, _ b: Place) -> Double { a.0 * b.0 + a.1 * b.1 + a.2 * b.2 }
        // The centre is first * a + second * b: as far from both places as from where it is.
        let (ff, fs, ss) = (dot(first, first), dot(first, second), dot(second, second))
        let determinant = ff * ss - fs * fs
        guard determinant > 1e-8 else { return nil }
        let (a, b) = (ss * (ff - fs) / (2 * determinant), ff * (ss - fs) / (2 * determinant))
        let centre = (first.0 * a + second.0 * b, first.1 * a + second.1 * b, first.2 * a + second.2 * b)
        let radius = dot(centre, centre).squareRoot()
        guard (0.5...10).contains(radius) else { return nil }
        // In the plane of the arc: one axis to where it begins, the other one towards the place on the way.
        let u = (-centre.0 / radius, -centre.1 / radius, -centre.2 / radius)
        func angle(_ place: Place, _ v: Place) -> Double {
            let spoke = (place.0 - centre.0, place.1 - centre.1, place.2 - centre.2)
            let raw = atan2(dot(spoke, v), dot(spoke, u))
            return raw < 0 ? raw + 2 * .pi : raw
        }
        let along = dot(first, u)
        let across = (first.0 - u.0 * along, first.1 - u.1 * along, first.2 - u.2 * along)
        let width = dot(across, across).squareRoot()
        guard width > 1e-6 else { return nil }
        var v = (across.0 / width, across.1 / width, across.2 / width)
        // The place on the way comes before the end.
        if angle(first, v) > angle(second, v) { v = (-v.0, -v.1, -v.2) }
        let whole = angle(second, v)
        var pieces: [Place] = []
        var last = (0.0, 0.0, 0.0)
        for number in 1...arcPieces {
            let turned = whole * Double(number) / Double(arcPieces)
            let (c, s) = (cos(turned) * radius, sin(turned) * radius)
            let place = (
                centre.0 + u.0 * c + v.0 * s, centre.1 + u.1 * c + v.1 * s, centre.2 + u.2 * c + v.2 * s
            )
            pieces.append((place.0 - last.0, place.1 - last.1, place.2 - last.2))
            last = place
        }
        return pieces
    }
}
