internal import Synchronization

/// Runs tasks on a thread that waits for something else, between what it waits for: a link's, or that of an event loop.
///
/// A command mostly waits for its answer. On Swift's cooperative pool the waiting task is resumed by the thread that reads the answer
/// through another thread, which costs as much as a network round trip on an idle machine. Before the thread has begun and after it has
/// ended, jobs go to the cooperative pool.
package final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOpen = false
    }

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: ends the thread's wait; called on other threads.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = state.withLock { state in
            if state.isOpen { state.jobs.append(job) }
            return state.isOpen
        }
        guard isTaken else { return globalConcurrentExecutor.enqueue(job) }
        // The thread itself checks for jobs before it waits again.
        if !isCurrent { wake() }
    }

    // MARK: The thread

    /// Makes the calling thread the one that runs all jobs.
    package func begin() {
        thread.store(DedicatedThread.current, ordering: .releasing)
        state.withLock { $0.isOpen = true }
    }

    /// Runs all ready jobs, and those that they make ready; `false` when there were none.
    package func runAll() -> Bool {
        var hasRun = false
        while true {
            let jobs = state.withLock { state in
                // Without this, each turn of a loop would allocate: the storage that is returned cannot be kept.
                guard !state.jobs.isEmpty else { return [UnownedJob]() }
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return state.jobs
            }
            guard !jobs.isEmpty else { return hasRun }
            hasRun = true
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Whether the caller is the thread, which checks for jobs before it waits.
    package var isCurrent: Bool { thread.load(ordering: .acquiring) == DedicatedThread.current }

    /// Accepts no more jobs; pending ones go to the cooperative pool.
    package func end() {
        let rest = state.withLock { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(job) }
    }
}
