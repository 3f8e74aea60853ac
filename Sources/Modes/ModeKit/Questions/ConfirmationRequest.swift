/// A request for the user's confirmation.
package struct ConfirmationRequest: Hashable, Sendable {
    /// The question: `send this trajectory?`.
    package var title: String
    /// Length, time, battery, way to the start, ...
    package var facts: [LabeledValue]
    /// The findings of the checks.
    package var findings: [FindingLine]
    /// Whether a check failed, so that the user must press the force key instead of yes.
    package var needsForce: Bool

    package init(title: String, facts: [LabeledValue], findings: [FindingLine] = [], needsForce: Bool = false) {
        self.title = title
        self.facts = facts
        self.findings = findings
        self.needsForce = needsForce
    }
}

/// A finding of the checks, as listed beside the map.
package struct FindingLine: Hashable, Sendable {
    /// The text, in one line.
    package var text: String
    /// Whether it prevents sending the trajectory; otherwise it is a warning.
    package var isFailure: Bool
    /// The place; absent when it concerns the whole trajectory.
    package var place: MapPlace?

    package init(text: String, isFailure: Bool, place: MapPlace? = nil) {
        self.text = text
        self.isFailure = isFailure
        self.place = place
    }
}

/// A labelled value.
package struct LabeledValue: Hashable, Sendable {
    package var label: String
    /// The value with its unit.
    package var value: String
    /// Whether it is marked as a warning.
    package var isWarning: Bool

    package init(_ label: String, _ value: String, isWarning: Bool = false) {
        self.label = label
        self.value = value
        self.isWarning = isWarning
    }
}

/// A place on the map: metres east and north in `world_origin`.
package struct MapPlace: Hashable, Sendable {
    /// Metres to the east.
    package var east: Double
    /// Metres to the north.
    package var north: Double

    package init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
}
