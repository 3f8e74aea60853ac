package import UAVLink

/// Which command an answer belongs to, which the protocol does not say.
///
/// The drone executes one move at a time, and answers it when it has ended; `stop` and questions are answered meanwhile. So
/// there is one place for each of these, told apart by the form of the answer. An answer that is still to come for a command
/// that was given up is owed: the next one of its form is taken for it, never for a newer command. They may come in any order:
/// a landing that is sent while one is owed is refused at once by some drones, before the move that it ends is answered. So no
/// answer counts as that landing's: only what the drone's state shows.
package struct TelloExpectations: Sendable {
    /// A caller that waits.
    package typealias Call = UInt64

    /// A command that was sent and not answered.
    package struct Pending: Hashable, Sendable {
        /// The command.
        package let command: TelloCommand
        /// Who waits for its answer; nobody once they were answered otherwise or have given up.
        package var calls: [Call]
        /// When it was sent first.
        package let sentAt: MonotonicTime
        /// When its answer is given up.
        package var until: MonotonicTime
        /// How often it was sent: each may be answered.
        package var copies = 1
        /// Whether no answer is taken for its own, since it might be one that was owed when it was sent.
        package var isContested = false
    }

    /// An answer with the command that it belongs to.
    package struct Answered: Hashable, Sendable {
        /// The command, with who waits for it.
        package let pending: Pending
        /// Its answer.
        package let reply: TelloReply
    }

    private struct Owed: Hashable, Sendable {
        let command: TelloCommand
        var until: MonotonicTime

        /// Whether it may be an error: `command` and `stop` are answered with `ok` only.
        var mayFail: Bool { TelloExpectations.slot(of: command) == .move }
    }

    /// What the drone answers one of at a time.
    package enum Slot: Hashable, Sendable, CaseIterable {
        /// `command`.
        case handshake
        /// `takeoff`, `land`, a move or a turn.
        case move
        /// `stop`.
        case stop
        /// `emergency`.
        case emergency
        /// A question.
        case question
    }

    private var pending: [Slot: Pending] = [:]
    private var owed: [Owed] = []

    /// Nothing was sent.
    package init() {}

    /// A command whose answer may still come, although nobody waits for it; `nil` if there is none.
    package var owedCommand: TelloCommand? { owed.last?.command }

    /// What was sent of a kind and is not answered; `nil` if nothing.
    package subscript(slot: Slot) -> Pending? { pending[slot] }

    /// When the next one is given up.
    package var nextDeadline: MonotonicTime? {
        (pending.values.map(\.until) + owed.map(\.until)).min()
    }

    // MARK: Sending

    /// A command is sent whose answer is waited for until `until`. The same command, sent again, keeps its callers.
    package mutating func sent(
        _ command: TelloCommand, for calls: [Call] = [], now: MonotonicTime, until: MonotonicTime
    ) {
        guard let slot = Self.slot(of: command) else { return }
        if var present = pending[slot] {
            guard present.command != command else {
                present.calls += calls
                present.copies = min(present.copies + 1, Self.mostOwed)
                present.until = max(present.until, until)
                pending[slot] = present
                return
            }
            owe(present, until: present.until)
        }
        pending[slot] = Pending(
            command: command, calls: calls, sentAt: now, until: until,
            isContested: slot == .move && owed.contains(where: \.mayFail))
    }

    /// What was taken for the answer to a move cannot have been its own: it is waited for on, and no answer counts any more.
    package mutating func contest(_ answered: Pending) {
        guard pending[.move] == nil else { return }
        var answered = answered
        answered.isContested = true
        pending[.move] = answered
    }

    /// Nobody waits for it any more; its answer may still come.
    ///
    /// - Returns: it; `nil` if there was none.
    package mutating func giveUp(_ slot: Slot) -> Pending? {
        guard let given = pending.removeValue(forKey: slot) else { return nil }
        owe(given, until: given.until)
        return given
    }

    /// It has ended, as the drone's state shows; its answer may come in a moment, or never.
    package mutating func end(_ slot: Slot, now: MonotonicTime) -> Pending? {
        guard let ended = pending.removeValue(forKey: slot) else { return nil }
        owe(ended, until: now + TelloTimes.stray)
        return ended
    }

    /// The move's callers were answered by what the state shows: its own answer is still waited for, and holds its place.
    package mutating func takeMoveCalls() -> [Call] {
        let calls = pending[.move]?.calls ?? []
        pending[.move]?.calls = []
        return calls
    }

    /// A caller does not wait any more.
    package mutating func forget(_ call: Call) {
        for slot in Slot.allCases { pending[slot]?.calls.removeAll { $0 == call } }
    }

    /// Removes what was not answered in time; its answer is not expected any more.
    package mutating func expire(now: MonotonicTime) -> [Pending] {
        owed.removeAll { $0.until <= now }
        let expired = pending.filter { $0.value.until <= now }
        for slot in expired.keys { pending[slot] = nil }
        return Array(expired.values)
    }

    /// A late answer to a question is taken for one to the next, which is usually the same; it is none to a command.
    private mutating func owe(_ pending: Pending, until: MonotonicTime) {
        if case .read = pending.command { return }
        let room = max(0, Self.mostOwed - owed.count)
        for _ in 0..<min(max(0, pending.copies), room) { owed.append(Owed(command: pending.command, until: until)) }
    }

    private static let mostOwed = 16

    // MARK: Answers

    /// Finds what an answer belongs to.
    ///
    /// - Returns: `nil` if it belongs to nothing that is waited for.
    package mutating func answered(_ reply: TelloReply, now: MonotonicTime) -> Answered? {
        switch reply {
        case .value: return take(.question, reply, now: now)
        case .unknownCommand(let word):
            let slot = Slot.allCases.first { pending[$0]?.command.word.lowercased() == word }
            return slot.flatMap { take($0, reply, now: now) }
        case .forcedStop:
            if let move = pending[.move], !move.isContested { return take(.move, reply, now: now) }
            if let index = owed.firstIndex(where: \.mayFail) { owed.remove(at: index) }
            return nil
        case .ok, .failure:
            if pending[.handshake] != nil { return take(.handshake, reply, now: now) }
            if let index = owed.firstIndex(where: { reply == .ok || $0.mayFail }) {
                owed.remove(at: index)
                return nil
            }
            // `stop` is not refused while a move is answered. `emergency` is often not answered at all: only the motors say that they
            // have stopped.
            // A question is refused without a word, and what a drone says unasked is no answer to one.
            let refused: [Slot] = reply == .failure("error") ? [.move, .stop, .question] : [.move, .stop]
            let order = reply == .ok ? [.stop, .move] : refused
            guard let slot = order.first(where: { pending[$0].map { !$0.isContested } ?? false }) else { return nil }
            if slot == .stop, let move = pending[.move] {
                pending[.move]?.until = min(move.until, now + TelloTimes.stoppedMove)
            }
            return take(slot, reply, now: now)
        }
    }

    private mutating func take(_ slot: Slot, _ reply: TelloReply, now: MonotonicTime) -> Answered? {
        guard var answered = pending.removeValue(forKey: slot) else { return nil }
        let answer = Answered(pending: answered, reply: reply)
        answered.copies -= 1
        owe(answered, until: now + TelloTimes.stray)
        return answer
    }

    private static func slot(of command: TelloCommand) -> Slot? {
        switch command {
        case .command: .handshake
        case .takeoff, .land, .move, .turn, .go, .flip, .curve, .goOverPad, .jump: .move
        // They are answered at once, and with the same words as a move.
        case .padDetection, .padDirection, .speed, .video, .setting, .join: .move
        case .stop: .stop
        case .emergency: .emergency
        case .read: .question
        case .sticks: nil
        }
    }
}
