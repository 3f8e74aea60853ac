import BenchmarkKit
import ChannelProtocol
import IntegrationKit
import SocketTransport
import Statistics

/// A heartbeat to the companion and its answer, sealed and opened at both ends, beside an echo in C of as many bytes.
///
/// Ground and companion have a processor each, as two machines do, and so have the peer's two processes. Left to the scheduler both
/// ends often share one, where the way from one process to the other is so short that little but their own work is left: that is
/// measured as well, and stands beside it.
struct RoundTripBenchmark {
    private struct Carrier: Sendable {
        let name: String
        /// A heartbeat's frame, the same both ways; over a stream its length stands before it.
        let bytes: Int
        var title: String { name.uppercased() }
    }

    private let setting: Setting
    private let carrier: Carrier
    private let vehicle: VehicleUnderTest
    /// Where ground and companion are; left to the scheduler if `nil`.
    private let processors: (ground: String, companion: String)?

    static func run(_ setting: Setting) async throws -> [Section] {
        // Nothing to choose on a machine with one processor.
        let apart = try await run(setting, Machine.current.cores > 1 ? ("0", "1") : nil)
        let free = try await run(setting, nil)
        return apart + free
    }

    private static func run(
        _ setting: Setting, _ processors: (ground: String, companion: String)?
    ) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew, processor: processors?.companion)
            var sections: [Section] = []
            for carrier in [Carrier(name: "udp", bytes: 114), Carrier(name: "tcp", bytes: 116)] {
                let benchmark = Self(setting: setting, carrier: carrier, vehicle: vehicle, processors: processors)
                sections += try await benchmark.run()
            }
            return sections
        }
    }

    private func run() async throws -> [Section] {
        let (place, words) =
            processors != nil ? ("", "a processor for each end") : ("_free", "left to the scheduler")
        // A run is as long as its p99.9 takes.
        let paced = try await compare(
            setting.plan(blocks: 3, of: 1000, every: .milliseconds(1)), "paced" + place, "1000 a second, " + words)
        let dense = try await compare(
            setting.plan(blocks: 3, of: setting.amount(2000, quick: 1000)), "back_to_back" + place,
            "back to back, " + words)
        return [paced, dense]
    }

    private var channel: Contender {
        Contender(key: "channel", name: "uavlink over \(carrier.title)", warmUp: 1000) { crew in
            let ground = try await crew.peer("uavlink", try await worker(), environment: Setting.environment)
            return { try await ground.run($0, every: $1) }
        }
    }

    /// The command of a ground with a session of its own.
    private func worker() async throws -> [String] {
        let ticket = try vehicle.master.folder.write(
            try await vehicle.ticket().unwipedLine + "\n", to: "ticket-\(carrier.name)", mode: 0o600)
        return Setting.keeping(
            to: processors?.ground,
            [setting.programs + "/uavlink-bench", "round-trip-worker", carrier.name, ticket])
    }

    private var echo: [String] {
        [setting.peers + "/\(carrier.name)_round_trip", "\(carrier.bytes)"]
            + (processors.map { [$0.ground, $0.companion] } ?? [])
    }

    private func counts(_ plan: RunPlan) async throws -> [OperationCounts] {
        let counter = OperationCounter(count: setting.amount(2000, quick: 1000), period: plan.period)
        return [
            try await counter.counts("channel", "uavlink over \(carrier.title)") { crew in
                try await .peer(
                    "uavlink", try await worker(), crew, places: ["ground"],
                    beyond: [(name: "companion", process: vehicle.companion)])
            },
            try await counter.counts("raw", "raw \(carrier.title) echo in C") { crew in
                try await .peer("raw", echo, crew, places: ["ground", "echo"])
            },
        ]
    }

    private func compare(_ plan: RunPlan, _ key: String, _ words: String) async throws -> Section {
        var section = Section(
            key: "round_trip_\(carrier.name)_\(key)",
            title: "Round trip over \(carrier.title) to the companion and back, \(words)")
        section.notes = [
            "a heartbeat and its answer of \(carrier.bytes) bytes each; telemetry comes meanwhile, 50 frames a second",
            plan.text + "; the companion is the same in all",
        ]
        section.rows = try await plan.measure([
            channel,
            .peer("raw", "raw \(carrier.title) echo in C", echo, warmUp: 1000),
        ])
        section.notes.append(OperationCounter.note)
        section.counts = try await counts(plan)
        let (ours, raw) = (section.series("channel"), section.series("raw"))
        let figures = [
            Figure("median against raw \(carrier.title)", ours, over: raw, at: .p50, limit: .atMost(1.15)),
            Figure("p99.9 against raw \(carrier.title)", ours, over: raw, at: .p999, limit: .atMost(2)),
        ]
        if processors != nil {
            section.figures = figures
        } else {
            section.notes += figures.map {
                "\($0.name): \(Figure.short($0.value)) times (\($0.estimate.spreadText)), without a limit"
            }
        }
        return section
    }
}
