/// What a log-in is busy with; told as each begins.
public enum SSHConnectPhase: Hashable, Sendable, CaseIterable {
    /// Looking the host up and connecting to it.
    case reaching
    /// Shaking hands and checking the host's key, also asking a person about it.
    case checkingHostKey
    /// Proving who one is.
    case loggingIn
}
