internal import Synchronization
internal import Threads

/// A thread pool for service handlers, which may block: it grows with the number of busy handlers, and idle threads end
/// after a while.
final class WorkerThreads: Sendable {
    private struct Jobs {
        var waiting: [@Sendable () -> Void] = []
        var idle = 0
        var threads = 0
        var isClosed = false
    }

    /// The most threads; further jobs wait in the queue.
    private static let maximumThreads = 64
    /// How long an idle thread waits for work: longer than the pause between two commands of a user.
    private static let idleTime: Duration = .seconds(30)

    private let jobs = Monitor(Jobs())

    /// Runs a job on a pool thread, where it may block.
    func run(_ job: @escaping @Sendable () -> Void) {
        let needsThread = jobs.change { jobs in
            guard !jobs.isClosed else { return false }
            jobs.waiting.append(job)
            guard jobs.waiting.count > jobs.idle, jobs.threads < Self.maximumThreads else { return false }
            jobs.threads += 1
            return true
        }
        guard needsThread else { return }
        if !DedicatedThread.start({ [jobs] in Self.work(jobs) }) {
            // Another pool thread takes the job; when there is none, the caller's timeout ends the wait.
            jobs.change { $0.threads -= 1 }
        }
    }

    /// Discards queued jobs and takes no more; running jobs finish.
    func close() {
        let sleeping = jobs.change { jobs in
            jobs.isClosed = true
            jobs.waiting = []
            return jobs.idle
        }
        for _ in 0..<sleeping { jobs.change { _ in } }
    }

    private static func work(_ jobs: Monitor<Jobs>) {
        enum Next { case job(@Sendable () -> Void), end }
        while true {
            jobs.change { $0.idle += 1 }
            let next = jobs.wait(until: .now + idleTime) { jobs -> Next? in
                if !jobs.waiting.isEmpty {
                    jobs.idle -= 1
                    return .job(jobs.waiting.removeFirst())
                }
                return jobs.isClosed ? .end : nil
            }
            if case .job(let job)? = next {
                job()
                continue
            }
            let lastJob = jobs.change { jobs -> (@Sendable () -> Void)? in
                jobs.idle -= 1
                if !jobs.isClosed, !jobs.waiting.isEmpty { return jobs.waiting.removeFirst() }
                jobs.threads -= 1
                return nil
            }
            guard let lastJob else { return }
            lastJob()
        }
    }
}
