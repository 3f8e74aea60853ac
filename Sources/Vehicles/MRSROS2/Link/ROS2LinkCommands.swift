internal import MRS
internal import Synchronization
package import UAVLink

/// Calls the vehicle's services.
extension ROS2Link: BulkLink {
    /// See ``UAVLink/UAVLink/perform(_:within:)``.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        if case .uploadTrajectory = command { return try await transfer(command, within: timeout) }
        return try await AnswerWaiter().answer { begin(command, within: timeout, answer: $0) }.get()
    }

    /// A query leaves as a whole: what is reported is its beginning and its end.
    package func perform(
        _ command: Command, within timeout: Duration, progress: @escaping @Sendable (Double) -> Void
    ) async throws(LinkError) -> CommandReply {
        let report = MonotonicProgress(progress)
        report.reach(0)
        let reply = try await perform(command, within: timeout)
        report.finish()
        return reply
    }

    /// A trajectory is encoded here and not where its time has come: it may have a million points.
    private func transfer(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        let call = try ServiceCall(command)
        let graph = try connectedGraph()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
        let passage: Passage = await withCheckedContinuation { continuation in
            _ = gate.begin(command, within: timeout) {
                brake(by: graph.steering)
            } send: { number, timeout in
                continuation.resume(returning: .open(number, timeout))
                return nil
            } fail: { result in
                continuation.resume(returning: .closed(result))
            }
        }
        switch passage {
        case .closed(let result): return try result.get()
        case .open(let number, let timeout):
            defer { gate.noteAnswer(to: number) }
            guard !Task.isCancelled else { throw LinkError(.cancelled, "the command was cancelled") }
            let began = clock.now
            do {
                return note(try await graph.services.perform(call, within: timeout), began: began)
            } catch { throw explained(error) }
        }
    }

    /// What ``MRS/CommandGate`` made of a command.
    private enum Passage: Sendable {
        case open(CommandGate.Number, Duration)
        case closed(Result<CommandReply, LinkError>)
    }

    /// Sends the request on this thread; `answer` is called on the session's I/O thread, where the response is read.
    package func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        _ = begin(command, within: timeout, answer: answer)
    }

    /// The same. It waits for its time (``MRS/CommandGate``), and can be taken back until then.
    package func begin(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        do throws(LinkError) {
            let call = try ServiceCall(command)
            let graph = try connectedGraph()
            return gate.begin(command, within: timeout) {
                brake(by: graph.steering)
            } send: { [self] number, timeout in
                let began = clock.now
                graph.services.perform(call, within: timeout) { [self] result in
                    gate.noteAnswer(to: number)
                    answer(result.map { note($0, began: began) }.mapError { explained($0) })
                }
                return nil
            } fail: { result in
                answer(result)
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
        state.withLock { $0.meter.answered(after: roundTrip, at: clock.now) }
        return reply
    }

    /// After closing, every error is `closed`: closing ends the session, and each call fails in its own way.
    private func explained(_ error: LinkError) -> LinkError {
        state.withLock { $0.phase == .closed } ? LinkError(.closed, "the link was closed") : error
    }
}
