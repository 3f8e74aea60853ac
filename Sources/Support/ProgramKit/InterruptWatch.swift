internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Turns Ctrl-C, a polite kill and a closed terminal into one call, so that a program can stop the vehicle and end cleanly.
///
/// The second such signal ends the program at once, for a person who has lost patience.
public final class InterruptWatch {
    private let sources: [any DispatchSourceSignal]

    /// Watches from now on; the call comes on a thread of its own.
    public init(_ onInterrupt: @escaping @Sendable () -> Void) {
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
