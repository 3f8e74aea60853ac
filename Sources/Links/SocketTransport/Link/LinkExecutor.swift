internal import Synchronization
internal import Threads

/// Runs tasks on a link's own thread, between its datagrams.
///
/// A command spends its time waiting for its answer. On Swift's shared threads the task that waits is woken by the link's
/// thread through another one, which costs as much as the network does on a machine that was idle. Before the link's
/// thread has started and after it has ended, what is to be run goes to those shared threads.
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
        // The thread itself looks before it waits again.
        if !isCurrent { waker.wake() }
    }

    // MARK: The link's thread

    /// Names the calling thread as the one that runs everything.
    func begin() {
        thread.store(OwnThread.current, ordering: .releasing)
        state.withLock { $0.isOpen = true }
    }

    /// Runs what is ready, and what that makes ready; `false` when there was nothing.
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

    /// Whether the caller is the link's thread, which looks at everything before it waits.
    var isCurrent: Bool { thread.load(ordering: .acquiring) == OwnThread.current }

    /// Takes no more; what waits goes elsewhere.
    func end() {
        let rest = state.withLock { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(job) }
    }
}
