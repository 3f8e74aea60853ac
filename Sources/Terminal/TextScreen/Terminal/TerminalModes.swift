/// The sequences that set up a terminal for a full-screen program and restore it.
enum TerminalModes {
    /// Alternate screen, hidden cursor, SGR mouse reports, focus reports, bracketed paste.
    ///
    /// Then the kitty keyboard protocol with disambiguated keys, event types, all keys as escape codes and associated text
    /// (1 + 2 + 8 + 16), the query of its flags, and the query of the device attributes, which every terminal answers.
    static let enter =
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h\u{1B}[>27u\u{1B}[?u\u{1B}[c"

    /// Switches everything off in the reverse order, including modes that a remote program may have left on; no effect on
    /// modes that are off.
    static let leave =
        "\u{1B}[?2026l\u{1B}[<1u\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
