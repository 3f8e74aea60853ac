import ChannelProtocol
import IntegrationKit
import SocketTransport

/// A heartbeat to the companion and its answer, sealed and opened at both ends, beside an echo in C of as many bytes.
///
/// Ground and companion have a processor each, as two machines do, and so have the peer's two processes. Left to the scheduler both
/// ends often share one, where the way from one process to the other is so short that little but their own work is left: that is
/// measured as well, and stands beside it.
struct RoundTripBenchmark: Sendable {
    private struct Carrier: Sendable {
        let name: String
        /// A heartbeat's frame, the same both ways; over a stream its length stands before it.
        let bytes: Int
        var title: String { name.uppercased() }
    }

    private let setting: Setting
    private let carrier: Carrier
    private let channel: Peer
    private let raw: Peer

    /// Where ground and companion are; nothing on a machine with one processor.
    private static let processors: (ground: String, companion: String)? =
        Machine.current.cores > 1 ? ("0", "1") : nil

    static func run(_ setting: Setting) async throws -> [Section] {
        let apart = try await run(setting, processors)
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
                let benchmark = try await Self(carrier, setting, crew, vehicle, processors)
                sections += try await benchmark.run(isApart: processors != nil)
            }
            return sections
        }
    }

    private init(
        _ carrier: Carrier, _ setting: Setting, _ crew: Crew, _ vehicle: VehicleUnderTest,
        _ processors: (ground: String, companion: String)?
    ) async throws {
        self.setting = setting
        self.carrier = carrier
        let ticket = try vehicle.master.folder.write(
            try await vehicle.ticket().unwipedLine + "\n", to: "ticket-\(carrier.name)", mode: 0o600)
        channel = try await crew.peer(
            "uavlink",
            Setting.keeping(
                to: processors?.ground,
                [setting.programs + "/uavlink-bench", "round-trip-worker", carrier.name, ticket]),
            environment: Setting.environment)
        raw = try await crew.peer(
            "raw \(carrier.name)",
            [setting.peers + "/\(carrier.name)_round_trip", "\(carrier.bytes)"]
                + (processors.map { [$0.ground, $0.companion] } ?? []), environment: Setting.environment)
    }

    private func run(isApart: Bool) async throws -> [Section] {
        _ = try await channel.run(2000)
        _ = try await raw.run(2000)
        let place = isApart ? "" : "_free"
        let words = isApart ? "a processor for each end" : "left to the scheduler"
        let paced = try await compare(
            every: .milliseconds(1), blocks: setting.amount(30, quick: 6), of: 1000, "paced" + place,
            "1000 a second, " + words, isJudged: isApart)
        let dense = try await compare(
            every: .zero, blocks: setting.amount(30, quick: 10), of: 2000, "back_to_back" + place,
            "back to back, " + words, isJudged: isApart)
        return [paced, dense]
    }

    private func compare(
        every period: Duration, blocks: Int, of count: Int, _ key: String, _ words: String, isJudged: Bool
    ) async throws -> Section {
        var (mine, theirs): ([Int64], [Int64]) = ([], [])
        for block in 0..<blocks {
            // By turns who goes first.
            if block % 2 == 0 { mine += try await channel.run(count, every: period) }
            theirs += try await raw.run(count, every: period)
            if block % 2 == 1 { mine += try await channel.run(count, every: period) }
        }
        let (ours, echo) = (Latencies(nanoseconds: mine), Latencies(nanoseconds: theirs))
        var section = Section(
            key: "round_trip_\(carrier.name)_\(key)",
            title: "Round trip over \(carrier.title) to the companion and back, \(words)")
        section.notes.append(
            "a heartbeat and its answer of \(carrier.bytes) bytes each, in \(blocks) blocks of \(count) by turns; "
                + "telemetry comes meanwhile, 50 frames a second")
        section.add("channel", "uavlink over \(carrier.title)", ours)
        section.add("raw", "raw \(carrier.title) echo in C", echo)
        let (median, tail) = (ours.median / echo.median, ours.percentile(99.9) / echo.percentile(99.9))
        guard isJudged else {
            section.notes.append(
                "\(Figure.short(median)) times the raw echo's median, \(Figure.short(tail)) times its p99.9")
            return section
        }
        section.figures = [
            Figure(name: "median against raw \(carrier.title)", value: median, unit: "times", limit: .atMost(1.3)),
            Figure(name: "p99.9 against raw \(carrier.title)", value: tail, unit: "times", limit: .atMost(2)),
        ]
        return section
    }
}
