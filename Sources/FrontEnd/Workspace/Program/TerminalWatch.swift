internal import UAVLink

/// Whether the terminal still answers: a person whose connection to this machine hangs cannot let go of a key.
///
/// Every terminal answers the question for its device attributes. It is asked again and again; one that answered before and
/// is silent for ``patience`` is taken for lost, until it answers again.
@MainActor
struct TerminalWatch {
    /// How often it is asked.
    static let period: Duration = .milliseconds(500)
    /// A mobile connection's round trip is under half a second; with the period before it, this is the shortest that does
    /// not stop a flight over one.
    static let patience: Duration = .milliseconds(1500)
    /// The question.
    static let question = Array("\u{1B}[c".utf8)

    private var answeredAt: MonotonicTime?
    private(set) var isSilent = false

    /// It answered.
    mutating func answered(at now: MonotonicTime) {
        answeredAt = now
        isSilent = false
    }

    /// Looks at the time; returns whether it has just fallen silent.
    mutating func fallsSilent(at now: MonotonicTime) -> Bool {
        guard !isSilent, let answeredAt, now - answeredAt > Self.patience else { return false }
        isSilent = true
        return true
    }

    /// The program stood still itself: what was not answered meanwhile says nothing.
    mutating func restart() { answeredAt = nil }
}
