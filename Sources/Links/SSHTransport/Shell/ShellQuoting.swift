/// Quoting for POSIX shells.
enum ShellQuoting {
    /// The text as one word that means nothing but itself: in single quotes, inside which only they are special.
    static func quote(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
