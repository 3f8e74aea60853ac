internal import Synchronization
package import UAVLink

/// Sends commands in the order and at the time that ``CommandTiming`` determines: most at once, on the caller's thread.
package final class CommandGate: Sendable {
    /// Names a command in the order in which they were given.
    package typealias Number = UInt64
    /// Sends a command within the time that is left; returns how to take it back while it has not left.
    package typealias Send = @Sendable (_ number: Number, _ timeout: Duration) -> CommandRecall?

    /// What is done with a command in the end: it is sent, or fails.
    private struct Ways {
        let send: Send
        let fail: @Sendable (Result<CommandReply, LinkError>) -> Void
    }

    /// A command that is to be sent.
    private final class Entry: Sendable {
        private struct State {
            /// Until the first of them is gone: they hold what waits for the answer, which may hold this.
            var ways: Ways?
            var recall: CommandRecall?
            var isTakenBack = false
        }

        let deadline: MonotonicTime
        private let state: Mutex<State>

        init(deadline: MonotonicTime, _ ways: Ways) {
            self.deadline = deadline
            state = Mutex(State(ways: ways))
        }

        private func takeWays() -> Ways? { state.withLock { $0.ways.take() } }

        func fail(_ result: Result<CommandReply, LinkError>) { takeWays()?.fail(result) }

        func refuse(_ reason: String) { fail(.success(CommandReply(accepted: false, message: reason))) }

        var isTakenBack: Bool { state.withLock { $0.isTakenBack } }

        func send(_ number: Number, within timeout: Duration) {
            guard let ways = takeWays() else { return }
            let recall = ways.send(number, timeout)
            let isTakenBack = state.withLock { state in
                state.recall = recall
                return state.isTakenBack
            }
            if isTakenBack { recall?() }
        }

        /// After it has left this gate.
        func takeBack() {
            let recall = state.withLock { state in
                state.isTakenBack = true
                return state.recall
            }
            recall?()
        }
    }

    private struct Outgoing {
        let number: Number
        let command: Command
        let entry: Entry
    }

    private struct State {
        var timing = CommandTiming()
        var waiting: [Number: Outgoing] = [:]
        /// To be sent now, in this order.
        var outbox: [Outgoing] = []
        /// Whether a thread sends them.
        var isSending = false

        /// Moves what is due to the outbox.
        mutating func release(at now: MonotonicTime) {
            for number in timing.takeDue(at: now) {
                guard let outgoing = waiting.removeValue(forKey: number) else { continue }
                outbox.append(outgoing)
            }
        }

        /// Takes a command out that has not left; `nil` if it has.
        mutating func remove(_ number: Number) -> Entry? {
            if timing.takeBack(number) { return waiting.removeValue(forKey: number)?.entry }
            guard let index = outbox.firstIndex(where: { $0.number == number }) else { return nil }
            timing.noteAnswer(to: number)
            return outbox.remove(at: index).entry
        }

        /// Takes out what a new command ends.
        mutating func removeEnded(by command: Command, _ admission: CommandTiming.Admission) -> [Entry] {
            var ended = admission.ended.compactMap { waiting.removeValue(forKey: $0)?.entry }
            guard command.stopsOrLands else { return ended }
            for outgoing in outbox where !outgoing.command.stopsOrLands {
                ended.append(outgoing.entry)
                timing.noteAnswer(to: outgoing.number)
            }
            outbox.removeAll { !$0.command.stopsOrLands }
            return ended
        }
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// Creates a gate without commands.
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// A velocity reference is sent; does not allocate.
    package func noteSetpoint(isNeutral: Bool, at now: MonotonicTime) {
        state.withLock { $0.timing.noteSetpoint(isNeutral: isNeutral, at: now) }
    }

    /// A command was answered, or has failed: every one that was sent is to be reported here.
    package func noteAnswer(to number: Number) {
        let now = clock.now
        let isAnyDue = state.withLock { state in
            state.timing.noteAnswer(to: number)
            // In one step: what is given next is to find these before it.
            state.release(at: now)
            return !state.outbox.isEmpty
        }
        if isAnyDue { sendAll() }
    }

    /// Sends a command when it is its time.
    ///
    /// - Parameters:
    ///   - brake: sends a neutral setpoint.
    ///   - send: called once, on any thread, unless `fail` is.
    ///   - fail: called once if it is not sent: with the refusal, or an error.
    /// - Returns: takes it back as long as it waits.
    package func begin(
        _ command: Command, within timeout: Duration, brake: () -> Void, send: @escaping Send,
        fail: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        let now = clock.now
        // What neither moves nor stops the vehicle has no order to keep, and is sent by its own thread: it may be large.
        guard command.interruptsSteering else {
            let number = state.withLock { $0.timing.give(command, at: now).number }
            return send(number, timeout)
        }
        let entry = Entry(deadline: now + timeout, Ways(send: send, fail: fail))
        let (admission, ended) = state.withLock { state in
            state.release(at: now)
            let admission = state.timing.give(command, at: now)
            let ended = state.removeEnded(by: command, admission)
            let outgoing = Outgoing(number: admission.number, command: command, entry: entry)
            if admission.isSent {
                state.outbox.append(outgoing)
            } else if admission.refusal == nil {
                state.waiting[admission.number] = outgoing
                // The take-off that it waited for may have been among those that it ended.
                state.release(at: now)
            }
            return (admission, ended)
        }
        for entry in ended { entry.refuse(admission.reason) }
        if let refusal = admission.refusal {
            entry.refuse(refusal)
            sendAll()
            return nil
        }
        if admission.brakes { brake() }
        sendAll()
        if !admission.isSent { wait(for: admission.number) }
        return { [self] in takeBack(admission.number, entry) }
    }

    private func wait(for number: Number) {
        Task(priority: .high) {
            // Its time changes with setpoints that are still sent, within bounds.
            while let due = state.withLock({ $0.timing.due(number, at: clock.now) }) {
                try? await clock.sleep(until: due)
                let now = clock.now
                state.withLock { $0.release(at: now) }
                sendAll()
            }
        }
    }

    /// One thread at a time, so that none overtakes another; what is added meanwhile is sent by that thread, too.
    private func sendAll() {
        let isFree = state.withLock { state in
            guard !state.isSending, !state.outbox.isEmpty else { return false }
            state.isSending = true
            return true
        }
        guard isFree else { return }
        while let outgoing = next() {
            // A trajectory takes long to encode, and a stop must not wait for that.
            if case .uploadTrajectory = outgoing.command {
                Task { send(outgoing) }
            } else {
                send(outgoing)
            }
        }
    }

    private func send(_ outgoing: Outgoing) {
        let (number, entry) = (outgoing.number, outgoing.entry)
        let left = entry.deadline - clock.now
        if entry.isTakenBack {
            entry.fail(.failure(Self.takenBack))
        } else if left <= .zero {
            entry.refuse("not sent to the vehicle: its deadline passed first")
        } else {
            return entry.send(number, within: left)
        }
        noteAnswer(to: number)
    }

    private func next() -> Outgoing? {
        state.withLock { state in
            guard state.outbox.isEmpty else { return state.outbox.removeFirst() }
            state.isSending = false
            return nil
        }
    }

    private func takeBack(_ number: Number, _ entry: Entry) {
        if state.withLock({ $0.remove(number) }) != nil {
            entry.fail(.failure(Self.takenBack))
        } else {
            entry.takeBack()
        }
    }

    private static let takenBack = LinkError(.remoteFailed, "taken back before it was sent")
}
