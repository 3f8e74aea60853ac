#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A thread of its own for work that waits in system calls, so that no cooperative thread ever does.
enum IOThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `run` on a fresh detached thread; false when the system has no more threads.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        let hasStarted = spawn(body.toOpaque())
        if !hasStarted { body.release() }
        return hasStarted
    }

    #if canImport(Glibc)
        private static func spawn(_ opaque: UnsafeMutableRawPointer) -> Bool {
            var thread: pthread_t = 0
            guard pthread_create(&thread, nil, threadEntry, opaque) == 0 else { return false }
            pthread_detach(thread)
            return true
        }
    #else
        private static func spawn(_ opaque: UnsafeMutableRawPointer) -> Bool {
            var thread: pthread_t?
            guard pthread_create(&thread, nil, threadEntry, opaque) == 0, let thread else { return false }
            pthread_detach(thread)
            return true
        }
    #endif

    fileprivate static func run(_ opaque: UnsafeMutableRawPointer) {
        Unmanaged<Body>.fromOpaque(opaque).takeRetainedValue().run()
    }
}

private func threadEntry(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let opaque { IOThread.run(opaque) }
    return nil
}
