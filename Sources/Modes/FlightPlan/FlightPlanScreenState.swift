package import ModeKit
package import UAVLink

/// A place of a plan, seen from above: metres from the take-off.
package struct PlanPlace: Hashable, Sendable {
    /// To the right of the nose at take-off.
    package var right: Double
    /// Along the nose.
    package var ahead: Double

    package init(right: Double, ahead: Double) { (self.right, self.ahead) = (right, ahead) }

    /// A place by x along the nose and y to the left.
    init(_ place: Vector3) { self.init(right: -place.y, ahead: place.x) }
}

/// A step of the plan as it is listed.
package struct PlanStepLine: Hashable, Sendable {
    /// Its line in the file.
    package var line: Int
    package var text: String
    /// When it ends: `12.3 s`.
    package var ends: String
    /// The worst that the check has found in its line; `nil` for nothing.
    package var finding: PlanFinding.Weight?

    package init(line: Int, text: String, ends: String, finding: PlanFinding.Weight? = nil) {
        (self.line, self.text, self.ends, self.finding) = (line, text, ends, finding)
    }
}

/// What the check has found.
package struct PlanFinding: Hashable, Sendable {
    /// How bad it is.
    package enum Weight: Int, Hashable, Sendable, Comparable {
        /// The plan can be flown nevertheless.
        case warning
        /// It cannot.
        case failure

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Its line in the file; `nil` for the whole plan.
    package var line: Int?
    package var text: String
    package var weight: Weight

    package init(line: Int?, text: String, weight: Weight) {
        (self.line, self.text, self.weight) = (line, text, weight)
    }
}

/// The simulated drone.
package struct PlanMarker: Hashable, Sendable {
    package var place: PlanPlace
    /// Counter-clockwise from the nose at take-off, radians; `nil` if it is not known.
    package var heading: Double?

    package init(place: PlanPlace, heading: Double?) { (self.place, self.heading) = (place, heading) }
}

/// A mission pad on the floor.
package struct PlanPad: Hashable, Sendable {
    package var number: Int
    package var place: PlanPlace

    package init(number: Int, place: PlanPlace) { (self.number, self.place) = (number, place) }
}

/// The flight of the plan as it is shown.
package struct PlanFlightLine: Hashable, Sendable {
    /// What it does now.
    package enum Phase: Hashable, Sendable { case flying, paused, flown, ended, failed }

    package var phase: Phase
    /// `flies 3 of 9, line 5: forward 100`, or how it has ended and why.
    package var words: String
    /// The index of the step that it flies, hovers before, or failed at.
    package var step: Int?

    package init(_ phase: Phase, _ words: String, step: Int? = nil) {
        (self.phase, self.words, self.step) = (phase, words, step)
    }

    /// Whether it is under way.
    package var isUnderWay: Bool { phase == .flying || phase == .paused }
}

/// What is shown beside the list where there is no room for both.
package enum FlightPlanPanel: Hashable, Sendable { case map, states }

/// What the screen shows.
package struct FlightPlanScreenState: DialogScreenState, Hashable, Sendable {
    /// Why no plan can be flown with the selected vehicle; `nil` if one can.
    package var obstacle: String?
    /// The states of the drone, and the present one; `nil` where it has none.
    package var states: PilotStates?
    package var panel = FlightPlanPanel.map
    /// The plan's file, or where it is from; empty without one.
    package var name = ""
    /// Its commands, time, battery and edition.
    package var summary = ""
    package var isOK = false
    /// Whether the drone would begin it now.
    package var canFly = false
    /// Why the drone would not begin a plan now, in one line; `nil` if it would.
    package var flightObstacle: String?
    /// Whether a landing may have something to land.
    package var canLand = false
    package var steps: [PlanStepLine] = []
    package var findings: [PlanFinding] = []
    /// How many steps the simulated drone has made.
    package var moved = 0
    /// The path of the steps that it has made, the take-off first.
    package var done: [PlanPlace] = []
    /// The path of the others, which begins where that ends.
    package var ahead: [PlanPlace] = []
    /// Where it is; `nil` where that is not known.
    package var marker: PlanMarker?
    package var pads: [PlanPad] = []
    /// Where it is, in words.
    package var position = ""
    package var flight: PlanFlightLine?
    package var prompt: Prompt<FlightPlanPrompt>?
    package var confirmation: ConfirmationRequest?

    package init() {}
}
