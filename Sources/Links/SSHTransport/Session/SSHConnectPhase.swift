/// The phases of a log-in, reported as each begins.
package enum SSHConnectPhase: Hashable, Sendable, CaseIterable {
    /// Resolving the host and connecting to it.
    case reaching
    /// Handshake and host key check, including a question to the user.
    case checkingHostKey
    /// Authentication.
    case loggingIn
}
