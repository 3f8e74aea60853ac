/// The result of one check of a set-up, with advice.
public struct Finding: Hashable, Sendable {
    /// The verdict of a check.
    public enum Verdict: String, Sendable, CaseIterable {
        /// In order.
        case good
        /// It works, but may not for long or not for every user.
        case warning
        /// It does not work.
        case bad
        /// Not checked, because an earlier check failed.
        case skipped
    }

    /// What was checked, in a few words.
    public var check: String
    /// The verdict.
    public var verdict: Verdict
    /// What was found, in one line; may contain text from the vehicle.
    public var message: String
    /// What to do about it, preferably a command; empty if there is nothing to do.
    public var advice: String

    /// Creates a finding.
    public init(_ check: String, _ verdict: Verdict, _ message: String, advice: String = "") {
        self.check = check
        self.verdict = verdict
        self.message = message
        self.advice = advice
    }
}
