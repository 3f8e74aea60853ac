/// A link that takes a command without a task of the caller's: for whoever passes commands on and must not lose time.
///
/// A task that waits comes back through Swift's executors, which wakes a thread that nothing else would have woken; on an
/// idle machine that costs as much as the network does.
public protocol PromptLink: UAVLink {
    /// Does what ``UAVLink/perform(_:within:)`` does, and has the answer given to `answer`: once, in time, on any thread,
    /// perhaps before this returns. `answer` must return at once.
    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void)
}
