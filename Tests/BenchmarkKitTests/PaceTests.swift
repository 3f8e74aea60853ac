import BenchmarkKit
import Testing

@Suite("The schedule of benchmarks") struct PaceTests {
    @Test(arguments: ScriptedPace.all) func `in Swift`(_ script: ScriptedPace) async throws {
        #expect(try await script.inSwift() == Timings(latencies: script.latencies, lateness: script.lateness))
    }

    #if os(Linux)
        @Test(arguments: ScriptedPace.all) func `in C`(_ script: ScriptedPace) {
            #expect(script.inC() == Timings(latencies: script.latencies, lateness: script.lateness))
        }
    #endif

    @Test func `what is not the timer's counts from the call`() {
        #expect(Timings(latencies: [100, 250], lateness: [20, 200]).fromCall == [80, 50])
        #expect(Timings(latencies: [100, 250]).fromCall == [100, 250])
    }

    @Test func `a peer's answer is read`() {
        let paced = Timings(answer: "took 10 20 late 1 2", count: 2, isPaced: true)
        #expect(paced == Timings(latencies: [10, 20], lateness: [1, 2]))
        #expect(paced?.answer == "took 10 20 late 1 2")
        #expect(Timings(answer: "took 10 20", count: 2, isPaced: false) == Timings(latencies: [10, 20]))
        #expect(Timings(latencies: [10, 20]).answer == "took 10 20")
    }

    @Test(
        arguments: [
            "took 10 late 1 2", "took 10 20 late 1", "took 10 20 late", "took 10 20", "late 1 2 took 10 20",
            "took 10 x late 1 2", "took 10 20 30 late 1 2 3", "took 1 2 late 3 4 late 5 6", "",
        ])
    func `an answer of another form is none`(_ line: String) {
        #expect(Timings(answer: line, count: 2, isPaced: true) == nil)
    }

    @Test func `of back to back nothing is late`() {
        #expect(Timings(answer: "took 10 20 late 1 2", count: 2, isPaced: false) == nil)
    }
}
