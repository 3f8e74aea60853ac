/// What the companion remembers of a session's commands, so that each is executed once and its answer can be repeated.
struct CommandLedger {
    enum Entry {
        case running(stopsMotion: Bool)
        /// The answer as it goes on the wire.
        case answered([UInt8])
        /// The other end has said that it has the whole of a large answer.
        case delivered
    }

    /// Bytes of large answers that are kept until they are delivered.
    private(set) var largeBytes = 0
    /// Bytes of the others.
    private var smallBytes = 0
    private var entries: [UInt64: Entry] = [:]
    /// Answered commands, oldest first.
    private var answered: [UInt64] = []
    /// Up to this number, what is not in ``entries`` has been forgotten: it must not be begun.
    private var forgottenUpTo: UInt64 = 0
    private var runningStops = 0
    private var runningOthers = 0

    /// How many run: of those that stop motion, or of the others.
    func running(stopsMotion: Bool) -> Int { stopsMotion ? runningStops : runningOthers }

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

    mutating func begin(_ id: UInt64, stopsMotion: Bool) {
        guard entries.updateValue(.running(stopsMotion: stopsMotion), forKey: id) == nil else { return }
        count(stopsMotion, 1)
    }

    private mutating func count(_ stopsMotion: Bool, _ change: Int) {
        if stopsMotion { runningStops += change } else { runningOthers += change }
    }

    /// Keeps the answer of a command that runs; of any other nothing is kept.
    mutating func answer(_ id: UInt64, _ bytes: [UInt8]) {
        guard case .running(let stopsMotion) = entries[id] else { return }
        count(stopsMotion, -1)
        entries[id] = .answered(bytes)
        if Self.isLarge(bytes) { largeBytes += bytes.count } else { smallBytes += bytes.count }
        answered.append(id)
        while hasTooMany { forgetOldest() }
    }

    private var hasTooMany: Bool {
        answered.count > ChannelLimits.answersKept
            || (smallBytes > ChannelLimits.answerBytesKept && answered.count > ChannelLimits.answersKeptAtLeast)
    }

    private mutating func forgetOldest() {
        let oldest = answered.removeFirst()
        deliver(oldest)
        if case .answered(let bytes) = entries.removeValue(forKey: oldest) { smallBytes -= bytes.count }
        forgottenUpTo = max(forgottenUpTo, oldest)
    }

    private static func isLarge(_ answer: [UInt8]) -> Bool { answer.count > ChannelLimits.payload }

    /// Lets go of a large answer that has arrived, or that nobody wants.
    mutating func deliver(_ id: UInt64) {
        guard case .answered(let bytes) = entries[id], Self.isLarge(bytes) else { return }
        largeBytes -= bytes.count
        entries[id] = .delivered
    }
}
