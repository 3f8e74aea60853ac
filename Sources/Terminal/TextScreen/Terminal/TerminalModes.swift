/// What a full-screen program switches on in a terminal, and off again.
enum TerminalModes {
    /// Another screen, no cursor, mouse with SGR reports, focus reports, bracketed paste.
    ///
    /// Then all that has to be asked: the kitty keyboard protocol with keys told apart, releases, all keys as sequences,
    /// and their text (1 + 2 + 8 + 16), whether it is on now, and, as every terminal answers that, the device's attributes.
    static let enter =
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h\u{1B}[>27u\u{1B}[?u\u{1B}[c"

    /// All of it off, in the reverse order, also what a remote program may have left on; harmless where it never was on.
    static let leave =
        "\u{1B}[?2026l\u{1B}[<1u\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
}
