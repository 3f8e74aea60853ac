/// A request for the user's confirmation: a question that names what is done to what, and what either answer leads to.
package struct ConfirmationRequest: Hashable, Sendable {
    /// The question: `send this trajectory to uav1?`.
    package var title: String
    /// Length, time, battery, way to the start, ...
    package var facts: [LabeledValue]
    /// The findings of the checks.
    package var findings: [FindingLine]
    /// Whether a check failed, so that the user must press the force key instead of yes.
    package var needsForce: Bool
    /// What confirming does, in a few words: `send it`.
    package var action: String
    /// What stays as it is otherwise, in a few words: `nothing is sent`.
    package var otherwise: String
    /// Whether it moves a vehicle, or loses what cannot be had again. Then a letter confirms; otherwise Enter does, and any other key
    /// declines.
    package var isDangerous: Bool

    /// A question.
    ///
    /// - Parameters:
    ///   - action: what confirming does; `yes`, or `force`, if not given.
    ///   - otherwise: what stays if it is declined.
    package init(
        title: String, facts: [LabeledValue], findings: [FindingLine] = [], needsForce: Bool = false,
        action: String? = nil, otherwise: String = "no", isDangerous: Bool = true
    ) {
        self.title = title
        self.facts = facts
        self.findings = findings
        self.needsForce = needsForce
        self.action = action ?? (needsForce ? "force" : "yes")
        self.otherwise = otherwise
        self.isDangerous = isDangerous
    }

    /// Its answers.
    package var answers: ConfirmationAnswers {
        ConfirmationAnswers(
            needsForce ? .force : isDangerous ? .yes : .enter, action: action, otherwise: otherwise)
    }

    /// Whether it asks what another one asked, with the figures of now: what was scrolled to stays. A check that has failed since
    /// stands above, and is another question.
    func isSameQuestion(as other: ConfirmationRequest?) -> Bool {
        title == other?.title && answers == other?.answers
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
