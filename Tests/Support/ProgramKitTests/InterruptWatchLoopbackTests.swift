import Dispatch
import ProgramKit
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Signals of this process; SIGHUP, which nothing else here uses.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InterruptWatchLoopbackTests {
    @Test func `a signal right after the watch began is not lost`() {
        for _ in 0..<50 {
            let (seen, numbers) = (DispatchSemaphore(value: 0), Seen())
            let watch = InterruptWatch { number in
                numbers.add(number)
                seen.signal()
            }
            kill(getpid(), SIGHUP)
            guard seen.wait(timeout: .now() + 10) == .success else {
                Issue.record("it was lost")
                return
            }
            // Another one before that, of the next round, would end this process.
            while !Self.isDefault(SIGHUP) { usleep(100) }
            withExtendedLifetime(watch) {}
            #expect(numbers.all == [SIGHUP])
        }
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.__sigaction_handler.sa_handler == nil
    }

    private final class Seen: Sendable {
        private let numbers = Mutex<[Int32]>([])

        var all: [Int32] { numbers.withLock { $0 } }

        func add(_ number: Int32) { numbers.withLock { $0.append(number) } }
    }
}
