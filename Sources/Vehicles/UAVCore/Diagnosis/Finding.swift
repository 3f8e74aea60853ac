/// What a look at one part of a set-up found, and what to do about it.
public struct Finding: Hashable, Sendable {
    /// How it stands.
    public enum Verdict: String, Sendable, CaseIterable {
        /// As it should be.
        case good
        /// It works, but may not for long or not for everybody.
        case warning
        /// It does not work.
        case bad
        /// It could not be looked at, since something before it failed.
        case skipped
    }

    /// The part, in a few words.
    public var check: String
    /// How it stands.
    public var verdict: Verdict
    /// What was found, one line; may hold text from the vehicle.
    public var message: String
    /// What to do about it, best a command; empty when there is nothing to do.
    public var advice: String

    /// What a look found.
    public init(_ check: String, _ verdict: Verdict, _ message: String, advice: String = "") {
        self.check = check
        self.verdict = verdict
        self.message = message
        self.advice = advice
    }
}
