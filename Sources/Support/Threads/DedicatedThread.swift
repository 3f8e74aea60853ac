#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Dedicated threads for blocking system calls, so that Swift's cooperative threads never block.
public enum DedicatedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which ends when it returns.
    ///
    /// - Returns: `false`, without running `body`, if the system cannot create a thread.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        let hasStarted = spawn(box.toOpaque())
        if !hasStarted { box.release() }
        return hasStarted
    }

    /// Runs `body` on a new thread and returns its result; `nil` if the system cannot create a thread.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let hasStarted = startWork { continuation.resume(returning: body()) }
            if !hasStarted { continuation.resume(returning: nil) }
        }
    }

    /// As ``start(_:)``, for work that ends by itself and waits for nothing but a clock; it is listed in
    /// ``activeThreads``.
    public static func startWork(_ body: @escaping @Sendable () -> Void) -> Bool {
        let number = begin()
        let hasStarted = start {
            enter(number)
            body()
            // Only after its waiter can continue: otherwise there would be a moment without any work.
            end(number)
        }
        if !hasStarted { end(number) }
        return hasStarted
    }

    // MARK: Who is at work

    private struct ActiveWork {
        var newest: UInt64 = 0
        /// The thread of each work item; 0 until it has started.
        var threads: [UInt64: UInt] = [:]
    }

    private static let atWork = Mutex(ActiveWork())

    /// The running threads of ``run(_:)`` and ``startWork(_:)``, as values of ``current``; 0 for one that is just
    /// starting. While there is one, something can still happen outside all tasks: tests check it.
    public static var activeThreads: [UInt] { atWork.withLock { Array($0.threads.values) } }

    private static func begin() -> UInt64 {
        atWork.withLock { atWork in
            atWork.newest &+= 1
            atWork.threads[atWork.newest] = 0
            return atWork.newest
        }
    }

    private static func enter(_ number: UInt64) {
        let thread = current
        atWork.withLock { $0.threads[number] = thread }
    }

    private static func end(_ number: UInt64) { atWork.withLock { $0.threads[number] = nil } }

    /// As ``run(_:)``, at lower priority: for long computations during a flight.
    public static func runAtLowPriority<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await run {
            lowerPriority()
            return body()
        }
    }

    private static func lowerPriority() {
        #if canImport(Glibc)
            // On Linux each thread has its own nice value, and 0 means the calling one; half-way to the lowest
            // priority.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #else
            _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// The calling thread, for comparison; never 0.
    public static var current: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    private static func spawn(_ body: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Glibc)
            var thread: pthread_t = 0
            guard pthread_create(&thread, nil, threadEntry, body) == 0 else { return false }
            pthread_detach(thread)
        #else
            var thread: pthread_t?
            guard pthread_create(&thread, nil, threadEntry, body) == 0, let thread else { return false }
            pthread_detach(thread)
        #endif
        return true
    }

    fileprivate static func enter(_ body: UnsafeMutableRawPointer) {
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
    }
}

#if canImport(Glibc)
    private func threadEntry(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let body { DedicatedThread.enter(body) }
        return nil
    }
#else
    private func threadEntry(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        DedicatedThread.enter(body)
        return nil
    }
#endif
