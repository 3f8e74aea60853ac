#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import UAVLink

/// Runs the tasks of commands on the server's own thread, between its datagrams.
///
/// A command spends its time waiting for the vehicle. On Swift's shared threads it would change threads twice on its way
/// there and back, and each change costs as much as the network does on a machine that was idle. When the server has
/// ended, what is still to be run goes to those shared threads.
final class ServerExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let thread = Atomic<UInt>(0)
    private let waker: Waker

    init(waker: Waker) { self.waker = waker }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
            return !state.isClosed
        }
        guard isTaken else { return globalConcurrentExecutor.enqueue(job) }
        // The thread itself looks before it waits again.
        if thread.load(ordering: .acquiring) != Self.currentThread { waker.wake() }
    }

    // MARK: The server's thread

    /// Names the calling thread as the one that runs everything.
    func begin() { thread.store(Self.currentThread, ordering: .releasing) }

    /// Runs what is ready, and what that makes ready.
    func runAll() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Takes no more; what waits goes elsewhere.
    func end() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(job) }
    }

    private static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
