/// A request for the user's confirmation.
public struct ConfirmationRequest: Hashable, Sendable {
    /// The question: `send this trajectory?`.
    public var title: String
    /// Length, time, battery, way to the start, ...
    public var facts: [LabeledValue]
    /// The findings of the checks.
    public var findings: [FindingLine]
    /// Whether a check failed, so that the user must press the force key instead of yes.
    public var needsForce: Bool

    /// Creates a request.
    public init(title: String, facts: [LabeledValue], findings: [FindingLine] = [], needsForce: Bool = false) {
        self.title = title
        self.facts = facts
        self.findings = findings
        self.needsForce = needsForce
    }
}

/// A finding of the checks, as listed beside the map.
public struct FindingLine: Hashable, Sendable {
    /// The text, in one line.
    public var text: String
    /// Whether it prevents sending the trajectory; otherwise it is a warning.
    public var isFailure: Bool
    /// The place; absent when it concerns the whole trajectory.
    public var place: MapPlace?

    /// Creates a finding.
    public init(text: String, isFailure: Bool, place: MapPlace? = nil) {
        self.text = text
        self.isFailure = isFailure
        self.place = place
    }
}

/// A labelled value.
public struct LabeledValue: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The value with its unit.
    public var value: String
    /// Whether it is marked as a warning.
    public var isWarning: Bool

    /// Creates a labelled value.
    public init(_ label: String, _ value: String, isWarning: Bool = false) {
        self.label = label
        self.value = value
        self.isWarning = isWarning
    }
}

/// A place on the map: metres east and north in `world_origin`.
public struct MapPlace: Hashable, Sendable {
    /// Metres to the east.
    public var east: Double
    /// Metres to the north.
    public var north: Double

    /// Creates a place.
    public init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
}
