internal import LatencyMeasurement
internal import VehicleAccess

/// What a line of the choices is about.
enum LatencyRow: Hashable {
    case link(LaboratoryLink)
    case condition(Int)
    case ownCondition
    case length
    case rate
    case motion

    /// In the order of the lines.
    static func all(_ choices: LatencyChoices) -> [LatencyRow] {
        LaboratoryLink.allCases.map(LatencyRow.link) + choices.conditions.indices.map(LatencyRow.condition)
            + [.ownCondition, .length, .rate, .motion]
    }
}
