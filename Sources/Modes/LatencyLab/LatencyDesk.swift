/// What stays when the laboratory is left and opened again.
@MainActor
public final class LatencyDesk {
    /// What is chosen; absent before the first look.
    public var choices: LatencyChoices?
    /// What was measured last.
    public internal(set) var shown: LatencyShown?
    /// How many measurements there were.
    var measured = 0
    /// Whether one is under way, or its links are still being closed.
    var isBusy = false
    /// Where something was written to last.
    var lastPath = "latency.html"

    /// Nothing chosen, nothing measured.
    public init() {}
}
