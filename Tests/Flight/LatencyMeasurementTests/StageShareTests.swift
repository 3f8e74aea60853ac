import LatencyTestKit
import ReportKit
import Testing

@testable import LatencyMeasurement
@testable import LatencyOutput

@Suite struct StageShareTests {
    /// Of 400 values four take 100 ms, all of it more in the queue.
    private static let series = LatencyExamples.series((0..<400).map { $0 % 100 == 50 ? 100 : 2 }) { whole in
        StageTimes(whole: whole, known: [.queue: whole - 1_500_000, .ros: 500_000])
    }

    @Test func `percentiles are of each stage, and the slowest hundredth shows where the tail comes from`() throws {
        let stages = SeriesSummary(Self.series).stages
        #expect(stages.map(\.stage) == [.queue, .network, .ros])
        let queue = try #require(stages.first)
        #expect(queue.medianNanoseconds == 500_000 && queue.p99Nanoseconds == 500_000)
        #expect(queue.slowestNanoseconds == 98_500_000)
        #expect(stages.reduce(0) { $0 + ($1.slowestNanoseconds ?? 0) } == 100_000_000)
        #expect(stages.last?.slowestNanoseconds == 500_000)
    }

    @Test func `in a short run there is no tail to tell of`() throws {
        let series = LatencyExamples.series((0..<40).map { _ in 2 }) { StageTimes(whole: $0, known: [.ros: 1_000_000]) }
        let stages = SeriesSummary(series).stages
        #expect(stages.count == 2)
        #expect(stages.allSatisfy { $0.p99Nanoseconds == nil && $0.slowestNanoseconds == nil })
        #expect(stages.allSatisfy { $0.medianNanoseconds == 1_000_000 })
        let result = LatencyResult(LatencyExamples.report([LinkRun(link: "udp", how: "", command: .series(series))]))
        #expect(!result.table.text.contains("slowest hundredth") && !result.html.contains("slowest hundredth, mean"))
    }

    @Test func `the table, the page and JSON have them`() {
        let run = LinkRun(link: "udp", how: "", command: .series(Self.series))
        let result = LatencyResult(LatencyExamples.report([run]))
        let text = result.table.text
        #expect(text.contains("udp, p50/p99 of each stage: queue 0.500/0.500, network 1.000/1.000, ROS 0.500/0.500"))
        #expect(text.contains("udp, mean of the slowest hundredth by stage: queue 98.50, network 1.000, ROS 0.500"))
        #expect(result.html.contains("<th>udp</th><th>queue</th>"))
        #expect(result.json.text.contains("slowest_hundredth_mean_ms"))
    }
}
