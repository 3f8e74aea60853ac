/// What must be agreed to.
public struct ConfirmationRequest: Hashable, Sendable {
    /// The question: `send this trajectory?`.
    public var title: String
    /// Length, time, battery, way to the start, ...
    public var facts: [LabeledValue]
    /// What the checks found.
    public var findings: [FindingLine]
    /// Whether yes is enough. Where a check failed it must be forced.
    public var needsForce: Bool

    /// A question.
    public init(title: String, facts: [LabeledValue], findings: [FindingLine] = [], needsForce: Bool = false) {
        self.title = title
        self.facts = facts
        self.findings = findings
        self.needsForce = needsForce
    }
}

/// A finding of the checks, as the map lists it.
public struct FindingLine: Hashable, Sendable {
    /// One line.
    public var text: String
    /// Whether it keeps the trajectory from being sent; a warning otherwise.
    public var isFailure: Bool
    /// Where it is; absent where it is about the whole.
    public var place: MapPlace?

    /// A finding.
    public init(text: String, isFailure: Bool, place: MapPlace? = nil) {
        self.text = text
        self.isFailure = isFailure
        self.place = place
    }
}

/// A figure with its name.
public struct LabeledValue: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// Its value with the unit.
    public var value: String
    /// Whether it deserves a look.
    public var isWarning: Bool

    /// A figure.
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

    /// A place.
    public init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
}
