#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization

/// Computations that are divided among the computer's processors.
public enum ConcurrentWork {
    /// The number of processors that are online; at least 1.
    public static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Calls `body` with each number below `count`, on the calling thread and on `threads - 1` others of the same priority;
    /// returns when all calls have returned.
    ///
    /// Where the system cannot create a thread, those that there are do the work.
    public static func perform(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let share = WorkShare(count: count, body: body)
        let others = (1..<max(1, min(count, threads))).compactMap { _ in spawn(share) }
        share.run()
        for thread in others { pthread_join(thread, nil) }
    }

    private static func spawn(_ share: WorkShare) -> pthread_t? {
        let box = Unmanaged.passRetained(share)
        #if canImport(Glibc)
            var thread: pthread_t = 0
        #else
            var thread: pthread_t?
        #endif
        guard pthread_create(&thread, nil, workEntry, box.toOpaque()) == 0 else {
            box.release()
            return nil
        }
        return thread
    }
}

private final class WorkShare: Sendable {
    private let next = Atomic<Int>(0)
    private let count: Int
    private let body: @Sendable (Int) -> Void

    init(count: Int, body: @escaping @Sendable (Int) -> Void) { (self.count, self.body) = (count, body) }

    func run() {
        while true {
            let number = next.add(1, ordering: .relaxed).oldValue
            guard number < count else { return }
            body(number)
        }
    }

    static func run(_ share: UnsafeMutableRawPointer) {
        Unmanaged<WorkShare>.fromOpaque(share).takeRetainedValue().run()
    }
}

#if canImport(Glibc)
    private func workEntry(_ share: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let share { WorkShare.run(share) }
        return nil
    }
#else
    private func workEntry(_ share: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        WorkShare.run(share)
        return nil
    }
#endif
