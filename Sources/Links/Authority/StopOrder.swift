internal import UAVLink

/// A stop command, or a grant of control authority, which ends what others gave before it.
struct Stop<Party: Hashable & Sendable>: Sendable {
    let by: Party
    /// For the one whose command it overrules: "hover by anna@laptop".
    let name: String
    /// How many there were with it.
    let count: UInt64
    /// Its number among the commands of its party; 0: it overrules none of them.
    let number: UInt64

    init(by: Party, name: String, count: UInt64, number: UInt64) {
        self.by = by
        self.name = name
        self.count = count
        self.number = number
    }
}

/// Which stop is the newest, for every command whose sender did not know of it.
struct StopOrder<Party: Hashable & Sendable>: Sendable {
    private var newest: [Party: Stop<Party>] = [:]
    /// The newest one of parties that are gone.
    private var newestOfGone: Stop<Party>?

    mutating func note(_ stop: Stop<Party>) {
        // A grant ends nothing of its own party, and leaves in force what that has stopped.
        let number = max(stop.number, newest[stop.by]?.number ?? 0)
        newest[stop.by] = Stop(by: stop.by, name: stop.name, count: stop.count, number: number)
    }

    /// The stop that is newer than a command; `nil` if its sender gave it after all of them.
    func newest(over issue: CommandIssue, of party: Party) -> String? {
        if let own = newest[party], own.number > issue.number { return own.name }
        let others = newest.values.lazy.filter { $0.by != party }
        return (others + (newestOfGone.map { [$0] } ?? [])).filter { $0.count > issue.knownStops }
            .max { $0.count < $1.count }?.name
    }

    mutating func forget(_ party: Party) {
        guard let stop = newest.removeValue(forKey: party), stop.count > newestOfGone?.count ?? 0 else { return }
        newestOfGone = stop
    }
}
