/// A command to be run on the vehicle by the user's login shell.
public struct RemoteCommand: Hashable, Sendable {
    /// When the command's standard input ends.
    public enum Input: Hashable, Sendable {
        /// At once, after these bytes.
        case bytes([UInt8])
        /// When the caller closes it, which ends the command.
        case untilClosed
    }

    /// The command line; it has the same meaning in `sh`, `bash`, `zsh`, `fish` and `tcsh`.
    public let line: String
    /// The data for its standard input, and when that ends.
    public let input: Input

    /// A `bash` script as a command line.
    init(script: String, input: Input) {
        line = ShellQuoting.commandLine(running: script)
        self.input = input
    }
}

/// Shell quoting; no value can escape it.
enum ShellQuoting {
    /// One word of a POSIX shell, in single quotes.
    static func word(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A command line that runs a `bash` script under any login shell.
    ///
    /// Shells differ in the meaning of a quote, a backslash, an exclamation mark and a newline inside single quotes. A
    /// script without these is used as it is. In any other script these, and the characters special in double quotes,
    /// become octal escapes, which `printf %b` decodes inside `bash`.
    static func commandLine(running script: String) -> String {
        let isPlain = script.utf8.allSatisfy { (0x20...0x7E).contains($0) && !differing.contains($0) }
        if isPlain { return "exec bash -c '\(script)'" }
        var escaped: [UInt8] = []
        for byte in script.utf8 where byte != 0 {
            if (0x20...0x7E).contains(byte), !differing.contains(byte), !specialInDoubleQuotes.contains(byte) {
                escaped.append(byte)
            } else {
                escaped.append(contentsOf: #"\0"#.utf8)
                for shift in [6, 3, 0] { escaped.append(0x30 + (byte >> UInt8(shift)) & 7) }
            }
        }
        return #"exec bash -c 'eval "$(printf %b "\#(String(decoding: escaped, as: UTF8.self))")"'"#
    }

    private static let differing = Set(#"'\!"#.utf8)
    private static let specialInDoubleQuotes = Set(#"$`""#.utf8)
}
