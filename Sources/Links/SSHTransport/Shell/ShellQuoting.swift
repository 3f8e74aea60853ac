/// Quoting for POSIX shells.
enum ShellQuoting {
    /// Quotes the text as one literal word, in single quotes; only single quotes inside it need escaping.
    static func quote(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
