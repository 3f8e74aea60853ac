/// What can be asked of a running companion over its control socket: one line, answered by one line.
///
/// The answer is `ok TEXT` or `error TEXT`. The socket lies in a directory that only its user can enter, so whoever can
/// ask may also have a session key.
public enum ControlRequest: String, Sendable, CaseIterable {
    /// A fresh ticket for a session, as one line of text.
    case ticket
    /// What the companion is doing, as one line of JSON.
    case status
    /// End.
    case stop
}

/// Limits of the control socket.
enum ControlLimits {
    /// The longest request line: the longest word is six bytes.
    static let requestBytes = 64
    /// The longest answer line: a status of a few hundred bytes.
    static let answerBytes = 16_384
    /// The longest path that is told of a control socket: more does not fit an address.
    static let pathBytes = 128
    /// How long an end may take over its line: both are on one machine.
    static let patience: Duration = .seconds(2)
    /// Connections waiting to be accepted.
    static let backlog: Int32 = 8
}
