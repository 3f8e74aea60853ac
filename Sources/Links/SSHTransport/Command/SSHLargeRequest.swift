internal import MRS
internal import UAVLink

extension SSHCommandLink {
    /// Writes a large request to a file with mode 0600 and has `rosservice call`, or `ros2 service call`, read it.
    func send(
        _ document: [UInt8], of call: ServiceCall, over session: SSHSession, by deadline: Deadline,
        report: MonotonicProgress?, _ register: ChannelRegister, begunAt moment: ChannelRegister.Moment
    ) async throws(LinkError) -> RemoteResult {
        if let fault = call.fault(ofLarge: document, for: environment.ros) { throw fault }
        let name = ".uavlink-request-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        do throws(LinkError) {
            return try await environment.run(in: session, within: deadline.remaining, needsROS: true) {
                (lines, _) async throws(LinkError) -> RemoteResult in
                // Again in a new environment: the program removes the file before its set-up.
                try await session.upload(document, to: name, mode: 0o600, within: deadline.remaining) { sent in
                    report?.reach(Double(sent.sent) / Double(sent.total))
                }
                return try await session.run(
                    lines.abortableCall(call, readingFromHome: name), by: deadline, outputLimit: Self.largestAnswer,
                    register: register, begunAt: moment)
            } result: {
                $0
            }
        } catch {
            // The program removes the file when it ends, but it may not have started. Detached, since the caller's task may be
            // cancelled.
            await Task.detached { await session.remove(name, by: Deadline(in: .seconds(3))) }.value
            throw error
        }
    }
}
