internal import ROS1
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
        if case .uploadTrajectory = command { return try await transfer(command, within: timeout, report: report) }
        return try await AnswerWaiter().answer { begin(command, within: timeout, answer: $0) }.get()
    }

    /// A trajectory is encoded here and not where its time has come: it may have a million points.
    private func transfer(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
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
                return note(try await graph.services.perform(call, within: timeout, report: report), began: began)
            } catch { throw explained(error) }
        }
    }

    /// What ``CommandGate`` made of a command.
    private enum Passage: Sendable {
        case open(CommandGate.Number, Duration)
        case closed(Result<CommandReply, LinkError>)
    }

    /// Writes the request on this thread; `answer` is called on the node's I/O thread, where the response is read.
    public func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        _ = begin(command, within: timeout, answer: answer)
    }

    /// The same. It waits for its time (``CommandGate``), and while the connection to its service is opened, which needs the master.
    public func begin(
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
                return graph.services.perform(call, within: timeout) { [self] result in
                    gate.noteAnswer(to: number)
                    answer(result.map { note($0, began: began) }.mapError { explained($0) })
                }
            } fail: { result in
                answer(result)
            }
        } catch {
            answer(.failure(error))
            return nil
        }
    }

    /// Runs `body` on the thread that reads the vehicle's answers: a command performed in it returns without a change of threads. It
    /// must not block. Without a connection it runs where tasks usually do.
    public func onLinkThread<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let node = state.withLock({ $0.graph })?.node else { return try await body() }
        return try await node.onIOThread(body)
    }

    private func note(_ reply: CommandReply, began: MonotonicTime) -> CommandReply {
        var reply = reply
        let roundTrip = clock.now - began
        reply.roundTrip = roundTrip
        state.withLock { $0.meter.answered(after: roundTrip, at: clock.now) }
        return reply
    }

    /// After closing, every error is `closed`: closing breaks the connections, and each call fails in its own way.
    private func explained(_ error: LinkError) -> LinkError {
        state.withLock { $0.phase == .closed } ? LinkError(.closed, "the link was closed") : error
    }
}
