internal import FlightVolume
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// What differs between the world that is used for the checks and the vehicle's own, in words.
///
/// Both may have thousands of corners and obstacles: sides are found by a tree, obstacles by their place.
enum WorldDifference {
    /// Borders and obstacles that are this near to each other count as the same, metres: survey and rounding.
    private static let toleranceMetres = 0.5
    /// The same for heights, metres.
    private static let heightMetres = 0.1

    /// One line for each difference that matters; none if both allow the same flights.
    ///
    /// - Parameters:
    ///   - used: of the world file that was given; `nil`: it has no safety area.
    ///   - own: of the vehicle's world.
    static func lines(used: FlyableVolume?, own: FlyableVolume?) -> [String] {
        let (used, own) = (used.flatMap { $0.isEnabled ? $0 : nil }, own.flatMap { $0.isEnabled ? $0 : nil })
        guard used != own else { return [] }
        guard let used else {
            return ["the vehicle's own world limits where it may fly, and the world used here does not"]
        }
        guard let own else {
            return ["the vehicle's own world does not limit where it may fly, and the world used here does"]
        }
        return [border(used, own), heights(used, own)].compactMap(\.self) + obstacles(used, own)
    }

    private static func border(_ used: FlyableVolume, _ own: FlyableVolume) -> String? {
        let apart = Sides(used.corners).distance(to: Sides(own.corners))
        guard apart > toleranceMetres else { return nil }
        return "the border of the vehicle's own safety area differs from the one used here by \(metres(apart))"
    }

    private static func heights(_ used: FlyableVolume, _ own: FlyableVolume) -> String? {
        guard
            !(isSame(used.minimumZMetres, own.minimumZMetres) && isSame(used.maximumZMetres, own.maximumZMetres))
        else { return nil }
        return "the vehicle's own safety area is from \(own.minimumZMetres.formatted(decimals: 1)) to "
            + "\(metres(own.maximumZMetres)) high, the one used here from "
            + "\(used.minimumZMetres.formatted(decimals: 1)) to \(metres(used.maximumZMetres))"
    }

    private static func obstacles(_ used: FlyableVolume, _ own: FlyableVolume) -> [String] {
        func words(_ count: Int) -> String { count == 1 ? "1 obstacle" : "\(count) obstacles" }
        let (ofUsed, ofOwn) = (used.obstacles.map { Footprint($0) }, own.obstacles.map { Footprint($0) })
        var lines: [String] = []
        let ofVehicle = missing(ofOwn, in: ofUsed)
        if ofVehicle > 0 {
            lines.append("the vehicle's own world has \(words(ofVehicle)) that the world used here lacks")
        }
        let ofFile = missing(ofUsed, in: ofOwn)
        if ofFile > 0 {
            lines.append("the world used here has \(words(ofFile)) that the vehicle's own lacks")
        }
        return lines
    }

    /// How many of some obstacles are not among the others.
    private static func missing(_ some: [Footprint], in others: [Footprint]) -> Int {
        let places = Dictionary(grouping: others, by: \.cell)
        return some.count { one in
            !one.cellsNearby.contains { cell in places[cell]?.contains { one.isSame(as: $0) } == true }
        }
    }

    private static func isSame(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= heightMetres
    }

    private static func metres(_ value: Double) -> String { "\(value.formatted(decimals: 1)) m" }

    // MARK: Outlines

    /// The sides of an outline on the ground.
    private struct Sides {
        let corners: [SIMD2<Double>]
        private let ring: PathDistance?

        init(_ corners: [SIMD2<Double>]) {
            self.corners = corners
            ring = PathDistance((corners + corners.prefix(1)).map { Self.ground($0) })
        }

        /// The greatest distance of a corner or the middle of a side of one outline to the other one, metres.
        func distance(to other: Self) -> Double {
            corners == other.corners ? 0 : max(reach(to: other), other.reach(to: self))
        }

        private func reach(to other: Self) -> Double {
            guard let ring = other.ring else { return corners.isEmpty ? 0 : .infinity }
            let middles = zip(corners, corners.dropFirst() + corners.prefix(1)).map { ($0 + $1) / 2 }
            return (corners + middles).map { ring.distance(to: Self.ground($0)) }.max() ?? 0
        }

        private static func ground(_ corner: SIMD2<Double>) -> Vector3 { Vector3(x: corner.x, y: corner.y, z: 0) }
    }

    /// An obstacle, with what it is found by.
    private struct Footprint {
        let sides: Sides
        let lowest: Double
        let greatest: Double
        /// The bounds of the outline: those of two obstacles that are the same are as near to each other as their outlines.
        let low: SIMD2<Double>
        let high: SIMD2<Double>

        init(_ obstacle: FlightObstacle) {
            let outline = obstacle.outline
            sides = Sides(outline)
            (lowest, greatest) = (obstacle.minimumZMetres, obstacle.maximumZMetres)
            let first = outline.first ?? .zero
            low = outline.reduce(first) { pointwiseMin($0, $1) }
            high = outline.reduce(first) { pointwiseMax($0, $1) }
        }

        /// The square that its lower left end lies in.
        var cell: SIMD2<Int> {
            let place = (low / toleranceMetres).rounded(.down)
            return SIMD2(Int(saturating: place.x), Int(saturating: place.y))
        }

        /// The squares in which those of the same obstacle may lie.
        var cellsNearby: [SIMD2<Int>] {
            let cell = cell
            return (-1...1).flatMap { x in (-1...1).map { y in cell &+ SIMD2(x, y) } }
        }

        func isSame(as other: Self) -> Bool {
            guard WorldDifference.isSame(lowest, other.lowest), WorldDifference.isSame(greatest, other.greatest),
                isNear(low, other.low), isNear(high, other.high)
            else { return false }
            return sides.distance(to: other.sides) <= toleranceMetres
        }

        private func isNear(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Bool {
            abs(one.x - other.x) <= toleranceMetres + 1e-9 && abs(one.y - other.y) <= toleranceMetres + 1e-9
        }
    }
}
