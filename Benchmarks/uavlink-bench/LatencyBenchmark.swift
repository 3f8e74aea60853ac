import BenchmarkKit

/// What the latency laboratory promises: the channel beside raw sockets, beside rosbridge, inside SSH, and what measuring costs.
enum LatencyBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        var sections = try await RoundTripBenchmark.run(setting)
        sections += try await LinksBenchmark.run(setting)
        sections += try await TracingBenchmark.run(setting)
        sections += try await LaboratoryBenchmark.run(setting)
        return sections
    }
}
