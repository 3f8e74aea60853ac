/// What the terminal has told of itself since the program began.
@MainActor
public final class TerminalAbilities {
    /// Whether it tells when a key is let go of (the kitty keyboard protocol's event types).
    public internal(set) var tellsKeyReleases = false

    /// Nothing told yet.
    public init() {}
}
