internal import Synchronization
internal import SystemIO
internal import UAVLink

/// The deadline of a log-in, which is paused while the user is asked.
final class ConnectClock {
    private(set) var deadline: Deadline
    private let mailbox: SessionMailbox

    init(_ deadline: Deadline, mailbox: SessionMailbox) {
        self.deadline = deadline
        self.mailbox = mailbox
    }

    /// Throws when the caller has cancelled or the deadline has passed.
    func check(doing: String) throws(LinkError) {
        if let reason = mailbox.stopReason { throw reason }
        if deadline.hasPassed {
            throw LinkError(
                .timedOut, "timed out while \(doing)",
                hint: "is the vehicle on and in the same network?")
        }
    }

    /// Grants at least this time from now on: what the user answers is tried with as much time as the first log-in had.
    func grant(_ time: Duration) { deadline = max(deadline, Deadline(in: time)) }

    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
        let waker: Waker
        init(waker: Waker) { self.waker = waker }
    }

    /// Runs asynchronous code from this thread and waits for its result; `nil` when it does not return in time or the
    /// caller has cancelled.
    func ask<Value: Sendable>(_ question: @escaping @Sendable () async -> Value) -> Value? {
        guard let waker = try? Waker() else { return nil }
        let answer = Answer<Value>(waker: waker)
        let begun = SystemMonotonicClock().now
        let limit = Deadline(in: .seconds(SSHTimeouts.userQuestionSeconds))
        let task = Task.detached {
            let value = await question()
            answer.value.withLock { $0 = value }
            answer.waker.wake()
        }
        defer {
            task.cancel()
            deadline = Deadline(at: deadline.instant + (SystemMonotonicClock().now - begun))
        }
        while true {
            if let value = answer.value.withLock({ $0 }) { return value }
            guard !limit.hasPassed, mailbox.stopReason == nil else { return nil }
            wait(for: waker, until: limit)
        }
    }

    /// Waits until `waker` or the mailbox's is woken, or until the deadline.
    func wait(for waker: Waker, until limit: Deadline) {
        var poller = Poller()
        poller.add(waker.descriptor)
        let mailboxPlace = poller.add(mailbox.waker.descriptor)
        poller.wait(limit.remaining)
        if poller.isReady(mailboxPlace) { mailbox.waker.clear() }
        waker.clear()
    }
}
