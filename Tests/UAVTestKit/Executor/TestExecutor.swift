internal import Dispatch
internal import Statistics
internal import Synchronization
internal import Threads
internal import UAVLink

/// Runs every task of a test process on one thread, one job after the other, in an order that a seed decides.
///
/// With it a test can wait until *nothing more can happen* (``settle()``) instead of for some time: no job is ready, and
/// no thread of ours is at work. However busy the machine is, the same jobs run in the same order, as far as no two threads
/// of ours are at work at once.
///
/// ```
///   Task, continuation, MainActor ─▶ ready jobs ─ one at a time, FIFO or as the seed says ─▶ the main thread
///                                       ▲
///   settle() ─▶ waiting ─ when nothing is ready and no thread is at work, one of them ─╯
/// ```
///
/// It is there in every test process unless `UAVLINK_TEST_EXECUTOR=system` is in the environment, as it is for tests with
/// real servers. `UAVLINK_TEST_SEED=N` mixes the order of tests and of their jobs; without it, or with 0, jobs run in the
/// order in which they became ready. Jobs of the main actor keep their order among each other, as they do elsewhere.
final class TestExecutor: Sendable {
    /// Where a job must run.
    enum Lane { case main, global }

    private struct Timer {
        var due: ContinuousClock.Instant
        var number: UInt64
        var job: UnownedJob
        var lane: Lane
        /// A time limit of the runner's: see ``TestExecutor/idleLimit``.
        var isTimeLimit: Bool
    }

    private struct State {
        var main = Line()
        var global = Line()
        var newestJob: UInt64 = 0
        var timers: [Timer] = []
        /// Since when nothing has happened.
        var idleSince: ContinuousClock.Instant?
        var newestTimer: UInt64 = 0
        var waiting: [Waiter] = []
        var newestWaiter: UInt64 = 0
        var random: SeededRandom?
        /// Threads that wait for a fake clock.
        var blockedThreads: Set<UInt> = []

        mutating func append(_ job: UnownedJob, _ lane: Lane) {
            newestJob += 1
            switch lane {
            case .main: main.append(job, number: newestJob)
            case .global: global.append(job, number: newestJob)
            }
        }

        /// The job that runs next: the oldest, or one that the seed chooses. The main actor's keep their order.
        mutating func pick() -> (UnownedJob, Lane)? {
            let total = main.count + global.count
            guard total > 0 else { return nil }
            let index = random != nil ? below(total) : main.isOlder(than: global) ? 0 : main.count
            if index < main.count { return (main.take(0), .main) }
            return (global.take(index - main.count), .global)
        }

        /// A number from 0 to below `count` that the seed chooses, 0 without one.
        mutating func below(_ count: Int) -> Int {
            guard var generator = random else { return 0 }
            defer { random = generator }
            return Int.random(in: 0..<count, using: &generator)
        }
    }

    /// Jobs in the order in which they became ready.
    private struct Line {
        private var jobs: [(job: UnownedJob, number: UInt64)] = []
        private var head = 0

        var count: Int { jobs.count - head }

        func isOlder(than other: Line) -> Bool {
            guard count > 0 else { return false }
            return other.count == 0 || jobs[head].number < other.jobs[other.head].number
        }

        mutating func append(_ job: UnownedJob, number: UInt64) { jobs.append((job, number)) }

        /// Takes one out; the oldest takes its place.
        mutating func take(_ index: Int) -> UnownedJob {
            jobs.swapAt(head, head + index)
            let job = jobs[head].job
            head += 1
            if head > 64, head * 2 > jobs.count {
                jobs.removeFirst(head)
                head = 0
            }
            return job
        }
    }

    private struct Waiter {
        var number: UInt64
        var continuation: CheckedContinuation<Void, Never>
    }

    private enum Next {
        case run(UnownedJob, Lane)
        case settled(CheckedContinuation<Void, Never>)
        case rest(until: DispatchTime)
    }

    static let shared = TestExecutor()

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let mainThread = Atomic<UInt>(0)
    private let isInstalled = Atomic<Bool>(false)

    /// Whether tasks run here.
    var isRunning: Bool { isInstalled.load(ordering: .relaxed) }

    /// Begins; see `install` in Executors.swift.
    func begin(seed: UInt64) {
        isInstalled.store(true, ordering: .relaxed)
        if seed != 0 { state.withLock { $0.random = SeededRandom(seed: seed) } }
    }

    // MARK: What comes in

    func add(_ job: UnownedJob, _ lane: Lane) {
        state.withLock { $0.append(job, lane) }
        signal()
    }

    /// A job of a task that sleeps on the machine's clock: the runner's time limits, and nothing else in a unit test.
    func add(_ job: UnownedJob, _ lane: Lane, after delay: Duration) {
        let isTimeLimit = delay >= Self.shortestTimeLimit
        if !isTimeLimit { WallClockWaits.note(delay) }
        let due = ContinuousClock.now + delay
        state.withLock { state in
            state.newestTimer += 1
            state.timers.append(
                Timer(due: due, number: state.newestTimer, job: job, lane: lane, isTimeLimit: isTimeLimit))
        }
        signal()
    }

    /// What the runner allows as a time limit at least, less what its own arithmetic takes.
    private static let shortestTimeLimit: Duration = .seconds(59)
    /// A time limit is for a test that hangs, and not for one whose turn comes late: it passes when nothing has happened for so
    /// long in the whole process.
    private static let idleLimit: Duration = .seconds(10)
    /// A test without a time limit that hangs ends the process.
    private static let hangLimit: Duration = .seconds(60)

    private func signal() {
        if DedicatedThread.current != mainThread.load(ordering: .relaxed) { wake.signal() }
    }

    /// Suspends the calling task until nothing else can happen, or it is cancelled.
    func settle() async {
        let number = state.withLock { state in
            state.newestWaiter += 1
            return state.newestWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting.append(Waiter(number: number, continuation: continuation)) }
                signal()
                if Task.isCancelled { release(number) }
            }
        } onCancel: {
            release(number)
        }
    }

    private func release(_ number: UInt64) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }

    // MARK: Threads on a fake clock

    /// A thread waits for a fake clock from now on.
    func threadBlocks(_ thread: UInt) {
        state.withLock { state in _ = state.blockedThreads.insert(thread) }
        signal()
    }

    /// A thread that waited for a fake clock is let go on; called by who lets it, so that it never seems idle in between.
    func threadGoesOn(_ thread: UInt) { state.withLock { state in _ = state.blockedThreads.remove(thread) } }

    // MARK: The loop

    /// Runs jobs on the calling thread for as long as the process lives.
    ///
    /// - Parameter main: the executor whose jobs are the main actor's.
    func run(main: UnownedSerialExecutor) {
        mainThread.store(DedicatedThread.current, ordering: .relaxed)
        while true {
            switch next() {
            case .run(let job, .main): job.runSynchronously(on: main)
            case .run(let job, .global): job.runSynchronously(on: Self.generic)
            case .settled(let continuation): continuation.resume()
            case .rest(let time): _ = wake.wait(timeout: time)
            }
        }
    }

    /// What a job of no actor's runs on: the runtime's own reference to no executor in particular.
    private static let generic = unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)

    private func next() -> Next {
        let atWork = DedicatedThread.activeThreads
        return state.withLock { state in
            // A thread that computes may be the one that all others wait for.
            let isAlone = atWork.allSatisfy(state.blockedThreads.contains)
            if !isAlone { state.idleSince = nil }
            // In step with it: when its result comes must not depend on how busy the machine is. It does not report its end.
            guard isAlone || !WallClockWaits.areRefused else { return .rest(until: .now() + .microseconds(50)) }
            Self.moveTimers(&state)
            if let (job, lane) = state.pick() {
                state.idleSince = nil
                return .run(job, lane)
            }
            guard state.waiting.isEmpty else {
                guard isAlone else { return .rest(until: .now() + .microseconds(100)) }
                let index = state.below(state.waiting.count)
                state.idleSince = nil
                return .settled(state.waiting.remove(at: index).continuation)
            }
            if state.idleSince == nil, isAlone { state.idleSince = .now }
            let limit = state.timers.contains(where: \.isTimeLimit) ? state.idleSince.map { $0 + Self.idleLimit } : nil
            let timers = state.timers.lazy.filter { !$0.isTimeLimit }.map(\.due)
            if state.idleSince.map({ ContinuousClock.now - $0 >= Self.hangLimit }) == true { WallClockWaits.hang() }
            guard let due = (limit.map { Array(timers) + [$0] } ?? Array(timers)).min() else {
                return .rest(until: .now() + .seconds(10))
            }
            let left = ContinuousClock.now.duration(to: due).nanoseconds
            return .rest(until: .now() + .nanoseconds(Int(max(left, 0))))
        }
    }

    private static func moveTimers(_ state: inout State) {
        guard !state.timers.isEmpty else { return }
        let now = ContinuousClock.now
        let isHung = state.idleSince.map { now - $0 >= Self.idleLimit } ?? false
        func isDue(_ timer: Timer) -> Bool { timer.isTimeLimit ? isHung : timer.due <= now }
        let due = state.timers.filter(isDue).sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        guard !due.isEmpty else { return }
        state.timers.removeAll(where: isDue)
        for timer in due { state.append(timer.job, timer.lane) }
    }
}
