/// The abilities that the terminal has reported.
@MainActor
package final class TerminalAbilities {
    /// Whether it reports key releases (the kitty keyboard protocol's event types).
    package internal(set) var reportsKeyReleases = false

    /// No ability reported yet.
    package init() {}
}
