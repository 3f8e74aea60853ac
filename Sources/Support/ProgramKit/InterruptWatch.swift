internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Turns SIGINT, SIGTERM and SIGHUP into one call, so that a program can stop the vehicle and exit cleanly.
///
/// A second signal of the same kind ends the program immediately.
package final class InterruptWatch {
    private let sources: [any DispatchSourceSignal]

    /// Starts watching; `onInterrupt` is called on a global Dispatch queue.
    package init(_ onInterrupt: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // The default action would end the program before the source could fire.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
            source.setEventHandler {
                onInterrupt()
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}
