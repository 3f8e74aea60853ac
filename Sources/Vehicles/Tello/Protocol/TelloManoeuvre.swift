internal import UAVLink

/// A place relative to where a move begins, or in the frame of a pad: centimetres; x forward (along the pad's rocket), y
/// left, z up.
package struct TelloPoint: Hashable, Sendable {
    /// Forward.
    package var x: Int
    /// To the left.
    package var y: Int
    /// Up.
    package var z: Int

    /// A place, centimetres.
    package init(_ x: Int, _ y: Int, _ z: Int) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The three numbers as the protocol writes them.
    package var text: String { "\(x) \(y) \(z)" }

    /// Whether the drone refuses it as too near: no more than 20 cm along each axis.
    package var isTooNear: Bool {
        let reach = -TelloCommand.leastGoCentimetres...TelloCommand.leastGoCentimetres
        return [x, y, z].allSatisfy { reach.contains($0) }
    }
}

/// A mission pad: a printed sheet that the EDU and the TT recognise.
package struct TelloPad: Hashable, Sendable {
    /// 1 to 8; in SDK 3.0 also -1, the one that is seen first, and -2, the nearest.
    package var number: Int

    /// A pad by its number, which is not checked: ``TelloCommand/validate(for:)`` does that.
    package init(_ number: Int) { self.number = number }

    /// Reads `m1` to `m8`, `m-1` and `m-2`; `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        guard let number = Self.numbers.first(where: { text == "m\($0)" }) else { return nil }
        self.number = number
    }

    /// `m1`
    package var text: String { "m\(number)" }

    private static let numbers = [1, 2, 3, 4, 5, 6, 7, 8, -1, -2]

    func validate(for version: TelloVersion) throws(LinkError) {
        guard version.hasPads else {
            throw LinkError(.unsupported, "the Tello's SDK \(version.text) has no mission pads")
        }
        guard Self.numbers.contains(number), number > 0 || version >= .sdk30 else {
            throw LinkError(
                .invalidInput, "'\(text)' is no mission pad of SDK \(version.text)", hint: "they are m1 to m8")
        }
    }
}

/// An arc from where the drone is through one place to another.
package struct TelloArc: Hashable, Sendable {
    /// The place on the way.
    package var through: TelloPoint
    /// The end.
    package var end: TelloPoint

    /// An arc.
    package init(through: TelloPoint, end: TelloPoint) {
        self.through = through
        self.end = end
    }

    /// Its radius, centimetres; `nil` where the three places lie in a line.
    package var radiusCentimetres: Double? {
        let (a, b) = (Self.vector(through), Self.vector(end))
        let chord = b - a
        let normal = a.cross(b)
        let doubleArea = normal.dot(normal).squareRoot()
        // Of whole centimetres, the smallest area that is none at all.
        guard doubleArea >= 1 else { return nil }
        let sides = (a.dot(a) * b.dot(b) * chord.dot(chord)).squareRoot()
        return sides / (2 * doubleArea)
    }

    private static func vector(_ point: TelloPoint) -> Vector3 {
        Vector3(x: Double(point.x), y: Double(point.y), z: Double(point.z))
    }
}

extension TelloCommand {
    /// The side to which it flips.
    package enum Flip: String, Hashable, Sendable, CaseIterable {
        case left = "l"
        case right = "r"
        case forward = "f"
        case back = "b"
    }

    /// Which cameras look for pads: 0 the one that looks down, 1 the one that looks forward, 2 both.
    package static let padDirections = 0...2
    /// Centimetres per second of an arc.
    package static let arcSpeeds = 10...60
    /// Centimetres: 0.5 to 10 m.
    package static let arcRadii = 50.0...1000.0
    /// Degrees of `jump`, in the frame of the second pad.
    package static let jumpYaws = -360...360
    /// Centimetres above a pad.
    package static let padHeights = 0...500
    /// Below this charge it refuses to flip, percent (reported, not in the documents).
    package static let flipBattery = 50

    static func validate(_ point: TelloPoint, overPad: Bool, what: String) throws(LinkError) {
        for (value, axis) in [(point.x, "x"), (point.y, "y")] {
            try require(value, in: goCentimetres, axis, "cm", what)
        }
        try require(point.z, in: overPad ? padHeights : goCentimetres, "z", "cm", what)
    }

    static func validate(_ arc: TelloArc, speed: Int, pad: TelloPad?, for version: TelloVersion) throws(LinkError) {
        if let pad { try pad.validate(for: version) }
        try require(speed, in: arcSpeeds, "the speed", "cm/s", " of an arc")
        for point in [arc.through, arc.end] {
            try validate(point, overPad: pad != nil, what: " of an arc")
            if point.isTooNear {
                throw LinkError(
                    .invalidInput, "the arc's place \(point.text) is too near: more than 0.2 m along one axis is needed"
                )
            }
        }
        // In the frame of a pad it is not known where the arc begins.
        guard pad == nil else { return }
        guard let radius = arc.radiusCentimetres else {
            throw LinkError(.invalidInput, "the places of the arc lie in a line", hint: "use 'go' for a straight way")
        }
        guard arcRadii.contains(radius) else {
            let metres = (radius / 10).rounded() / 10
            throw LinkError(.invalidInput, "the arc's radius of \(metres) m is outside the Tello's 0.5 to 10 m")
        }
    }
}
