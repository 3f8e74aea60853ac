internal import UAVLink

/// Repeats what needs a secret from the user, since it may be mistyped.
package enum SecretAttempts {
    /// How often the user may answer.
    package static let most = 3

    /// The outcome of one attempt.
    enum Outcome: Hashable {
        case accepted
        /// The secret was wrong: another one may be right.
        case refused
        /// The user gave none.
        case notGiven
        /// Another secret would not help.
        case over

        /// What the refusal of a server's prompts means; one that asked for nothing has refused no answer.
        static func afterRefusal(ofAnswers hasAsked: Bool, gaveUp: Bool) -> Self {
            if gaveUp { return .notGiven }
            return hasAsked ? .refused : .over
        }
    }

    /// Repeats `attempt`, which receives its number from 1, while secrets are refused.
    ///
    /// - Parameter earlier: how many were refused before; they count.
    /// - Returns: the outcome of the last attempt; `refused` without one.
    static func run(
        after earlier: Int = 0, _ attempt: (Int) throws(LinkError) -> Outcome
    ) throws(LinkError) -> Outcome {
        var number = 1
        while number <= most - earlier {
            let outcome = try attempt(number)
            if outcome != .refused { return outcome }
            number += 1
        }
        return .refused
    }
}
