import BenchmarkKit
import IntegrationKit

/// One of those that are compared.
struct Contender {
    /// What was started for one run: does its operation so often on a schedule.
    typealias Runner = (_ count: Int, _ period: Duration) async throws -> Timings

    var key: String
    var name: String
    /// Operations of a turn, and their period, where they are not those of the plan.
    var count: Int?
    var period: Duration?
    /// Operations before anything is measured, back to back.
    var warmUp = 1
    /// Whether each operation starts a process.
    var startsProcess = false
    /// Starts that process and nothing else, as often as the operation is done; measured in the same turns.
    var startAlone: ((Crew) async throws -> Runner)?
    /// Starts processes and opens connections of its own for a run; the crew ends them.
    var start: (Crew) async throws -> Runner
}

extension Setting {
    /// As many runs as an interval needs; in a quick run too few for one.
    var runs: Int { isQuick ? 3 : Estimate.fewestRuns }

    /// A plan of that many runs.
    func plan(blocks: Int = 1, of count: Int, every period: Duration = .zero) -> RunPlan {
        RunPlan(runs: runs, blocks: blocks, of: count, every: period)
    }
}

extension RunPlan {
    /// Measures contenders, each with processes and connections of its own in each run.
    func measure(_ contenders: [Contender]) async throws -> [Section.Row] {
        var timings = contenders.map { _ in [Timings]() }
        var starts = contenders.map { _ in [Timings]() }
        for run in 0..<runs {
            try await withCrew { crew in
                var runners: [(operation: Contender.Runner, start: Contender.Runner?)] = []
                for one in contenders {
                    let operation = try await one.start(crew)
                    if one.warmUp > 0 { _ = try await operation(one.warmUp, .zero) }
                    runners.append((operation, try await one.startAlone?(crew)))
                }
                for index in contenders.indices {
                    timings[index].append(Timings())
                    if runners[index].start != nil { starts[index].append(Timings()) }
                }
                for block in 0..<blocks {
                    for index in order(of: contenders.count, run: run, block: block) {
                        let one = contenders[index]
                        timings[index][run] += try await runners[index].operation(
                            one.count ?? count, one.period ?? period)
                        guard let start = runners[index].start else { continue }
                        starts[index][run] += try await start(one.count ?? count, .zero)
                    }
                }
            }
        }
        return contenders.indices.map { index in
            let one = contenders[index]
            return Section.Row(
                one.key, one.name, RunSeries(timings[index]), startsProcess: one.startsProcess,
                start: starts[index].isEmpty ? nil : RunSeries(starts[index]))
        }
    }
}

extension Contender {
    /// A peer: a process of its own in each run.
    static func peer(
        _ key: String, _ name: String, _ command: [String], environment: [String: String] = Setting.environment,
        count: Int? = nil, warmUp: Int = 1, startsProcess: Bool = false, startAlone: [String]? = nil
    ) -> Contender {
        func runner(_ command: [String]) -> (Crew) async throws -> Runner {
            { crew in
                let peer = try await crew.peer(name, command, environment: environment)
                return { try await peer.run($0, every: $1) }
            }
        }
        return Contender(
            key: key, name: name, count: count, warmUp: warmUp, startsProcess: startsProcess,
            startAlone: startAlone.map(runner), start: runner(command))
    }
}
