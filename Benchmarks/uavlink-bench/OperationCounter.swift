import BenchmarkKit
import Foundation
import Glibc
import IntegrationKit

/// Counts what each process on the way of an operation does for it.
///
/// In runs of their own: a process whose system calls are counted takes several times as long for each. What the processes do anyway,
/// such as telemetry, is counted without operations and subtracted.
struct OperationCounter {
    /// What was started to be counted.
    struct Subject {
        var places: [(name: String, process: Int32)]
        var run: Contender.Runner
    }

    var count: Int
    var period: Duration

    /// So many operations of a command's plan that what comes between counts little.
    static func ofCommands(_ setting: Setting, every period: Duration) -> Self {
        Self(count: period > .zero ? setting.amount(200, quick: 100) : 1000, period: period)
    }

    private static let idle: Duration = .seconds(2)
    private static let strace = "/usr/bin/strace"

    /// For the report.
    static let note =
        "counts are of runs of their own, less what the processes do without operations; with a schedule those of who calls have its "
        + "sleep, and a task's timer takes several waits; \"-\" where strace cannot attach to a process"

    func counts(
        _ key: String, _ name: String, _ start: (Crew) async throws -> Subject
    ) async throws -> OperationCounts {
        try await withCrew { crew in
            let subject = try await start(crew)
            let processes = subject.places.map { $0.process }
            _ = try await subject.run(100, .zero)
            func readings<Reading>(
                _ measure: (() async throws -> Void) async throws -> Reading
            ) async throws -> (idle: Reading, busy: Reading) {
                let idle = try await measure { try await Task.sleep(for: Self.idle) }
                return (idle, try await measure { _ = try await subject.run(count, period) })
            }
            let switches = try await readings { try await Self.switches(of: processes, during: $0) }
            let calls = try? await readings { try await Self.calls(of: processes, during: $0) }
            let places = subject.places.indices.map { index in
                OperationCounts.Place(
                    subject.places[index].name,
                    systemCalls: calls.map { $0.busy[index].perOperation(count, idle: $0.idle[index]) },
                    waits: switches.busy[index].waits.perOperation(count, idle: switches.idle[index].waits),
                    preemptions: switches.busy[index].preemptions.perOperation(
                        count, idle: switches.idle[index].preemptions))
            }
            return OperationCounts(key, name, places)
        }
    }

    // MARK: Context switches

    private static func switches(
        of processes: [Int32], during body: () async throws -> Void
    ) async throws -> [(waits: CounterReading, preemptions: CounterReading)] {
        let began = Pace.now
        let before = try processes.map(switches(of:))
        try await body()
        let after = try processes.map(switches(of:))
        let seconds = Double(Pace.now - began) / 1e9
        return processes.indices.map { index in
            let (from, to) = (before[index], after[index])
            return (
                CounterReading(seconds: seconds, count: Double(to.waits - from.waits)),
                CounterReading(seconds: seconds, count: Double(to.preemptions - from.preemptions))
            )
        }
    }

    /// Of all its threads, so far.
    private static func switches(of process: Int32) throws -> ContextSwitches {
        let folder = "/proc/\(process)/task"
        var switches = ContextSwitches()
        for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
            // It may have ended meanwhile.
            let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
            switches.add(status: status ?? "")
        }
        return switches
    }

    // MARK: System calls

    private static func calls(
        of processes: [Int32], during body: () async throws -> Void
    ) async throws -> [CounterReading] {
        var tracers: [ChildProcess] = []
        do {
            for process in processes {
                let tracer = try ChildProcess([strace, "-c", "-f", "-U", "name,calls", "-p", "\(process)"])
                tracers.append(tracer)
                try await tracer.line(ofErrorsContaining: " attached", within: .seconds(20))
            }
            let began = Pace.now
            try await body()
            let seconds = Double(Pace.now - began) / 1e9
            var readings: [CounterReading] = []
            for tracer in tracers {
                // It detaches, and prints its summary.
                tracer.signal(SIGINT)
                try await tracer.exit(within: .seconds(20))
                readings.append(.init(seconds: seconds, count: Double(SystemCallSummary.total(tracer.errors))))
            }
            return readings
        } catch {
            for tracer in tracers { await tracer.stop() }
            throw error
        }
    }
}

extension OperationCounter.Subject {
    /// A peer, and its children in the order in which it has started them.
    ///
    /// - Parameters:
    ///   - places: what to call them; as many as it has children, and itself first.
    ///   - beyond: other processes on the way.
    static func peer(
        _ name: String, _ command: [String], environment: [String: String] = Setting.environment, _ crew: Crew,
        places: [String], beyond: [(name: String, process: ChildProcess?)] = []
    ) async throws -> Self {
        let peer = try await crew.peer(name, command, environment: environment)
        guard let pid = peer.pid else { throw ProcessFailure("\(name) has ended") }
        let own = [pid] + (places.count > 1 ? ProcessHoldings.descendants(of: pid).sorted() : [])
        guard own.count == places.count else {
            throw ProcessFailure("\(name) has \(own.count) processes, not \(places.count)")
        }
        let others = try beyond.compactMap { other -> (name: String, process: Int32)? in
            guard let process = other.process else { return nil }
            guard let pid = process.pid else { throw ProcessFailure("\(other.name) has ended") }
            return (other.name, pid)
        }
        let named = zip(places, own).map { (name: $0, process: $1) }
        return Self(places: named + others) { try await peer.run($0, every: $1) }
    }
}
