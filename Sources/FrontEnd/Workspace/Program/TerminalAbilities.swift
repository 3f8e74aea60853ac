/// The abilities that the terminal has reported.
@MainActor
public final class TerminalAbilities {
    /// Whether it reports key releases (the kitty keyboard protocol's event types).
    public internal(set) var reportsKeyReleases = false

    /// No ability reported yet.
    public init() {}
}
