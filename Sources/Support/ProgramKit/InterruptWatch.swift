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
/// A second signal of the same kind ends the program immediately; one within half a second of the first is the same event: a terminal
/// that is closed sends SIGHUP twice. A program has one watch at a time.
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
            for number in CaughtSignals.take(of: Self.numbers) { onInterrupt(number) }
        }
        source.resume()
        self.source = source
    }

    /// From now on the signals end the program.
    deinit {
        guard let source else { return }
        for number in Self.numbers { signal(number, SIG_DFL) }
        source.cancel()
    }

    /// The exit code that shells give a program which a signal ended.
    package static func exitCode(ofSignal number: Int32) -> Int32 { 128 + number }
}

/// What a signal handler may do: note the signal, wake who reads, and end the program by the second of a kind, whatever its threads do.
private enum CaughtSignals {
    static let waker = try? Waker()
    /// A bit for each signal that was caught and not taken yet, and for each that was caught.
    private static let waiting = Atomic<UInt64>(0)
    private static let caught = Atomic<UInt64>(0)
    /// When the newest kind was caught first, nanoseconds of the monotonic clock.
    private static let newestAt = Atomic<Int64>(0)
    /// Two of a kind within this time are one event.
    private static let sameEventNanoseconds: Int64 = 500_000_000

    /// Has the signal noted from now on.
    static func `catch`(_ number: Int32) {
        // All are initialised by this, not in the handler.
        waiting.bitwiseAnd(~bit(of: number), ordering: .sequentiallyConsistent)
        caught.bitwiseAnd(~bit(of: number), ordering: .sequentiallyConsistent)
        newestAt.store(0, ordering: .sequentiallyConsistent)
        guard waker != nil else { return }
        signal(number) { CaughtSignals.note($0) }
    }

    /// Those that were noted since the last call.
    static func take(of numbers: [Int32]) -> [Int32] {
        let all = waiting.exchange(0, ordering: .sequentiallyConsistent)
        return numbers.filter { all & bit(of: $0) != 0 }
    }

    private static func note(_ number: Int32) {
        let before = errno
        defer { errno = before }
        let (bit, time) = (bit(of: number), monotonicNanoseconds)
        guard caught.bitwiseOr(bit, ordering: .sequentiallyConsistent).oldValue & bit != 0 else {
            newestAt.store(time, ordering: .sequentiallyConsistent)
            waiting.bitwiseOr(bit, ordering: .sequentiallyConsistent)
            waker?.wake()
            return
        }
        guard time - newestAt.load(ordering: .sequentiallyConsistent) > sameEventNanoseconds else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    private static var monotonicNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func bit(of number: Int32) -> UInt64 { 1 << UInt64(clamping: number) }
}
