internal import MRS
package import UAVLink

extension SSHCommandLink {
    /// Runs one `rosservice call` on the vehicle.
    ///
    /// A command that takes over from steering aborts the setpoint in progress and drops the queued one: a setpoint that
    /// reaches the vehicle after a goto makes it drop that goto. It also aborts commands in progress that move the vehicle:
    /// their programs take about a second each to start, and would overtake it as often as not. For the same reason one that
    /// moves, arms or switches the vehicle on waits for older stops: ``Programs``.
    ///
    /// A command that stops, lands or switches off the vehicle goes on when its caller's task is cancelled.
    package func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        try await perform(command, within: timeout, report: nil)
    }

    func perform(
        _ command: Command, within timeout: Duration, report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        let (since, deadline) = (clock.now, Deadline(in: timeout))
        let call = try ServiceCall(command)
        let session = try session()
        guard !Task.isCancelled else { throw LinkError(.cancelled, "\(command.name) was cancelled before it was sent") }
        let interrupts = command.interruptsSteering
        if interrupts { suspendSteering() }
        return try await programs.perform(command, by: deadline) { begun, deadline async throws(LinkError) in
            var reply = try await self.run(call, of: begun, on: session, by: deadline, report)
            reply.roundTrip = self.clock.now - since
            self.note(roundTrip: reply.roundTrip)
            return reply
        } ended: {
            if interrupts { self.allowSteering() }
        }
    }

    private func run(
        _ call: ServiceCall, of begun: Programs.Begun, on session: SSHSession, by deadline: Deadline,
        _ report: MonotonicProgress?
    ) async throws(LinkError) -> CommandReply {
        let (command, register, moment) = (begun.command, begun.register, begun.moment)
        let result: RemoteResult
        do throws(LinkError) {
            if let document = call.largeDocument(for: environment.ros) {
                result = try await send(
                    document, of: call, over: session, by: deadline, report: report, register, begunAt: moment)
            } else {
                let isNewest: @Sendable () -> Bool = { [programs] in programs.order.isNewestStop(begun.ticket) }
                result = try await run(
                    call, on: session, by: deadline, register, begunAt: moment,
                    stopsWhile: command.stopsOrLands ? isNewest : nil)
            }
        } catch {
            if begun.isReplaced, !isClosed { throw Self.replaced(command) }
            guard error.code == .notConnected else { throw error }
            throw LinkError(
                .timedOut, "\(error.what); unknown whether the vehicle received '\(command.name)'",
                hint: "reconnect and check the telemetry before repeating the command")
        }
        if result.exitStatus == nil, begun.isReplaced, !isClosed { throw Self.replaced(command) }
        return try call.reply(to: result, from: environment.ros)
    }

    private static func replaced(_ command: Command) -> LinkError {
        LinkError(
            .timedOut, "a newer command ended '\(command.name)'; unknown whether the vehicle received it",
            hint: "check the telemetry before repeating the command")
    }
}
