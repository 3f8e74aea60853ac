#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// A thread of our own for calls that block, so that Swift's cooperative threads never do.
enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread.
    static func start(_ body: @escaping @Sendable () -> Void) throws(LinkError) {
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let failure = pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Glibc)
                    guard let argument else { return nil }
                #endif
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.run()
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            box.release()
            throw LinkError(.internalFault, "no thread for SSH: \(ErrorText.of(failure))")
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
    }

    /// Runs `body` on a new thread and returns what it returns.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(LinkError) -> Value {
        let result: Result<Value, LinkError> = await withCheckedContinuation { continuation in
            do throws(LinkError) {
                try start { continuation.resume(returning: .success(body())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
