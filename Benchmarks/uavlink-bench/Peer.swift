import BenchmarkKit
import IntegrationKit

/// Another implementation of what we do: a process that does it on request and says how long each time took.
actor Peer {
    let name: String
    private let process: ChildProcess
    private var runs = 0

    /// `nil` if it has ended.
    nonisolated var pid: Int32? { process.pid }

    /// Starts it and returns when it is warm.
    init(_ name: String, _ command: [String], environment: [String: String]) async throws {
        self.name = name
        process = try ChildProcess(command, environment: environment)
        do { try await process.line(containing: "ready", within: .seconds(30)) } catch {
            await process.stop()
            throw error
        }
    }

    /// Does it `count` times on a fixed schedule, or back to back without a period.
    ///
    /// - Parameter start: when to begin, on CLOCK_MONOTONIC.
    func run(_ count: Int, every period: Duration = .zero, from start: Int64? = nil) async throws -> Timings {
        process.send(line: "run \(count) \(period.wholeNanoseconds)" + (start.map { " \($0)" } ?? ""))
        // Nothing to be seen earlier, and looking for it would take the core from those who are measured.
        try await Task.sleep(for: period * count)
        let line = try await process.line(containing: "took", skipping: runs, within: .seconds(60))
        runs += 1
        guard let timings = Timings(answer: line, count: count, isPaced: period > .zero) else {
            throw ProcessFailure("\(name) did not do \(count): \(process.errors.suffix(500))")
        }
        return timings
    }

    func stop() async { await process.stop() }
}

/// Everything that a part of the benchmark has started, so that it can be ended whatever happens.
actor Crew {
    private var peers: [Peer] = []
    private var processes: [ChildProcess] = []
    private var closings: [@Sendable () async -> Void] = []

    func peer(_ name: String, _ command: [String], environment: [String: String]) async throws -> Peer {
        let peer = try await Peer(name, command, environment: environment)
        peers.append(peer)
        return peer
    }

    func process(_ command: [String], environment: [String: String]) throws -> ChildProcess {
        let process = try ChildProcess(command, environment: environment)
        processes.append(process)
        return process
    }

    /// Remembers what else is to be done at the end, the last first.
    func atEnd(_ closing: @escaping @Sendable () async -> Void) { closings.append(closing) }

    func dismiss() async {
        for peer in peers { await peer.stop() }
        for process in processes.reversed() { await process.stop() }
        for closing in closings.reversed() { await closing() }
    }
}

/// Runs a part with a crew of its own and dismisses it whatever comes.
func withCrew<Result: Sendable>(_ body: (Crew) async throws -> Result) async throws -> Result {
    let crew = Crew()
    do {
        let result = try await body(crew)
        await crew.dismiss()
        return result
    } catch {
        await crew.dismiss()
        throw error
    }
}
