/// The shell that runs our scripts on a vehicle: bash if there is one, else sh.
///
/// sshd gives a command line to the user's log-in shell, whichever that is. It only starts ours:
///
/// ```
///   log-in shell -c LINE ──exec──▶ sh: decodes the script ──exec──▶ bash --norc -c SCRIPT
///                                         └── no bash: evaluates it itself; `source` means `.`
/// ```
///
/// All of it is one process, whose ID stays the same. `--norc`: under sshd, bash of Debian and Ubuntu reads `~/.bashrc` also for
/// `-c`. A log-in shell that is bash has just done that, and has exported what is in it; for another one it is a foreign file.
public enum RemoteShell {
    /// A command line that runs a script; it has the same meaning in `sh`, `bash`, `zsh`, `fish` and `tcsh`.
    ///
    /// Shells differ in the meaning of a quote, a backslash, an exclamation mark and a newline inside single quotes. These,
    /// and what is not printable ASCII, become octal escapes, which `printf %b` decodes; all else stays readable.
    public static func line(running script: String) -> String { "exec sh -c '\(launcher)' sh '\(encoded(script))'" }

    /// The same for a script of plain POSIX `sh`, which needs no bash.
    public static func posixLine(running script: String) -> String {
        #"exec sh -c 'eval "$(printf %b "$1")"' sh '\#(encoded(script))'"#
    }

    /// A command line of a shell that runs what it reads from its standard input; ``prelude`` should be its first line.
    public static let readingLine = "exec sh -c 'command -v bash >/dev/null 2>&1 && exec bash --norc; exec sh'"

    /// Makes `source` known to a shell that only has `.`, as dash.
    public static let prelude = #"command -v source >/dev/null 2>&1 || source() { . "$@"; }"#

    /// One word of a POSIX shell, in single quotes; no value can escape it.
    public static func word(_ text: String) -> String {
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }

    /// Free of all characters that ``encoded(_:)`` escapes.
    private static let launcher =
        #"script=$(printf %b "$1"); command -v bash >/dev/null 2>&1 && exec bash --norc -c "$script"; "#
        + prelude + #"; eval "$script""#

    private static func encoded(_ script: String) -> String {
        var encoded: [UInt8] = []
        for byte in script.utf8 where byte != 0 {
            if (0x20...0x7E).contains(byte), !differing.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(contentsOf: #"\0"#.utf8)
                for shift in [6, 3, 0] { encoded.append(0x30 + (byte >> UInt8(shift)) & 7) }
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let differing = Set(#"'\!"#.utf8)
}
