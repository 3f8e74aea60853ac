import SafetySimulation
import Synchronization
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// simulate FIRST COUNT THREADS [RULE]: so many seeds from the first on, with a rule broken only until that is found;
// or simulate --trace SEED [RULE]: one, printed step by step.
let words = Array(CommandLine.arguments.dropFirst())

/// The rule that is broken on purpose.
func rule(_ index: Int) -> BrokenRule? {
    guard words.count > index else { return nil }
    guard let rule = BrokenRule(rawValue: words[index]) else {
        print("no rule '\(words[index])'; there are \(BrokenRule.allCases.map(\.rawValue).joined(separator: ", "))")
        exit(2)
    }
    return rule
}

if words.count >= 2, words[0] == "--trace", let seed = UInt64(words[1]) {
    let outcome = World(seed: seed, broken: rule(2), keepsTrace: true).run()
    for line in outcome.trace { print(line) }
    print(outcome.finding.map { "seed \(seed): \($0)" } ?? "seed \(seed): clean")
    exit(outcome.finding == nil ? 0 : 1)
}
guard words.count >= 3, let first = UInt64(words[0]), let count = UInt64(words[1]), let threads = Int(words[2]),
    threads > 0
else {
    print("usage: simulate FIRST COUNT THREADS [RULE] | --trace SEED [RULE]")
    exit(2)
}
let broken = rule(3)

/// What all seeds that were run add up to.
struct Sum {
    var found: [(seed: UInt64, finding: String)] = []
    var setpoints = 0
    var commands = 0
    var steps = 0
    var done: UInt64 = 0

    /// Counts one seed in and prints what it found, and the progress.
    mutating func add(_ outcome: World.Outcome, seed: UInt64, of count: UInt64, broken: BrokenRule?) {
        setpoints += outcome.setpoints
        commands += outcome.commands
        steps += outcome.steps
        done += 1
        if let finding = outcome.finding {
            found.append((seed, finding))
            if found.count <= 20 {
                print("seed \(seed): \(finding)")
                print("  again: scripts/simulate --seed \(seed)\(broken.map { " --broken \($0.rawValue)" } ?? "")")
            }
        }
        if done.isMultiple(of: 10_000) { print("\(done) of \(count) seeds, \(found.count) with a finding") }
        // Output to a pipe or a file is shown at once, too.
        fflush(nil)
    }
}

/// A range of seeds that several threads work off. Tasks would run one after another: without libdispatch, which this program has no
/// use for, all of them share the main thread.
final class Run: Sendable {
    private let first: UInt64
    private let count: UInt64
    private let broken: BrokenRule?
    private let next = Atomic<UInt64>(0)
    private let sum = Mutex(Sum())

    init(from first: UInt64, count: UInt64, broken: BrokenRule?) {
        self.first = first
        self.count = count
        self.broken = broken
    }

    /// All seeds, so many at a time; with a broken rule only until one finds it.
    func sum(threads: Int) async -> Sum {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask { await DedicatedThread.run { self.work() } ?? self.work() }
            }
        }
        return sum.withLock { $0 }
    }

    private func work() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < count, broken == nil || sum.withLock({ $0.found.isEmpty }) else { return }
            let seed = first &+ index
            let outcome = World(seed: seed, broken: broken).run()
            sum.withLock { $0.add(outcome, seed: seed, of: count, broken: broken) }
        }
    }
}

let sum = await Run(from: first, count: count, broken: broken).sum(threads: threads)
if let broken {
    print(sum.found.isEmpty ? "\(broken) was not found in \(count) seeds" : "\(broken) is found")
    exit(sum.found.isEmpty ? 1 : 0)
}
let byRule = Dictionary(grouping: sum.found) { $0.finding.prefix { $0 != ":" } }.mapValues(\.count)
print(
    "\(count) seeds from \(first): \(sum.found.count) with a finding \(byRule.isEmpty ? "" : "\(byRule)"); "
        + "\(sum.setpoints) setpoints, \(sum.commands) commands, \(sum.steps) steps"
)
exit(sum.found.isEmpty ? 0 : 1)
