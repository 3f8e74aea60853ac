/// A request to a running companion over its control socket: one line, answered by one line.
///
/// The answer is `ok TEXT` or `error TEXT`. The socket lies in a directory that only its user can enter, so every client may
/// also have a session key.
public enum ControlRequest: String, Sendable, CaseIterable {
    /// Issue a ticket for a session, as one line of text.
    case ticket
    /// Report the companion's status, as one line of JSON.
    case status
    /// End.
    case stop
}

/// Limits of the control socket.
enum ControlLimits {
    /// Maximum request line, bytes: the longest request has six.
    static let requestBytes = 64
    /// Maximum answer line, bytes: a status has a few hundred.
    static let answerBytes = 16_384
    /// Maximum path of an announced control socket, bytes: longer ones do not fit an address.
    static let pathBytes = 128
    /// Timeout for a line: both ends are on one machine.
    static let timeout: Duration = .seconds(2)
    /// Connections waiting to be accepted.
    static let backlog: Int32 = 8
}
