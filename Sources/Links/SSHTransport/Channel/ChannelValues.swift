/// The output stream that bytes were written to.
public enum SSHStream: Hashable, Sendable {
    /// Standard output; also all output of a shell with a terminal, and of a tunnel.
    case output
    /// Standard error.
    case error
}

/// Bytes received on a channel.
public struct SSHChunk: Hashable, Sendable {
    /// The stream.
    public let stream: SSHStream
    /// The bytes, never empty.
    public let bytes: [UInt8]
}

/// How a program on the vehicle ended.
public struct SSHExit: Hashable, Sendable {
    /// Its exit status; absent when a signal ended it.
    public let status: Int32?
    /// The signal that ended it, without `SIG`: `KILL`, `SEGV`, ...
    public let signal: String?

    /// Whether the program exited with status 0.
    public var isSuccess: Bool { status == 0 && signal == nil }
}

/// The result of a finished command: exit status and output.
public struct SSHCommandResult: Hashable, Sendable {
    /// Its exit status; absent when a signal ended it.
    public let exitStatus: Int32?
    /// The signal that ended it, without `SIG`; absent when it exited.
    public let exitSignal: String?
    /// The bytes on standard output.
    public let standardOutput: [UInt8]
    /// The bytes on standard error.
    public let standardError: [UInt8]

    /// Whether the program exited with status 0.
    public var isSuccess: Bool { exitStatus == 0 && exitSignal == nil }
    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    public var errorText: String { String(decoding: standardError, as: UTF8.self) }
}

/// The terminal that is announced to a remote shell.
public struct SSHTerminal: Hashable, Sendable {
    /// Its type, as in `TERM`.
    public var type: String
    /// Its width in characters.
    public var columns: Int
    /// Its height in lines.
    public var rows: Int

    /// A terminal.
    public init(type: String = "xterm-256color", columns: Int = 80, rows: Int = 24) {
        self.type = type
        self.columns = columns
        self.rows = rows
    }
}
