#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import UAVLink

/// The deadline of a log-in, which stands still while a person is asked.
final class ConnectClock {
    private(set) var deadline: Deadline
    private let mailbox: SessionMailbox

    init(_ deadline: Deadline, mailbox: SessionMailbox) {
        self.deadline = deadline
        self.mailbox = mailbox
    }

    /// Throws when the caller has cancelled or the time is over.
    func check(doing: String) throws(LinkError) {
        if let reason = mailbox.stopReason { throw reason }
        if deadline.hasPassed {
            throw LinkError(
                .timedOut, "no answer in time while \(doing)",
                hint: "is the vehicle switched on and in the same network?")
        }
    }

    private final class Answer<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
        let wake: WakeSignal
        init(wake: WakeSignal) { self.wake = wake }
    }

    /// Asks asynchronous code from this thread and waits for what it says; `nil` when it says nothing in time or the
    /// caller has cancelled meanwhile.
    func ask<Value: Sendable>(_ question: @escaping @Sendable () async -> Value) -> Value? {
        guard let wake = try? WakeSignal() else { return nil }
        let answer = Answer<Value>(wake: wake)
        let begun = SystemMonotonicClock().now
        let limit = Deadline(in: .seconds(SSHTimes.personSeconds))
        let task = Task.detached {
            let value = await question()
            answer.value.withLock { $0 = value }
            answer.wake.raise()
        }
        defer {
            task.cancel()
            deadline = Deadline(at: deadline.instant + (SystemMonotonicClock().now - begun))
        }
        while true {
            if let value = answer.value.withLock({ $0 }) { return value }
            guard !limit.hasPassed, mailbox.stopReason == nil else { return nil }
            wait(for: wake, until: limit)
        }
    }

    /// Waits until one of both is raised, or the deadline.
    func wait(for wake: WakeSignal, until limit: Deadline) {
        var polled = [wake.readEnd, mailbox.wake.readEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&polled, nfds_t(polled.count), limit.pollMilliseconds)
        if polled[1].revents != 0 { mailbox.wake.lower() }
        wake.lower()
    }
}
