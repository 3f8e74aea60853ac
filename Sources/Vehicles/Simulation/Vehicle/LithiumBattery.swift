/// A lithium-polymer battery of six cells: an open-circuit voltage that falls with the charge, with a series
/// resistance.
struct LithiumBattery: Hashable, Sendable {
    static let cells = 6.0
    /// Coulombs when full: 8 Ah.
    static let capacityCoulombs = 8.0 * 3600
    /// Ohms of the whole pack with its leads.
    static let resistance = 0.030
    /// Open-circuit volts of a cell at 0, 10, ... 100 % of its charge: a typical LiPo curve, steep at both ends.
    static let openCircuitVolts = [3.27, 3.61, 3.69, 3.71, 3.75, 3.79, 3.83, 3.87, 3.95, 4.05, 4.20]

    /// Remaining charge, 0 to 1.
    private(set) var charge = 1.0
    /// At the terminals, under load.
    private(set) var volts = cells * 4.20
    /// Present current.
    private(set) var amperes = 0.0
    /// Energy drawn so far.
    private(set) var wattHours = 0.0

    init(charge: Double = 1) { self.charge = max(0, min(1, charge)) }

    /// Open-circuit voltage at a state of charge.
    static func resting(_ charge: Double) -> Double {
        let place = max(0, min(1, charge)) * Double(openCircuitVolts.count - 1)
        let low = min(Int(place), openCircuitVolts.count - 2)
        let share = place - Double(low)
        return cells * (openCircuitVolts[low] * (1 - share) + openCircuitVolts[low + 1] * share)
    }

    /// Draws power for a time: `volts = resting - amperes * resistance` and `watts = volts * amperes`.
    mutating func draw(watts: Double, seconds: Double) {
        let resting = Self.resting(charge)
        let most = resting * resting / (4 * Self.resistance)
        let root = (resting * resting - 4 * Self.resistance * min(watts, most)).squareRoot()
        amperes = charge > 0 ? (resting - root) / (2 * Self.resistance) : 0
        volts = resting - amperes * Self.resistance
        charge = max(0, charge - amperes * seconds / Self.capacityCoulombs)
        wattHours += volts * amperes * seconds / 3600
    }

    /// Maximum motor speed, share of full speed, which the motors reach at 3.7 V per cell.
    var speedCeiling: Double { charge > 0 ? min(1, volts / (Self.cells * 3.7)) : 0 }
}
