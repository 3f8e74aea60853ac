import MRS
import Synchronization
import Testing
import UAVLink
import UAVTestKit

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}

@Suite struct ProgramOrderTests {
    private let clock = FakeClock()
    private let order: ProgramOrder

    init() { order = ProgramOrder(clock: clock) }

    private func wait(for ticket: ProgramOrder.Ticket, _ time: Duration = .seconds(5)) -> Task<Bool, Never> {
        Task { [order, clock] in await order.waitForOlderHalts(than: ticket, until: clock.now + time) }
    }

    @Test(arguments: [Command.hover, .land, .emergencyLand, .stopTrajectory, .arm(false), .enableOutput(false)])
    func `what is given after a halt waits for its end, and not for that of a newer one`(halt: Command) async {
        let older = order.begin(halt)
        let waiting = wait(for: order.begin(.arm(true)))
        let newer = order.begin(halt)
        let hasEnded = Flag()
        let watch = Task {
            _ = await waiting.value
            hasEnded.set()
        }
        await clock.run(for: .seconds(1))
        #expect(!hasEnded.isSet)
        order.end(older)
        await watch.value
        #expect(await waiting.value)
        order.end(newer)
    }

    @Test(arguments: [Command.arm(true), .takeoff, .offboard, .enableOutput(true), .snapshot(service: "a")])
    func `nothing waits for what is no halt`(command: Command) async {
        _ = order.begin(command)
        #expect(await wait(for: order.begin(.takeoff), .zero).value)
    }

    @Test func `a wait ends at its deadline, when its task is cancelled, and when it is replaced`() async {
        let stop = order.begin(.hover)
        let late = wait(for: order.begin(.takeoff))
        let cancelled = wait(for: order.begin(.takeoff))
        cancelled.cancel()
        #expect(await cancelled.value == false)
        let isReplaced = Flag()
        let ticket = order.begin(.takeoff)
        let replaced = Task { [order, clock] in
            await order.waitForOlderHalts(than: ticket, until: clock.now + .seconds(60)) {
                isReplaced.isSet
            }
        }
        await clock.run(for: .seconds(5))
        #expect(await late.value == false)
        isReplaced.set()
        order.recheck()
        #expect(await replaced.value)
        order.end(stop)
    }

    @Test func `a stop may be overtaken by an older one of another kind that is under way`() {
        let first = order.begin(.hover)
        #expect(!first.mayBeOvertaken && order.isNewestStop(first))
        let same = order.begin(.hover)
        #expect(!same.mayBeOvertaken && !order.isNewestStop(first))
        let land = order.begin(.land)
        #expect(land.mayBeOvertaken && order.isNewestStop(land))
        // What moves it waits for the stop, and does not replace it.
        _ = order.begin(.takeoff)
        #expect(order.isNewestStop(land))
        for ticket in [first, same, land] { order.end(ticket) }
        #expect(!order.begin(.hover).mayBeOvertaken)
    }

    @Test(arguments: [Command.land, .arm(false), .enableOutput(false)])
    func `halts are waited for to a deadline, also by a task that was cancelled`(halt: Command) async {
        _ = order.begin(.arm(true))
        await order.waitForHalts(until: clock.now)
        let stop = order.begin(halt)
        let begun = clock.now
        let waiting = Task { [order, clock] in
            await order.waitForHalts(until: begun + .seconds(3)); return clock.now
        }
        waiting.cancel()
        await clock.run(for: .seconds(10))
        #expect(await waiting.value == begun + .seconds(3))
        order.end(stop)
        await order.waitForHalts(until: clock.now + .seconds(3))
    }
}
