import BenchmarkKit
import Foundation
import IntegrationKit
import Testing

@Suite("The schedule of benchmarks in Python", .timeLimit(.minutes(2))) struct PacePeerTests {
    private struct Answer: Decodable {
        var latencies: [Int64]
        var lateness: [Int64]
    }

    @Test func `it is that of the others`() async throws {
        let root = BuiltPrograms.repository
        let python = try ChildProcess(
            ["/usr/bin/python3", root + "/Tests/Peers/pace_peer.py", root + "/Benchmarks/Peers"])
        for (index, script) in ScriptedPace.all.enumerated() {
            python.send(line: script.json)
            let line = try await python.line(containing: "latencies", skipping: index)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
            #expect(answer.latencies == script.latencies, "\(script)")
            #expect(answer.lateness == script.lateness, "\(script)")
        }
        await python.stop()
    }
}
