internal import Geodesy
internal import UAVLink

/// The safety area in the control frame, ready to ask.
struct SafetyVolume: Hashable, Sendable {
    var isEnabled: Bool
    let corners: [SIMD2<Double>]
    var minimumZ: Double
    var maximumZ: Double

    /// Whether a point lies inside; a corner's own point may count either way.
    func contains(_ p: Vector3) -> Bool {
        guard isEnabled else { return true }
        return (minimumZ...maximumZ).contains(p.z) && contains(SIMD2(p.x, p.y))
    }

    /// By the number of edges that a ray to the east crosses.
    private func contains(_ p: SIMD2<Double>) -> Bool {
        var isInside = false
        guard var previous = corners.last else { return true }
        for corner in corners {
            if (corner.y > p.y) != (previous.y > p.y),
                p.x < (previous.x - corner.x) * (p.y - corner.y) / (previous.y - corner.y) + corner.x
            {
                isInside.toggle()
            }
            previous = corner
        }
        return isInside
    }
}
