internal import ModeKit

/// The user's intents in the latency laboratory.
package enum LatencyLabIntent: Hashable, Sendable {
    /// The screen has this size, in cells.
    case resize(rows: Int, columns: Int)

    // Setup.

    /// Moves the selection up (-1) or down (1).
    case move(Int)
    /// Moves the selection to a line, from 0.
    case go(to: Int)
    /// Toggles the selected line, or opens the prompt for its value.
    case take
    /// Selects the next smaller (-1) or larger (1) value of the selected line.
    case change(Int)
    /// Removes the selected condition, if the user entered it.
    case remove
    /// Opens the prompt for a network condition.
    case typeCondition
    /// Starts the measurement.
    case start
    /// Shows the results of the last measurement.
    case showResults

    // Measurement.

    /// Ends the measurement; the samples so far are kept.
    case stop

    // Results.

    /// Shows a page.
    case page(LatencyLabPage)
    /// Shows the next page (1) or the previous one (-1).
    case nextPage(Int)
    /// Shows the next network condition (1) or the previous one (-1).
    case nextCondition(Int)
    /// Shows the next kind of series (1) or the previous one (-1).
    case nextKind(Int)
    /// Scrolls down by lines; negative values scroll up.
    case scroll(Int)
    /// Opens the prompt for saving the results to a file.
    case save
    /// Returns to the setup.
    case newMeasurement

    // Prompts and confirmations.

    /// Answers the prompt.
    case answer(String)
    /// Completes the path typed so far.
    case complete(String)
    /// Cancels the prompt.
    case cancelPrompt
    /// Confirms.
    case confirm
    /// Declines.
    case decline
}

extension LatencyLabIntent: DialogIntent {
    /// Completes the typed text.
    package static func completion(of text: String) -> Self? { .complete(text) }
}
