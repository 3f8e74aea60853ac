/// A command to be run on the vehicle by whatever shell a person logs in to.
public struct RemoteCommand: Hashable, Sendable {
    /// When the command's standard input ends.
    public enum Input: Hashable, Sendable {
        /// At once, after these bytes.
        case bytes([UInt8])
        /// When the caller closes it, which ends the command.
        case untilClosed
    }

    /// The command line; it means the same to `sh`, `bash`, `zsh`, `fish` and `tcsh`.
    public let line: String
    /// What is to be sent to its standard input.
    public let input: Input

    /// A `bash` script as a command line.
    init(script: String, input: Input) {
        line = ShellQuoting.commandLine(running: script)
        self.input = input
    }
}

/// Quoting for shells, such that no value can break out.
enum ShellQuoting {
    /// One word of a POSIX shell, in single quotes.
    static func word(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A command line that runs a `bash` script, whatever shell reads it.
    ///
    /// Shells differ in what a quote, a backslash, an exclamation mark or a line's end means inside single quotes. A
    /// script that has none of them stands as it is; of any other those and all that a double-quoted word minds become
    /// octal escapes, which `printf %b` undoes inside `bash`.
    static func commandLine(running script: String) -> String {
        let isPlain = script.utf8.allSatisfy { (0x20...0x7E).contains($0) && !differing.contains($0) }
        if isPlain { return "exec bash -c '\(script)'" }
        var escaped: [UInt8] = []
        for byte in script.utf8 where byte != 0 {
            if (0x20...0x7E).contains(byte), !differing.contains(byte), !mindedInDoubleQuotes.contains(byte) {
                escaped.append(byte)
            } else {
                escaped.append(contentsOf: #"\0"#.utf8)
                for shift in [6, 3, 0] { escaped.append(0x30 + (byte >> UInt8(shift)) & 7) }
            }
        }
        return #"exec bash -c 'eval "$(printf %b "\#(String(decoding: escaped, as: UTF8.self))")"'"#
    }

    private static let differing = Set(#"'\!"#.utf8)
    private static let mindedInDoubleQuotes = Set(#"$`""#.utf8)
}
