/// What the latency laboratory promises: the channel beside raw sockets, beside rosbridge, inside SSH, and what measuring costs.
enum LatencyBenchmark {
    static func run(_ setting: Setting) async throws -> [Section] {
        try await RoundTripBenchmark.run(setting)
    }
}
