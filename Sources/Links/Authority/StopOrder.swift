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
}

/// Which stop is the newest, for every command whose sender did not know of it.
struct StopOrder<Party: Hashable & Sendable>: Sendable {
    /// How many there were before the first one: greater than any count of a companion before this one.
    private let first: UInt64
    /// How many there have been.
    private(set) var count: UInt64
    private var newest: [Party: Stop<Party>] = [:]
    /// The newest one of parties that are gone.
    private var newestOfGone: Stop<Party>?

    init(after first: UInt64) { (self.first, count) = (first, first) }

    /// Notes one more.
    ///
    /// - Parameter number: its number among the commands of its party; 0: it overrules none of them.
    mutating func note(by party: Party, name: String, number: UInt64) {
        count += 1
        // A grant ends nothing of its own party, and leaves in force what that has stopped.
        let number = max(number, newest[party]?.number ?? 0)
        newest[party] = Stop(by: party, name: name, count: count, number: number)
    }

    /// The stop that is newer than a command; `nil` if its sender gave it after all of them.
    func newest(over issue: CommandIssue, of party: Party) -> String? {
        if let own = newest[party], own.number > issue.number { return own.name }
        // Another companion counted those: what it stopped is not known here.
        guard (first...count).contains(issue.knownStops) else { return "the start of this companion" }
        // Most senders know of all of them: nothing is looked through on the way of a command.
        guard issue.knownStops < count else { return nil }
        var found = newestOfGone.flatMap { $0.count > issue.knownStops ? $0 : nil }
        for stop in newest.values where stop.by != party && stop.count > max(issue.knownStops, found?.count ?? 0) {
            found = stop
        }
        return found?.name
    }

    mutating func forget(_ party: Party) {
        guard let stop = newest.removeValue(forKey: party), stop.count > newestOfGone?.count ?? 0 else { return }
        newestOfGone = stop
    }
}
