@testable import Workspace
import Synchronization
import Testing
import UAVTestKit

@Suite("The watchdog of the program's end", .timeLimit(.minutes(1)))
struct EndWatchdogTests {
    private final class Forced: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    private let clock = FakeClock()
    private let terminal = FakeTerminal()
    private let forced = Forced()

    private func watchdog() -> EndWatchdog {
        EndWatchdog(clock: clock, terminal: terminal) { [forced] in forced.add() }
    }

    @Test("a program that does not end is ended by force, once, with its terminal restored")
    func hangs() async {
        let watchdog = watchdog()
        watchdog.begin()
        await clock.run(for: .milliseconds(7000))
        watchdog.begin()
        #expect(forced.count == 0 && terminal.log.isEmpty)
        await clock.run(for: .milliseconds(1500))
        #expect(forced.count == 1 && terminal.log == ["leave"])
        await clock.run(for: .seconds(10))
        #expect(forced.count == 1)
    }

    @Test("a program that ends in time is left alone")
    func ends() async {
        let watchdog = watchdog()
        watchdog.begin()
        watchdog.end()
        await clock.run(for: .seconds(10))
        #expect(forced.count == 0 && terminal.log.isEmpty)
    }
}
