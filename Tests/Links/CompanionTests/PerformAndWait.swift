import ChannelProtocol
import UAVLink
import UAVTestKit

@testable import Companion

extension Companion {
    /// Performs a command and waits for its answer; without a time its caller waits for ever.
    func perform(
        _ command: Command, _ issue: CommandIssue? = nil, from session: SessionID, within time: Duration? = nil,
        clock: any MonotonicClock = FakeClock()
    ) async -> Result<CommandReply, LinkError> {
        let deadline = time.map { clock.now + $0 } ?? MonotonicTime(nanoseconds: .max)
        return await withCheckedContinuation { continuation in
            perform(command, issue ?? now, from: session, until: deadline) { continuation.resume(returning: $0) }
        }
    }
}

extension Companion {
    /// Newer than every stop.
    var now: CommandIssue { CommandIssue(number: .max, knownStops: stops) }
}
