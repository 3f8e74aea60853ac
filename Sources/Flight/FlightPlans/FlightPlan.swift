package import Tello

/// A flight plan for a Tello: commands in the order in which they are flown, each when the one before it was answered.
///
/// Centimetres and degrees as in the drone's protocol. Places of pads are from where the drone takes off, x along its nose, y
/// to its left.
package struct FlightPlan: Hashable, Sendable {
    /// What one line says.
    package enum Action: Hashable, Sendable {
        /// A command of the drone's protocol.
        case send(TelloCommand)
        /// Hovers for so long, seconds.
        case wait(seconds: Double)

        /// The line.
        package var text: String {
            switch self {
            case .send(let command): command.text
            case .wait(let seconds): "wait \(FlightPlan.spelled(seconds))"
            }
        }
    }

    /// A line that is flown.
    package struct Step: Hashable, Sendable {
        /// What it says.
        package var action: Action
        /// Its line in the file, from 1.
        package var line: Int

        /// A step.
        package init(_ action: Action, line: Int) {
            self.action = action
            self.line = line
        }
    }

    /// A place on the floor, centimetres.
    package struct Place: Hashable, Sendable {
        /// Along the nose.
        package var x: Int
        /// To the left.
        package var y: Int

        /// A place.
        package init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// What is flown.
    package var steps: [Step]
    /// The drone stays above this height between take-off and landing, centimetres above the floor.
    package var floor = Self.usualFloor
    /// And below this one.
    package var ceiling = Self.usualCeiling
    /// Where mission pads lie, by their numbers.
    package var pads: [Int: Place] = [:]

    /// Below about 28 cm the drone ignores `down` without a word (reported).
    package static let usualFloor = 30
    /// Higher is for outdoors, and is asked for.
    package static let usualCeiling = 300
    /// What a file may ask for, centimetres.
    package static let heights = 20...3000
    /// Seconds of one `wait`.
    package static let waits = 0.1...600.0
    /// The most steps of a plan; a battery is empty long before.
    package static let mostSteps = 1000

    /// A plan with the usual bounds of its height.
    package init(_ steps: [Step] = []) { self.steps = steps }

    /// The plan as a file.
    package var text: String {
        var lines = ["# Tello flight plan: centimetres, degrees, seconds; one command a line"]
        if floor != Self.usualFloor { lines.append("floor \(floor)") }
        if ceiling != Self.usualCeiling { lines.append("ceiling \(ceiling)") }
        for (number, place) in pads.sorted(by: { $0.key < $1.key }) {
            lines.append("pad \(TelloPad(number).text) \(place.x) \(place.y)")
        }
        return (lines + steps.map(\.action.text)).joined(separator: "\n") + "\n"
    }

    /// A number without a needless `.0`.
    static func spelled(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

/// What is wrong with a plan, and where.
package struct PlanProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its line in the file, from 1; `nil` for the whole plan.
    package var line: Int?
    /// What is wrong, in one line.
    package var what: String
    /// Whether the plan can be flown nevertheless.
    package var isWarning: Bool
    /// What kind of problem it is.
    package var kind = Kind.ordinary

    /// What kind of problem it is.
    package enum Kind: Hashable, Sendable {
        /// Something in a plan.
        case ordinary
        /// A line that begins with no command of plans.
        case noCommand
        /// The file is no flight plan: nothing else need be said of it.
        case noPlan
    }

    /// A problem.
    package init(line: Int?, _ what: String, isWarning: Bool = false, kind: Kind = .ordinary) {
        self.line = line
        self.what = what
        self.isWarning = isWarning
        self.kind = kind
    }

    /// The one problem of a file that is no flight plan.
    static func noPlan(_ why: String) -> Self {
        PlanProblem(line: nil, "this is no flight plan: \(why)", kind: .noPlan)
    }

    /// `line 3: ...`
    package var description: String {
        (line.map { "line \($0): " } ?? "") + (isWarning ? "warning: " : "") + what
    }
}
