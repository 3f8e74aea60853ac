/// How often each thread of one process has waited for something until now.
///
/// `/proc` has only those of threads that run. Linux adds up those of a whole process with its ended threads for the process itself
/// (`getrusage`), and for who may administer the network (taskstats).
package struct ThreadWaits: Hashable, Sendable {
    private let process: Int
    private let counts: [Int: Int64]

    /// Lines `/proc/PID/task/TID/status:NAME: COUNT` of one process; `nil` if they are none.
    init?(_ lines: [Substring]) {
        var (processes, counts): (Set<Int>, [Int: Int64]) = ([], [:])
        for line in lines {
            let fields = line.split(separator: "/", maxSplits: 4)
            guard fields.count == 5, let process = Int(fields[1]), let thread = Int(fields[3]),
                let count = fields[4].split(separator: ":").last.flatMap({ Int64($0.filter { !$0.isWhitespace }) }),
                // So many threads, with so many each, that the sum is far from overflowing.
                (0..<1 << 48).contains(count), counts.count < 4096
            else { return nil }
            processes.insert(process)
            counts[thread] = count
        }
        guard processes.count == 1, let process = processes.first else { return nil }
        (self.process, self.counts) = (process, counts)
    }

    /// How often the threads that run now have waited since; what those that have ended meanwhile had waited until their end is
    /// not known, and in neither. `nil` if it is another process.
    package func since(_ earlier: Self) -> Int64? {
        guard process == earlier.process else { return nil }
        return counts.reduce(0) { sum, thread in
            let before = earlier.counts[thread.key] ?? 0
            // A number that counts less is that of a new thread.
            return sum + (thread.value >= before ? thread.value - before : thread.value)
        }
    }
}
