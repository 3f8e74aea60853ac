#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A value behind a mutex and a condition variable, on which dedicated threads can block until it changes.
final class Monitor<Value>: @unchecked Sendable {
    // `@unchecked Sendable`: `value` is accessed only with the mutex held, which the compiler cannot verify for a pthread
    // mutex; the pthread objects may be shared between threads and are heap-allocated, so their addresses are stable.
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        #if canImport(Glibc)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(changed, &attributes)
            pthread_condattr_destroy(&attributes)
        #else
            pthread_cond_init(changed, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Changes the value and wakes one waiting thread.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_signal(changed)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Blocks until `take` returns a value, at most until the deadline; `nil` when the deadline passed first.
    func wait<Result>(until deadline: ContinuousClock.Instant, _ take: (inout Value) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = take(&value) { return result }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            // At most an hour per wait, so that the arithmetic cannot overflow.
            var (seconds, attoseconds) = min(left, .seconds(3600)).components
            #if canImport(Glibc)
                var until = timespec()
                clock_gettime(CLOCK_MONOTONIC, &until)
                attoseconds += Int64(until.tv_nsec) * 1_000_000_000
                seconds += Int64(until.tv_sec) + attoseconds / 1_000_000_000_000_000_000
                until.tv_sec = Int(seconds)
                until.tv_nsec = Int(attoseconds % 1_000_000_000_000_000_000 / 1_000_000_000)
                pthread_cond_timedwait(changed, mutex, &until)
            #else
                var interval = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
                attoseconds = 0
                seconds = 0
                pthread_cond_timedwait_relative_np(changed, mutex, &interval)
            #endif
        }
    }
}
