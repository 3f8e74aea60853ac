/// Tells from the distances to a plan whether it is flown, or another one.
///
/// The vehicle may be started far from the plan: the distance then decreases until it is there. From then on, or as soon as it grows
/// again, the vehicle is beside the plan only if it follows another one.
struct FlownCourse: Hashable, Sendable {
    /// The controllers of the real flight stack hold the path within 0.3 m at 4 m/s.
    static let toleranceMetres = 0.75
    /// Gusts, and the corners of other vehicles' avoidance, are shorter.
    static let leastShare = 0.25
    /// Fewer positions tell nothing.
    static let leastCount = 5

    private var nearest = Double.infinity
    private var hasArrived = false
    /// Positions before and after that.
    private var approaching = 0
    private var count = 0
    private var beside = 0
    private var farthest = 0.0

    /// Takes the next distance to the plan, metres.
    mutating func take(_ metres: Double) {
        if !hasArrived {
            hasArrived = metres <= Self.toleranceMetres || metres > nearest + Self.toleranceMetres
            nearest = min(nearest, metres)
            guard hasArrived else {
                approaching += 1
                return
            }
        }
        count += 1
        guard metres > Self.toleranceMetres else { return }
        beside += 1
        farthest = max(farthest, metres)
    }

    /// The greatest distance, metres, if another plan is flown; the least one if the vehicle has never been there.
    var strayMetres: Double? {
        if !hasArrived { return approaching >= Self.leastCount ? nearest : nil }
        guard count >= Self.leastCount, Double(beside) > Self.leastShare * Double(count) else { return nil }
        return farthest
    }
}
