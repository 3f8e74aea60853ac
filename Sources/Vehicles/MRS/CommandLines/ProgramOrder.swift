internal import Synchronization
package import UAVLink

/// The order of commands that are programs of their own on the vehicle, such as `rosservice call`.
///
/// A program takes up to a second to start: of two commands that are given within that time, the newer one reaches the vehicle
/// first as often as not. What stops or lands the vehicle, or switches it off, is a *halt*: it waits for nothing, and nothing takes
/// it back. So:
///
/// - what moves, arms or switches the vehicle on is sent when the halts have ended that are older than it;
/// - a stop that began while an older one of another kind was under way is run again after that one, unless a newer one was given.
package final class ProgramOrder: Sendable {
    /// One command.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
        /// Whether an older stop of another kind was under way when it began, which may reach the vehicle after it.
        package let mayBeOvertaken: Bool
    }

    private struct Waiter {
        let isOver: @Sendable (borrowing State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: ~Copyable {
        var last: UInt64 = 0
        /// Those under way.
        var halts: [UInt64: Command] = [:]
        var newestStop: UInt64 = 0
        var waiting: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0

        /// Takes out those who need not wait any more.
        mutating func ready() -> [Waiter] {
            var ready: [Waiter] = []
            for (number, waiter) in waiting where waiter.isOver(self) {
                ready.append(waiter)
                waiting[number] = nil
            }
            return ready
        }
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// Creates an order of no commands yet.
    package init(clock: any MonotonicClock) { self.clock = clock }

    // MARK: Commands

    /// A command begins; ``end(_:)`` must follow.
    package func begin(_ command: Command) -> Ticket {
        let (ticket, ready) = state.withLock { state in
            state.last += 1
            let isStop = command.stopsOrLands
            let others = state.halts.values.contains { $0.stopsOrLands && $0 != command }
            if isStop { state.newestStop = state.last }
            if command.isHalt { state.halts[state.last] = command }
            return (Ticket(number: state.last, mayBeOvertaken: isStop && others), state.ready())
        }
        for waiter in ready { waiter.continuation.resume(returning: true) }
        return ticket
    }

    /// A command has been answered, or failed.
    package func end(_ ticket: Ticket) { recheck { $0.halts[ticket.number] = nil } }

    /// What waits asks again whether it was replaced.
    package func recheck() { recheck { _ in } }

    private func recheck(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            return state.ready()
        }
        for waiter in ready { waiter.continuation.resume(returning: true) }
    }

    /// Whether no newer stop has been given.
    package func isNewestStop(_ ticket: Ticket) -> Bool { state.withLock { $0.newestStop <= ticket.number } }

    // MARK: Waiting

    /// Waits for the halts that are older than a command.
    ///
    /// - Parameter isReplaced: whether a newer command has ended this one; asked whenever a command begins or ends.
    /// - Returns: whether they have ended, or the command was replaced; `false` at the deadline, and for a cancelled task.
    package func waitForOlderHalts(
        than ticket: Ticket, until deadline: MonotonicTime,
        orUntil isReplaced: @escaping @Sendable () -> Bool = { false }
    ) async -> Bool {
        await wait(until: deadline) { state in !state.halts.keys.contains { $0 < ticket.number } || isReplaced() }
    }

    /// Waits until no halt is under way, or until the deadline, whether or not the caller's task is cancelled.
    package func waitForHalts(until deadline: MonotonicTime) async {
        await Task { _ = await wait(until: deadline) { state in state.halts.isEmpty } }.value
    }

    private func wait(
        until deadline: MonotonicTime, _ isOver: @escaping @Sendable (borrowing State) -> Bool
    ) async -> Bool {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOverNow = state.withLock { state in
                    if isOver(state) { return true }
                    state.waiting[number] = Waiter(isOver: isOver, continuation: continuation)
                    return false
                }
                if isOverNow { return continuation.resume(returning: true) }
                // Before it was stored, a cancellation found nobody.
                if Task.isCancelled { return giveUp(number) }
                Task { [weak self, clock] in
                    try? await clock.sleep(until: deadline)
                    self?.giveUp(number)
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: UInt64) {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiter?.continuation.resume(returning: false)
    }
}

extension Command {
    /// Whether it stops or lands the vehicle, or switches it off: it waits for nothing, and nothing takes it back.
    package var isHalt: Bool {
        switch self {
        case .arm(false), .enableOutput(false): true
        default: stopsOrLands
        }
    }

    /// Whether it switches the vehicle on: a newer halt takes it back.
    package var switchesOn: Bool {
        switch self {
        case .arm(true), .enableOutput(true), .offboard: true
        default: false
        }
    }
}
