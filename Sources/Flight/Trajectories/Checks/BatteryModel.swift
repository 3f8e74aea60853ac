/// Battery use of a flight.
///
/// Simple model: a multirotor uses about the same power hovering as flying slowly, so consumption is proportional to time.
/// The rate is measured (decrease of the remaining share), or follows from the endurance given by the user.
public struct BatteryModel: Hashable, Sendable {
    /// Remaining share, 0 to 1; `nil` if the vehicle does not measure it.
    public var remaining: Double?
    /// Flight time on a full battery, seconds; `nil` if neither measured nor given.
    public var enduranceSeconds: Double?
    /// Share that must remain at the end, 0 to 1.
    public var reserve: Double

    /// Creates a battery.
    public init(remaining: Double? = nil, enduranceSeconds: Double? = nil, reserve: Double = 0.2) {
        self.remaining = remaining
        self.enduranceSeconds = enduranceSeconds
        self.reserve = reserve
    }

    /// Share of a full battery needed for a flight time; `nil` if the endurance is unknown.
    public func needed(forSeconds seconds: Double) -> Double? {
        guard let enduranceSeconds, enduranceSeconds > 0 else { return nil }
        return seconds / enduranceSeconds
    }

    /// Flight time on a full battery, seconds, from a decrease of the share over some time; `nil` if it did not decrease.
    public static func endurance(from start: Double, to end: Double, overSeconds seconds: Double) -> Double? {
        guard seconds > 0, start > end else { return nil }
        return seconds / (start - end)
    }
}
