internal import Tello
internal import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The arc from the origin through one place to another, metres.
struct ArcPath {
    private let centre: Vector3
    private let radius: Double
    /// From the centre to the origin, and across it in the direction of flight: unit vectors.
    private let (outward, onward): (Vector3, Vector3)
    private let angle: Double

    /// `nil` where the three places lie in a line.
    init?(_ arc: TelloArc) {
        let first = Self.metres(arc.through)
        let second = Self.metres(arc.end)
        let (ff, fs, ss) = (first.dot(first), first.dot(second), second.dot(second))
        let determinant = ff * ss - fs * fs
        guard determinant > 1e-9 else { return nil }
        // The centre is as far from both places as from the origin, and lies in their plane.
        let centre = first * (ss * (ff - fs) / (2 * determinant)) + second * (ff * (ss - fs) / (2 * determinant))
        let radius = centre.length
        let outward = centre * (-1 / radius)
        let across = first - outward * first.dot(outward)
        guard radius > 1e-6, across.length > 1e-9 else { return nil }
        let side = across * (1 / across.length)
        let angles = [first, second].map { Self.angle($0 - centre, outward, side) }
        // The place on the way comes before the end.
        let isReverse = angles[0] > angles[1]
        (self.centre, self.radius, self.outward) = (centre, radius, outward)
        onward = isReverse ? side * -1 : side
        angle = isReverse ? 2 * .pi - angles[1] : angles[1]
    }

    /// Places along it, the end included.
    func points(_ count: Int) -> [Vector3] {
        (1...max(1, count)).map { number in
            let turned = angle * Double(number) / Double(max(1, count))
            return centre + outward * (radius * cos(turned)) + onward * (radius * sin(turned))
        }
    }

    private static func angle(_ spoke: Vector3, _ outward: Vector3, _ side: Vector3) -> Double {
        let raw = atan2(spoke.dot(side), spoke.dot(outward))
        return raw < 0 ? raw + 2 * .pi : raw
    }

    private static func metres(_ point: TelloPoint) -> Vector3 {
        Vector3(x: Double(point.x) / 100, y: Double(point.y) / 100, z: Double(point.z) / 100)
    }
}
