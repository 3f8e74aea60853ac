/// Takes back a command of which nothing has left for the vehicle yet, which then is answered at once with an error; does nothing
/// otherwise.
public typealias CommandRecall = @Sendable () -> Void

/// A link that performs a command with a callback instead of an async call, for callers that forward commands with low
/// latency.
///
/// A suspended task resumes through Swift's executors, which wakes a further thread; on an idle machine that costs as
/// much time as the network.
public protocol CallbackLink: UAVLink {
    /// Like ``UAVLink/perform(_:within:)``, but passes the result to `answer`: once, within the timeout, on any thread,
    /// possibly before this returns. `answer` must not block.
    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void)
    /// The same, for a caller who may take the command back while it waits (for the vehicle's service to be found, for example).
    ///
    /// - Returns: `nil` if it does not wait.
    func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall?
}

extension CallbackLink {
    /// Nothing waits.
    public func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        perform(command, within: timeout, answer: answer)
        return nil
    }
}
