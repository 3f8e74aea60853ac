internal import Synchronization
public import UAVLink

/// Calls the vehicle's services.
extension ROSLink {
    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    public func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        let call = try ServiceCall(command)
        let services = try connectedGraph().services
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
        let began = clock.now
        do { return note(try await services.perform(call, within: timeout, report: report), began: began) } catch {
            throw explained(error)
        }
    }

    /// Writes the request on this thread; `answer` is called on the node's I/O thread, where the response is read.
    public func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        _ = begin(command, within: timeout, answer: answer)
    }

    /// The same. It waits while the connection to its service is opened, which needs the master.
    public func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        do throws(LinkError) {
            let call = try ServiceCall(command)
            let services = try connectedGraph().services
            let began = clock.now
            return services.perform(call, within: timeout) { [self] result in
                answer(result.map { note($0, began: began) }.mapError { explained($0) })
            }
        } catch {
            answer(.failure(error))
            return nil
        }
    }

    private func note(_ reply: CommandReply, began: MonotonicTime) -> CommandReply {
        var reply = reply
        let roundTrip = clock.now - began
        reply.roundTrip = roundTrip
        state.withLock { $0.meter.answered(after: roundTrip) }
        return reply
    }

    /// After closing, every error is `closed`: closing breaks the connections, and each call fails in its own way.
    private func explained(_ error: LinkError) -> LinkError {
        state.withLock { $0.phase == .closed } ? LinkError(.closed, "the link was closed") : error
    }
}
