/// A link to a machine that flies plans: commands of its own protocol, each when the one before it was answered.
///
/// What reads, checks and flies them is in the target `FlightPlans`; this is what a screen shows of the machine meanwhile.
public protocol FlightPlanLink: UAVLink {
    /// Where the machine stands for whoever flies it, and what leads on from there.
    var pilotStates: PilotStates { get }
    /// Says that a plan is edited, or not any more: a machine on the ground does not take off meanwhile. In a state that does not
    /// allow it, nothing happens.
    func editPlan(_ isEdited: Bool)
}

/// The states of a machine for whoever flies it, as a table of transitions, and the present one.
public struct PilotStates: Hashable, Sendable {
    /// What leads from one state to another.
    public struct Arrow: Hashable, Sendable {
        /// What happens, in a few words: `it lands`.
        public var event: String
        /// The place of the next state in ``PilotStates/states``.
        public var next: Int
        /// Whether ``FlightPlanLink/editPlan(_:)`` causes it.
        public var isPlanning: Bool

        /// An arrow.
        public init(event: String, next: Int, isPlanning: Bool = false) {
            (self.event, self.next, self.isPlanning) = (event, next, isPlanning)
        }
    }

    /// One state.
    public struct State: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What it means, in a few words.
        public var meaning: String
        /// What leads from it.
        public var arrows: [Arrow]

        /// A state.
        public init(name: String, meaning: String, arrows: [Arrow]) {
            (self.name, self.meaning, self.arrows) = (name, meaning, arrows)
        }
    }

    /// All of them, in the order in which a screen lists them.
    public let states: [State]
    /// The place of the present one.
    public let current: Int
    /// Why the machine does not take off now; `nil` if it would.
    public let takeOffObstacle: String?

    /// Whether the present one is that in which a plan is edited.
    public let isPlanning: Bool

    /// A table.
    ///
    /// - Returns: `nil` if the present state, or the end of an arrow, is not in it.
    public init?(_ states: [State], current: Int, isPlanning: Bool = false, takeOffObstacle: String? = nil) {
        guard states.indices.contains(current),
            states.allSatisfy({ $0.arrows.allSatisfy { states.indices.contains($0.next) } })
        else { return nil }
        (self.states, self.current, self.isPlanning) = (states, current, isPlanning)
        self.takeOffObstacle = takeOffObstacle
    }

    /// A table of one state, which nothing leaves.
    public init(one name: String, meaning: String = "") {
        (states, current) = ([State(name: name, meaning: meaning, arrows: [])], 0)
        (isPlanning, takeOffObstacle) = (false, nil)
    }

    /// The present state.
    public var present: State { states[current] }

    /// The names of the states that can follow the present one, each once.
    public var next: [String] {
        var names: [String] = []
        for arrow in present.arrows where arrow.next != current {
            let name = states[arrow.next].name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Whether a plan can be edited from the present state on.
    public var allowsPlanning: Bool { present.arrows.contains { $0.isPlanning } }
}
