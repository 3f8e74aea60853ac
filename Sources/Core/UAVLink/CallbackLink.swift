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
}
