/// What the companion remembers of a session's commands, so that each is executed once and its answer can be repeated.
struct CommandLedger {
    enum Entry {
        case running
        /// The answer as it goes on the wire.
        case answered([UInt8])
    }

    private var entries: [UInt64: Entry] = [:]
    /// Answered commands, oldest first.
    private var answered: [UInt64] = []
    /// Up to this number, what is not in ``entries`` has been forgotten: it must not be begun.
    private var forgottenUpTo: UInt64 = 0
    private(set) var running = 0

    enum Verdict {
        case new
        case running
        case answered([UInt8])
        /// Its answer is no longer kept.
        case forgotten
    }

    func judge(_ id: UInt64) -> Verdict {
        switch entries[id] {
        case .running: .running
        case .answered(let bytes): .answered(bytes)
        case nil: id <= forgottenUpTo ? .forgotten : .new
        }
    }

    mutating func begin(_ id: UInt64) {
        guard entries.updateValue(.running, forKey: id) == nil else { return }
        running += 1
    }

    /// Keeps the answer of a command that runs; of any other nothing is kept.
    mutating func answer(_ id: UInt64, _ bytes: [UInt8]) {
        guard case .running = entries[id] else { return }
        running -= 1
        entries[id] = .answered(bytes)
        answered.append(id)
        while answered.count > ChannelLimits.answersKept {
            let oldest = answered.removeFirst()
            entries[oldest] = nil
            forgottenUpTo = max(forgottenUpTo, oldest)
        }
    }
}
