internal import UAVLink

/// A message for the user, for the message line of every screen.
package struct Notice: Hashable, Sendable {
    /// How long a notice is shown at most, and what a screen says of the same kind: long enough to read two lines twice.
    package static let shownFor: Duration = .seconds(8)

    /// The severity.
    package enum Weight: Hashable, Sendable { case information, success, warning, error }

    /// What a notice is about, and so how long it is shown at most.
    package enum Scope: Hashable, Sendable {
        /// The open screen: its keys, what was entered there. It ends when the screen is left.
        case screen
        /// A vehicle, or the result of a command: it stays until it expires, whatever screen is open.
        case vehicle
    }

    /// The severity.
    package var weight: Weight
    /// The text; sanitized.
    package var text: String
    /// What it is about.
    package var scope: Scope

    /// Makes a notice; foreign text may be passed unchanged.
    ///
    /// - Parameter scope: what it is about. By default successes and errors are results, and outlive the screen; information and
    ///   warnings say what can be done on it, and do not.
    package init(_ weight: Weight, _ text: String, scope: Scope? = nil) {
        self.weight = weight
        self.text = text.sanitizedLine
        self.scope = scope ?? (weight == .success || weight == .error ? .vehicle : .screen)
    }
}

extension [Notice] {
    /// The notices to show of a command that went to several vehicles: where one failed, one line with all of them, failures
    /// first, since each notice hides the one before.
    package var withoutHiddenFailures: [Notice] {
        let failures = filter { $0.weight == .error }
        guard count > 1, !failures.isEmpty else { return self }
        let lines = failures + filter { $0.weight != .error }
        return [Notice(.error, lines.map(\.text).joined(separator: "; "))]
    }
}
