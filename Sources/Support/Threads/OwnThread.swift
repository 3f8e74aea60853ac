#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Threads of our own for what waits in system calls, so that Swift's cooperative threads never do.
public enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which ends when it returns.
    ///
    /// - Returns: `false`, and nothing runs, when the system has no more threads to give.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        let hasStarted = spawn(box.toOpaque())
        if !hasStarted { box.release() }
        return hasStarted
    }

    /// Runs `body` on a new thread and returns what it returns; `nil` when the system has no more threads to give.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let hasStarted = startWork { continuation.resume(returning: body()) }
            if !hasStarted { continuation.resume(returning: nil) }
        }
    }

    /// As ``start(_:)``, for work that ends by itself and waits for nothing but a clock: it stands in ``threadsAtWork``.
    public static func startWork(_ body: @escaping @Sendable () -> Void) -> Bool {
        let number = begin()
        let hasStarted = start {
            enter(number)
            body()
            // Not before whoever waits for it can go on: in between nobody would be at work.
            end(number)
        }
        if !hasStarted { end(number) }
        return hasStarted
    }

    // MARK: Who is at work

    private struct AtWork {
        var newest: UInt64 = 0
        /// The threads by the numbers of their work; 0 until they have begun.
        var threads: [UInt64: UInt] = [:]
    }

    private static let atWork = Mutex(AtWork())

    /// The threads of ``run(_:)`` and ``startWork(_:)`` that have not ended yet, as ``current`` has them; 0 for one that is just
    /// starting. While there is one, something can still happen of which no task knows: tests ask for it.
    public static var threadsAtWork: [UInt] { atWork.withLock { Array($0.threads.values) } }

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

    /// As ``run(_:)``, but behind whatever else wants the processor: for long computing beside a flight.
    public static func runBehindOthers<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await run {
            stepBack()
            return body()
        }
    }

    private static func stepBack() {
        #if canImport(Glibc)
            // On Linux each thread has a nice value of its own, and 0 is the calling one; half-way to the lowest.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #else
            _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// The calling thread, to be compared with others; never 0.
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
        if let body { OwnThread.enter(body) }
        return nil
    }
#else
    private func threadEntry(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        OwnThread.enter(body)
        return nil
    }
#endif
