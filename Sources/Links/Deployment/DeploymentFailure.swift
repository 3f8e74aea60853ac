package import UAVLink

/// Why a deployment ended. What was there before still works.
package enum DeploymentFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The vehicle's computer could not be reached, or did not do what it was asked.
    case link(LinkError)
    /// The vehicle's state or its computer does not allow it; nothing was begun.
    case refused(String, hint: String)

    /// What happened, in one line.
    package var what: String {
        switch self {
        case .link(let error): error.what
        case .refused(let what, _): what.sanitizedLine
        }
    }

    /// What to do about it, in one line; may be empty.
    package var hint: String {
        switch self {
        case .link(let error): error.hint
        case .refused(_, let hint): hint.sanitizedLine
        }
    }

    /// One line: what happened; what to do.
    package var description: String { hint.isEmpty ? what : "\(what); \(hint)" }

    /// The same failure with another text.
    func saying(_ what: String, hint: String) -> DeploymentFailure {
        switch self {
        case .link(let error): .link(LinkError(error.code, what, hint: hint))
        case .refused: .refused(what, hint: hint)
        }
    }
}
