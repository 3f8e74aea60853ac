internal import UAVLink

/// Knows when the selected vehicle was last steered: after that its tracker has a goal while it brakes, which is not told from a goto.
struct BrakeWatch {
    /// From 4 m/s, the highest speed of steering, at 2 m/s2, and some time for telemetry.
    static let longest: Duration = .seconds(3)

    private var vehicle: Int?
    private var steeredAt: MonotonicTime?

    /// Whether a vehicle may be braking.
    ///
    /// - Parameters:
    ///   - vehicle: its number; `nil` without one.
    ///   - isSteered: whether anybody steers it now.
    mutating func look(at vehicle: Int?, isSteered: Bool, now: MonotonicTime) -> Bool {
        if vehicle != self.vehicle { (self.vehicle, steeredAt) = (vehicle, nil) }
        if isSteered { steeredAt = now }
        return steeredAt.map { now - $0 <= Self.longest } ?? false
    }
}
