/// What a user who watches a plan being flown can type: a letter and Enter, or Enter alone.
package enum PlanKey: Hashable, Sendable, CaseIterable {
    /// Flies on, or the next command of a plan that is flown stepwise.
    case resume
    /// Hovers after the present command.
    case pause
    /// Stops at once; the drone hovers.
    case stop
    /// Lands at once.
    case land

    /// The key of a line; `nil` for a letter that means nothing.
    ///
    /// - Parameter letter: the first byte of the line, ASCII; `nil` for an empty line.
    package init?(letter: UInt8?) {
        switch letter {
        case nil, UInt8(ascii: "r"): self = .resume
        case UInt8(ascii: "p"): self = .pause
        case UInt8(ascii: "s"): self = .stop
        case UInt8(ascii: "l"): self = .land
        default: return nil
        }
    }

    /// All keys in one line.
    package static let help =
        "keys, each with Enter: r or Enter alone flies on, p pauses, s stops (the drone hovers), l lands"
}
