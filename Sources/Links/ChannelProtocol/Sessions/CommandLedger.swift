internal import UAVLink

/// The companion's record of a session's commands, so that each is executed once and its answer can be resent.
struct CommandLedger {
    enum Entry {
        case running(slot: CommandKinds?)
        /// The encoded answer.
        case answered([UInt8])
        /// The peer has acknowledged all of a large answer.
        case delivered
    }

    /// Bytes of large answers kept until delivery.
    private(set) var largeBytes = 0
    /// Bytes of the other answers.
    private var smallBytes = 0
    private var entries: [UInt64: Entry] = [:]
    /// Answered commands, oldest first, from ``firstAnswered`` on: taking the first out of an array moves all others, with each
    /// answer.
    private var answered: [UInt64] = []
    private var firstAnswered = 0
    /// Ids up to this one that are not in ``entries`` have been forgotten and must not be started.
    private var forgottenUpTo: UInt64 = 0
    private var running: [CommandKinds?: Int] = [:]

    /// How many commands are running of a kind with slots of its own; `nil`: of all others.
    func running(_ slot: CommandKinds?) -> Int { running[slot] ?? 0 }

    enum Verdict {
        case new
        case running
        case answered([UInt8])
        /// Its answer is no longer kept, or no longer needed.
        case forgotten
    }

    func judge(_ id: UInt64) -> Verdict {
        switch entries[id] {
        case .running: .running
        case .answered(let bytes): .answered(bytes)
        case .delivered: .forgotten
        case nil: id <= forgottenUpTo ? .forgotten : .new
        }
    }

    mutating func begin(_ id: UInt64, slot: CommandKinds?) {
        guard entries.updateValue(.running(slot: slot), forKey: id) == nil else { return }
        running[slot, default: 0] += 1
    }

    /// Keeps the answer of a running command; ignored for any other.
    mutating func answer(_ id: UInt64, _ bytes: [UInt8]) {
        guard case .running(let slot) = entries[id] else { return }
        running[slot, default: 1] -= 1
        entries[id] = .answered(bytes)
        if Self.isLarge(bytes) { largeBytes += bytes.count } else { smallBytes += bytes.count }
        answered.append(id)
        while hasTooMany { forgetOldest() }
    }

    private var hasTooMany: Bool {
        let kept = answered.count - firstAnswered
        return kept > ChannelLimits.answersKept
            || (smallBytes > ChannelLimits.answerBytesKept && kept > ChannelLimits.answersKeptMinimum)
    }

    private mutating func forgetOldest() {
        let oldest = answered[firstAnswered]
        firstAnswered += 1
        if firstAnswered > ChannelLimits.answersKept {
            answered.removeFirst(firstAnswered)
            firstAnswered = 0
        }
        deliver(oldest)
        if case .answered(let bytes) = entries.removeValue(forKey: oldest) { smallBytes -= bytes.count }
        forgottenUpTo = max(forgottenUpTo, oldest)
    }

    private static func isLarge(_ answer: [UInt8]) -> Bool { answer.count > ChannelLimits.payload }

    /// Frees a large answer that was delivered or is not wanted.
    mutating func deliver(_ id: UInt64) {
        guard case .answered(let bytes) = entries[id], Self.isLarge(bytes) else { return }
        largeBytes -= bytes.count
        entries[id] = .delivered
    }
}
