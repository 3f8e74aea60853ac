internal import ChannelProtocol
internal import Synchronization
internal import SystemIO
internal import Threads

/// Runs tasks on a link's dedicated thread, between its datagrams.
///
/// A command mostly waits for its answer. On Swift's cooperative pool the waiting task is resumed by the link's thread through
/// another thread, which costs as much as a network round trip on an idle machine. Before the link's thread has started and
/// after it has ended, jobs go to the cooperative pool.
final class LinkExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOpen = false
    }

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let waker: Waker

    init(waker: Waker) { self.waker = waker }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = state.withLock { state in
            if state.isOpen { state.jobs.append(job) }
            return state.isOpen
        }
        guard isTaken else { return globalConcurrentExecutor.enqueue(job) }
        // The thread itself checks for jobs before it waits again.
        if !isCurrent { waker.wake() }
    }

    // MARK: The link's thread

    /// Makes the calling thread the one that runs all jobs.
    func begin() {
        thread.store(DedicatedThread.current, ordering: .releasing)
        state.withLock { $0.isOpen = true }
    }

    /// Runs all ready jobs, and those that they make ready; `false` when there were none.
    func runAll() -> Bool {
        var hasRun = false
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return state.jobs
            }
            guard !jobs.isEmpty else { return hasRun }
            hasRun = true
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Whether the caller is the link's thread, which checks for jobs before it waits.
    var isCurrent: Bool { thread.load(ordering: .acquiring) == DedicatedThread.current }

    /// Accepts no more jobs; pending ones go to the cooperative pool.
    func end() {
        let rest = state.withLock { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(job) }
    }
}
