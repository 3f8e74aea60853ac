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

    /// Starts watching; `onInterrupt` is called with the signal's number on a global Dispatch queue.
    package init(_ onInterrupt: @escaping @Sendable (Int32) -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // The default action would end the program before the source could fire.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
            source.setEventHandler {
                onInterrupt(number)
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// The exit code that shells give a program which a signal ended.
    package static func exitCode(ofSignal number: Int32) -> Int32 { 128 + number }
}
