internal import SSHTransport
internal import Synchronization
internal import UAVLink

/// A user whose answers take time that is no time of the log-in.
struct TimedPrompt: UserPrompt {
    private let user: any UserPrompt
    private let times: PromptTimes

    init(_ user: any UserPrompt, _ times: PromptTimes) { (self.user, self.times) = (user, times) }

    var givesSecrets: Bool { user.givesSecrets }
    var answersPrompts: Bool { user.answersPrompts }

    func secret(for what: String, echoes: Bool) async -> SSHSecret? {
        await times.counting { await user.secret(for: what, echoes: echoes) }
    }

    func tell(_ line: String) async { await user.tell(line) }

    func trusts(_ question: HostKeyQuestion) async -> Bool { await times.counting { await user.trusts(question) } }
}

/// How long a user was waited for.
final class PromptTimes: Sendable {
    private let clock: any MonotonicClock
    private let sum = Mutex(Duration.zero)

    init(clock: any MonotonicClock = SystemMonotonicClock()) { self.clock = clock }

    /// All answers so far together.
    var total: Duration { sum.withLock { $0 } }

    /// Asks, and counts the time until the answer.
    func counting<Answer: Sendable>(_ ask: () async -> Answer) async -> Answer {
        let start = clock.now
        let answer = await ask()
        let took = clock.now - start
        sum.withLock { $0 += took }
        return answer
    }
}
