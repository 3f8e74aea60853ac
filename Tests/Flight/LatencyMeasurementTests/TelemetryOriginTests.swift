@testable import LatencyMeasurement
@testable import LatencyOutput
import LatencyStatistics
import LatencyTestKit
import ReportKit
import Testing
import UAVLink

@testable import ChannelProtocol

/// From which instant telemetry counts: a stamp of another clock says nothing about an age.
@Suite struct TelemetryOriginTests {
    private func nanoseconds(_ milliseconds: [Double?]) -> [Int64?] { milliseconds.map { $0.map { Int64($0 * 1e6) } } }

    @Test func `stamps are used where nothing is known against them`() {
        for clock in [nil, StampClock(.wall)] {
            #expect(TelemetryOrigin.chosen(clock, delays: nanoseconds([1, 2, 740, 0.5, nil])) == .stamp)
            #expect(TelemetryOrigin.chosen(clock, delays: []) == .stamp)
            // One that waited in a queue for long is no other clock, and neither is the error of a clock's offset.
            #expect(TelemetryOrigin.chosen(clock, delays: nanoseconds([1500, 2, 1500])) == .stamp)
            #expect(TelemetryOrigin.chosen(clock, delays: nanoseconds([-0.1, 0.2])) == .stamp)
        }
    }

    @Test func `what the companion knows of the clock counts`() {
        let near = nanoseconds([740, 741])
        #expect(TelemetryOrigin.chosen(StampClock(.simulated), delays: near) == .receiptOnBoard(.simulatedTime))
        #expect(
            TelemetryOrigin.chosen(StampClock(.differing, offset: .seconds(-3)), delays: near)
                == .receiptOnBoard(.clocksDiffer(behindNanoseconds: -3_000_000_000)))
    }

    @Test func `an older companion's stamps are judged by themselves`() {
        #expect(
            TelemetryOrigin.chosen(nil, delays: nanoseconds([3001, 3000, 3002]))
                == .receiptOnBoard(.clocksDiffer(behindNanoseconds: 3_000_000_000)))
        #expect(
            TelemetryOrigin.chosen(nil, delays: nanoseconds([-3001, -3000]))
                == .receiptOnBoard(.clocksDiffer(behindNanoseconds: -3_000_000_000)))
        #expect(TelemetryOrigin.chosen(nil, delays: [nil, nil, 1]) == .receiptOnBoard(.noStamps))
        #expect(TelemetryOrigin.chosen(nil, delays: [.max, .max]) != .stamp)
        #expect(TelemetryOrigin.chosen(nil, delays: [.min, .min]) != .stamp)
    }

    // MARK: The channel

    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    /// State frames 20 ms apart, on a companion whose clock is the ground's: received 0.4 ms before they were sealed, on the
    /// ground 0.6 ms after that, and stamped 740 ms before their receipt.
    private func measured(_ clock: StampClock?) -> LatencySeries {
        var part = ChannelTrace()
        for number in 0..<50 {
            let sent = start + .milliseconds(number * 20)
            part.states.append(.init(sequence: UInt64(number), arrivedAt: sent + .microseconds(600)))
            part.records.append(
                .state(
                    .init(
                        sequence: UInt64(number), sentAt: sent, arrivedAt: sent - .microseconds(400),
                        stampedAt: sent - .milliseconds(740) - .microseconds(400))))
        }
        var notes = ChannelMeasurement()
        notes.add(part)
        return notes.telemetry(
            [start..<(start + .seconds(2))], since: start,
            clock: ClockTrack(constant: ClockReading(offset: 0, bound: 10_000)), stampClock: clock)
    }

    @Test func `on simulated time what takes a millisecond is a millisecond`() throws {
        let series = measured(StampClock(.simulated, offset: .milliseconds(740)))
        #expect(series.samples.count == 50 && series.samples.allSatisfy { $0.nanoseconds == 1_000_000 })
        #expect(series.origin == .receiptOnBoard(.simulatedTime))
        let stages = try #require(series.samples.first?.stages)
        #expect(stages.sum == 1_000_000 && stages[.ros] == 0 && stages[.companion] == 400_000)
        let real = measured(StampClock(.wall))
        #expect(real.origin == .stamp && real.samples.allSatisfy { $0.nanoseconds == 741_000_000 })
    }

    // MARK: Reports

    private func result(_ origins: [String: TelemetryOrigin]) -> LatencyResult {
        let runs = origins.sorted { $0.key < $1.key }.map { name, origin -> LinkRun in
            var series = LatencyExamples.series((0..<100).map { _ in 1 }, period: 20)
            series.origin = origin
            return LinkRun(link: name, how: "", telemetry: .series(series))
        }
        return LatencyResult(LatencyExamples.report(runs))
    }

    private func member(_ path: [String], of value: JSONValue) -> JSONValue? {
        guard let key = path.first else { return value }
        guard case .object(let members) = value, let next = members.first(where: { $0.key == key }) else { return nil }
        return member(Array(path.dropFirst()), of: next.value)
    }

    @Test func `every report says from where telemetry counts`() throws {
        let simulated = result(["tcp": .receiptOnBoard(.simulatedTime), "udp": .receiptOnBoard(.simulatedTime)])
        let words = "from receipt on board to the value on the ground"
        let note = "tcp and udp: counted from receipt on board, since the vehicle runs on simulated time"
        #expect(simulated.table.text.contains("telemetry (ms): \(words)\n") && simulated.table.text.contains(note))
        #expect(simulated.html.contains(words) && simulated.html.contains(note))
        guard case .array(let links)? = member(["links"], of: simulated.json), let link = links.first else {
            Issue.record("no links")
            return
        }
        #expect(member(["telemetry", "from"], of: link) == "received_on_board")
        #expect(member(["telemetry", "from_reason"], of: link) == "the vehicle runs on simulated time")
    }

    @Test func `where only one link has stamps, each says which`() throws {
        let mixed = result(["tcp": .stamp, "udp": .receiptOnBoard(.clocksDiffer(behindNanoseconds: -3_200_000_000))])
        #expect(mixed.table.text.contains("from the timestamp on the vehicle, or where noted from receipt on board"))
        #expect(
            mixed.table.text.contains(
                "udp: counted from receipt on board, since the vehicle's stamps are 3.2 s ahead of the clock of the "
                    + "companion's computer"))
        guard case .array(let links)? = member(["links"], of: mixed.json), let link = links.first else {
            Issue.record("no links")
            return
        }
        #expect(member(["telemetry", "from"], of: link) == "stamp")
        let stamped = result(["udp": .stamp])
        #expect(stamped.table.text.contains("from the timestamp on the vehicle to the value on the ground"))
        #expect(!stamped.table.text.contains("counted from"))
    }

    @Test func `over a link without a companion such an age is not measured, and the reason is stated`() {
        let absence = StampObstacle.simulatedTime.absence(over: "ros")
        #expect(
            absence.hasPrefix(
                "the vehicle runs on simulated time, and over ros only the receipt on the ground is known"))
        #expect(StampObstacle(StampClock(.wall)) == nil && StampObstacle(nil) == nil)
        #expect(
            EchoedTelemetry().measured(
                from: start, track: nil, stampClock: StampClock(.simulated)
            ) == .absent(StampObstacle.simulatedTime.absence(over: "ssh")))
    }
}
