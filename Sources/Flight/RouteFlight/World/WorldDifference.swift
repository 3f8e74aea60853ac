internal import FlightVolume
internal import ReportKit
internal import UAVLink

/// What differs between the world that is used for the checks and the vehicle's own, in words.
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
        guard let used else {
            return own == nil
                ? [] : ["the vehicle's own world limits where it may fly, and the world used here does not"]
        }
        guard let own else {
            return ["the vehicle's own world does not limit where it may fly, and the world used here does"]
        }
        return [border(used, own), heights(used, own)].compactMap(\.self) + obstacles(used, own)
    }

    private static func border(_ used: FlyableVolume, _ own: FlyableVolume) -> String? {
        let apart = max(distance(used.corners, to: own.corners), distance(own.corners, to: used.corners))
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
        func missing(_ some: [FlightObstacle], in others: [FlightObstacle]) -> Int {
            some.count(where: { obstacle in !others.contains { isSame(obstacle, $0) } })
        }
        func words(_ count: Int) -> String { count == 1 ? "1 obstacle" : "\(count) obstacles" }
        var lines: [String] = []
        let ofVehicle = missing(own.obstacles, in: used.obstacles)
        if ofVehicle > 0 {
            lines.append("the vehicle's own world has \(words(ofVehicle)) that the world used here lacks")
        }
        let ofFile = missing(used.obstacles, in: own.obstacles)
        if ofFile > 0 {
            lines.append("the world used here has \(words(ofFile)) that the vehicle's own lacks")
        }
        return lines
    }

    private static func isSame(_ one: FlightObstacle, _ other: FlightObstacle) -> Bool {
        guard isSame(one.minimumZMetres, other.minimumZMetres), isSame(one.maximumZMetres, other.maximumZMetres) else {
            return false
        }
        let (first, second) = (one.outline, other.outline)
        return max(distance(first, to: second), distance(second, to: first)) <= toleranceMetres
    }

    private static func isSame(_ one: Double, _ other: Double) -> Bool {
        one == other || abs(one - other) <= heightMetres
    }

    /// The greatest distance of the corners and the middles of the sides of one outline to the other one, metres.
    private static func distance(_ one: [SIMD2<Double>], to other: [SIMD2<Double>]) -> Double {
        let outline = FlyableVolume(corners: other, minimumZMetres: 0, maximumZMetres: 0)
        let middles = zip(one, one.dropFirst() + one.prefix(1)).map { ($0 + $1) / 2 }
        return (one + middles).map { outline.distanceToSides(Vector3(x: $0.x, y: $0.y, z: 0)) }.max() ?? 0
    }

    private static func metres(_ value: Double) -> String { "\(value.formatted(decimals: 1)) m" }
}
