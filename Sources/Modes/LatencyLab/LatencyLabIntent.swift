/// What the person did in the laboratory.
public enum LatencyLabIntent: Hashable, Sendable {
    // While choosing.

    /// Went up (-1) or down (1).
    case move(Int)
    /// Went to that line, from 0.
    case go(to: Int)
    /// Chose the line at hand, or no more; or wants to type its value.
    case take
    /// Wants the next smaller (-1) or greater (1) value of the line at hand.
    case change(Int)
    /// Takes the condition at hand away, which he typed.
    case remove
    /// Wants to type a condition of the network.
    case typeCondition
    /// Begins to measure.
    case start
    /// Wants to see again what was measured last.
    case showResults

    // While measuring.

    /// Ends it; what was measured until then stays.
    case stop

    // Afterwards.

    /// Shows that page.
    case page(LatencyLabPage)
    /// Shows the next page (1), or the one before (-1).
    case nextPage(Int)
    /// Shows the next condition of the network, or the one before.
    case nextCondition(Int)
    /// Shows the next kind of what was measured, or the one before.
    case nextKind(Int)
    /// Goes down so many lines, or up.
    case scroll(Int)
    /// Wants to write what was measured to a file.
    case save
    /// Goes back to choosing.
    case chooseAgain

    // Questions.

    /// Typed this line.
    case answer(String)
    /// Wants the path that he types completed.
    case complete(String)
    /// Types nothing after all.
    case cancelPrompt
    /// Yes.
    case confirm
    /// No.
    case decline
}
