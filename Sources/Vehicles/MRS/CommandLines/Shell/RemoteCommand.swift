/// A command to be run on the vehicle by the user's log-in shell.
public struct RemoteCommand: Hashable, Sendable {
    /// When the command's standard input ends.
    public enum Input: Hashable, Sendable {
        /// At once, after these bytes.
        case bytes([UInt8])
        /// When the caller closes it, which ends the command.
        case untilClosed
    }

    /// The script, for a shell that runs already: a POSIX one that knows `source`.
    public let script: String
    /// The command line; it has the same meaning in every log-in shell: ``RemoteShell``.
    public let line: String
    /// The data for its standard input, and when that ends.
    public let input: Input

    /// A script as a command line.
    init(script: String, input: Input) {
        self.script = script
        line = RemoteShell.line(running: script)
        self.input = input
    }
}
