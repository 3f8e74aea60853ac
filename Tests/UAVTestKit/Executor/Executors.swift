// The interface is experimental, and on Apple's systems newer than those that the project runs on.
#if os(Linux)
    internal import Glibc
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

    /// The main actor's executor in a test process, and the process's main loop.
    private final class MainLane: MainExecutor, SchedulingExecutor {
        static let shared = MainLane()

        func enqueue(_ job: consuming ExecutorJob) { TestExecutor.shared.add(UnownedJob(job), .main) }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            TestExecutor.shared.add(UnownedJob(job), .main, after: delay as? Duration ?? .zero)
        }

        func run() throws { TestExecutor.shared.run(main: asUnownedSerialExecutor()) }

        /// It is not requested: a test process runs until it exits.
        func runUntil(_ condition: () -> Bool) throws { try run() }

        /// The process ends with `exit`, as test processes do.
        func stop() {}
    }

    /// The executor of everything else.
    private final class GlobalLane: TaskExecutor, SchedulingExecutor {
        static let shared = GlobalLane()

        func enqueue(_ job: consuming ExecutorJob) { TestExecutor.shared.add(UnownedJob(job), .global) }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            TestExecutor.shared.add(UnownedJob(job), .global, after: delay as? Duration ?? .zero)
        }
    }

    private struct Executors: ExecutorFactory {
        static var mainExecutor: any MainExecutor { MainLane.shared }
        static var defaultExecutor: any TaskExecutor { GlobalLane.shared }
    }

    /// Called when the process is loaded: executors cannot be changed once there is a task.
    private func install() {
        let wanted = getenv("UAVLINK_TEST_EXECUTOR").map { String(cString: $0) }
        guard wanted != "system" else { return }
        TestExecutor.shared.begin(seed: getenv("UAVLINK_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0)
        _createExecutors(factory: Executors.self)
    }

    @section(".init_array") @used private let installer: @convention(c) () -> Void = { install() }
#endif
