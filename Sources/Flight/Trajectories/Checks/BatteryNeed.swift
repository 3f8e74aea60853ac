/// How much of its battery a vehicle uses in a flight.
///
/// A simple model: a multirotor spends about the same power whether it hovers or flies slowly, so that what it needs is time.
/// The rate is measured (how the remaining share fell), or follows from the endurance that a person gives.
public struct BatteryNeed: Hashable, Sendable {
    /// What is left, 0 to 1; absent when the vehicle does not measure it.
    public var remaining: Double?
    /// How long a full battery lasts in flight, seconds; absent when neither measured nor given.
    public var enduranceSeconds: Double?
    /// What must be left at the end, 0 to 1.
    public var reserve: Double

    /// A battery.
    public init(remaining: Double? = nil, enduranceSeconds: Double? = nil, reserve: Double = 0.2) {
        self.remaining = remaining
        self.enduranceSeconds = enduranceSeconds
        self.reserve = reserve
    }

    /// The share of a full battery that so many seconds of flight take; `nil` when that is not known.
    public func needed(forSeconds seconds: Double) -> Double? {
        guard let enduranceSeconds, enduranceSeconds > 0 else { return nil }
        return seconds / enduranceSeconds
    }

    /// How long a full battery lasts at the rate at which the share fell over some time; `nil` when it did not fall.
    public static func endurance(from start: Double, to end: Double, overSeconds seconds: Double) -> Double? {
        guard seconds > 0, start > end else { return nil }
        return seconds / (start - end)
    }
}
