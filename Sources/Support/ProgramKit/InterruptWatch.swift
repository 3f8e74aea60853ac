internal import Dispatch
internal import Synchronization
internal import SystemIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Turns SIGINT, SIGTERM and SIGHUP into one call, so that a program can stop the vehicle and exit cleanly.
///
/// A second signal of the same kind ends the program immediately. A program has one watch at a time.
package final class InterruptWatch {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// `nil` where the system has no descriptor left: then the signals keep their default action, which ends the program.
    private let source: (any DispatchSourceRead)?

    /// Starts watching; `onInterrupt` is called with the signal's number on a global Dispatch queue.
    ///
    /// No signal after this call is lost. (Dispatch's own sources of signals begin to watch some time after they are made, on a
    /// busy machine milliseconds later, and until then the signal must be ignored, or it would end the program.)
    package init(_ onInterrupt: @escaping @Sendable (Int32) -> Void) {
        guard let waker = CaughtSignals.waker else {
            source = nil
            return
        }
        for number in Self.numbers { CaughtSignals.catch(number) }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: waker.descriptor, queue: .global(qos: .userInteractive))
        source.setEventHandler {
            waker.clear()
            for number in CaughtSignals.take(of: Self.numbers) {
                onInterrupt(number)
                signal(number, SIG_DFL)
            }
        }
        source.resume()
        self.source = source
    }

    deinit { source?.cancel() }

    /// The exit code that shells give a program which a signal ended.
    package static func exitCode(ofSignal number: Int32) -> Int32 { 128 + number }
}

/// What a signal handler may do: note the signal, and wake who reads.
private enum CaughtSignals {
    static let waker = try? Waker()
    /// A bit for each signal.
    private static let received = Atomic<UInt64>(0)

    /// Has the signal noted from now on.
    static func `catch`(_ number: Int32) {
        // Both are initialised by this, not in the handler.
        received.bitwiseAnd(~bit(of: number), ordering: .sequentiallyConsistent)
        guard waker != nil else { return }
        signal(number) { CaughtSignals.note($0) }
    }

    /// Those that were noted since the last call.
    static func take(of numbers: [Int32]) -> [Int32] {
        let all = received.exchange(0, ordering: .sequentiallyConsistent)
        return numbers.filter { all & bit(of: $0) != 0 }
    }

    private static func note(_ number: Int32) {
        let before = errno
        received.bitwiseOr(bit(of: number), ordering: .sequentiallyConsistent)
        waker?.wake()
        errno = before
    }

    private static func bit(of number: Int32) -> UInt64 { 1 << UInt64(clamping: number) }
}
