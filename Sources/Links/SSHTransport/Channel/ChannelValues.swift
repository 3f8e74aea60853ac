/// The output stream that bytes were written to.
package enum SSHStream: Hashable, Sendable {
    /// Standard output; also all output of a shell with a terminal, and of a tunnel.
    case output
    /// Standard error.
    case error
}

/// Bytes received on a channel.
package struct SSHChunk: Hashable, Sendable {
    package let stream: SSHStream
    /// The bytes, never empty.
    package let bytes: [UInt8]
}

/// How a program on the vehicle ended.
package struct SSHExit: Hashable, Sendable {
    /// Its exit status; absent when a signal ended it.
    package let status: Int32?
    /// The signal that ended it, without `SIG`: `KILL`, `SEGV`, ...
    package let signal: String?

    /// Whether the program exited with status 0.
    package var isSuccess: Bool { status == 0 && signal == nil }
}

/// The result of a finished command: exit status and output.
package struct SSHCommandResult: Hashable, Sendable {
    /// Its exit status; absent when a signal ended it.
    package let exitStatus: Int32?
    /// The signal that ended it, without `SIG`; absent when it exited.
    package let exitSignal: String?
    /// The bytes on standard output.
    package let standardOutput: [UInt8]
    /// The bytes on standard error.
    package let standardError: [UInt8]

    /// Whether the program exited with status 0.
    package var isSuccess: Bool { exitStatus == 0 && exitSignal == nil }
    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    package var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    package var errorText: String { String(decoding: standardError, as: UTF8.self) }
}

/// The terminal that is announced to a remote shell.
package struct SSHTerminal: Hashable, Sendable {
    /// Its type, as in `TERM`.
    package var type: String
    /// Its width in characters.
    package var columns: Int
    /// Its height in lines.
    package var rows: Int

    package init(type: String = "xterm-256color", columns: Int = 80, rows: Int = 24) {
        self.type = type
        self.columns = columns
        self.rows = rows
    }
}
