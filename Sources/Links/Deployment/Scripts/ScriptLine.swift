/// Command lines that run a script of ours on the vehicle, whatever the user's log-in shell is.
///
/// ```
///   log-in shell -c LINE ──exec──▶ sh: decodes the script and evaluates it
/// ```
enum ScriptLine {
    /// A command line that runs a script in the vehicle's `sh`; dash, bash, zsh, fish and tcsh read it alike.
    ///
    /// Shells differ in what a quote, a backslash, an exclamation mark and a line feed mean inside single quotes. These, and
    /// what is not printable ASCII, become octal escapes, which `printf %b` decodes.
    static func running(_ script: String) -> String {
        #"exec sh -c 'eval "$(printf %b "$1")"' sh '"# + encoded(script) + "'"
    }

    /// One word of a POSIX shell, in single quotes; no value can escape it.
    static func word(_ text: String) -> String {
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += #"'\''"# } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }

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
