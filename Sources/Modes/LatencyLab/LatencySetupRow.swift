internal import LatencyMeasurement
internal import VehicleAccess

/// A line of the setup.
enum LatencySetupRow: Hashable {
    case link(MeasuredLink)
    case condition(Int)
    case addCondition
    case length
    case rate
    case motion

    /// All lines in the order of display.
    static func all(_ choices: LatencyChoices) -> [LatencySetupRow] {
        MeasuredLink.flown.map(LatencySetupRow.link) + choices.conditions.indices.map(LatencySetupRow.condition)
            + [.addCondition, .length, .rate, .motion]
    }
}
