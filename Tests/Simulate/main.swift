import SafetySimulation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// simulate FIRST COUNT THREADS [RULE]: so many seeds from the first on, with a rule broken only until that is found;
// or simulate --trace SEED [RULE]: one, told step by step.
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
struct Sum {
    var found: [(seed: UInt64, finding: String)] = []
    var setpoints = 0
    var commands = 0
    var steps = 0
    var done: UInt64 = 0
}
let sum = Mutex(Sum())
let next = Atomic<UInt64>(0)
await withTaskGroup(of: Void.self) { group in
    for _ in 0..<threads {
        group.addTask {
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count, broken == nil || sum.withLock({ $0.found.isEmpty }) else { return }
                let seed = first &+ index
                let outcome = World(seed: seed, broken: broken).run()
                sum.withLock { sum in
                    sum.setpoints += outcome.setpoints
                    sum.commands += outcome.commands
                    sum.steps += outcome.steps
                    sum.done += 1
                    if let finding = outcome.finding {
                        sum.found.append((seed, finding))
                        if sum.found.count <= 20 {
                            print(
                                "seed \(seed): \(finding)\n  again: scripts/simulate --seed \(seed)\(broken.map { " --broken \($0.rawValue)" } ?? "")"
                            )
                        }
                    }
                    if sum.done % 10_000 == 0 {
                        print("\(sum.done) of \(count) seeds, \(sum.found.count) with a finding")
                    }
                }
            }
        }
    }
}
let (found, setpoints, commands, steps) = sum.withLock { ($0.found, $0.setpoints, $0.commands, $0.steps) }
if let broken {
    print(found.isEmpty ? "\(broken) was not found in \(count) seeds" : "\(broken) is found")
    exit(found.isEmpty ? 1 : 0)
}
let byRule = Dictionary(grouping: found) { $0.finding.prefix { $0 != ":" } }.mapValues(\.count)
print(
    "\(count) seeds from \(first): \(found.count) with a finding \(byRule.isEmpty ? "" : "\(byRule)"); \(setpoints) setpoints, \(commands) commands, \(steps) steps"
)
exit(found.isEmpty ? 0 : 1)
