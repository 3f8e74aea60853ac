internal import ModeKit

/// What a prompt of the mode asks for.
package enum FlightPlanPrompt: PromptKind, CaseIterable {
    /// A plan to open.
    case open
    /// Where the plan is written.
    case write
    /// A route that becomes a plan.
    case importRoute
    /// Where the plan is written as a route.
    case exportRoute

    /// Each asks for a file.
    package var completes: Bool { true }
}

/// The user's intents.
package enum FlightPlanIntent: DialogIntent, Hashable, Sendable {
    case leave
    /// The screen has another size, on which nothing here depends.
    case resized
    /// The other panel, where both have no room.
    case nextPanel

    // The plan, without flying.
    /// Move the simulated drone by so many steps of the plan.
    case move(Int)
    case toStart
    case toEnd

    // Files.
    case ask(FlightPlanPrompt)
    case answer(String)
    case complete(String)
    case cancelPrompt

    // The flight.
    /// Fly the plan after confirmation, or fly on.
    case fly
    /// Fly one step, after confirmation the first one.
    case nextStep
    /// Hover after the present step.
    case pause
    /// Stop at once: the drone hovers, and the plan is over.
    case stop
    /// Land at once.
    case land

    // Questions.
    case confirm
    case decline

    /// Completes the typed path.
    package static func completion(of text: String) -> Self? { .complete(text) }
}
