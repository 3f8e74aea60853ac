import LatencyStatistics
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import LatencyMeasurement

/// Where steering over the channel ends: at the companion's own subscriber, as over the links of which only that is known.
@Suite struct SteeringEndTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private let track = ClockTrack(constant: ClockReading(offset: 7_000_000_000, bound: 30_000))

    private func ground(_ number: Int, after microseconds: Int = 0) -> MonotonicTime {
        start + .milliseconds(10 * number) + .microseconds(microseconds)
    }
    private func vehicle(_ number: Int, after microseconds: Int) -> MonotonicTime {
        ground(number, after: microseconds) + .seconds(7)
    }

    private func record(_ number: Int, _ fate: TraceRecord.Fate = .applied) -> TraceRecord {
        .setpoint(
            .init(
                number: UInt64(number), receivedAt: vehicle(number, after: 100), handedAt: vehicle(number, after: 105),
                leftAt: vehicle(number, after: 112), fate: fate))
    }

    private func observed(_ number: Int) -> TraceRecord {
        .observed(number: UInt64(number), at: vehicle(number, after: 150))
    }

    private func shot(_ number: Int) -> SteeringAttempt {
        SteeringAttempt(
            number: number, intendedAt: ground(number), calledAt: ground(number, after: 3),
            returnedAt: ground(number, after: 20),
            receipt: SteeringReceipt(number: UInt64(number), sentAt: ground(number, after: 15)))
    }

    private func measurement(_ records: [TraceRecord], of count: Int) -> ChannelMeasurement {
        var part = ChannelTrace()
        part.setpoints = (1...count).map {
            .init(
                number: UInt64($0), intendedAt: ground($0), calledAt: ground($0, after: 4),
                sealedAt: ground($0, after: 8))
        }
        part.records = records
        var measurement = ChannelMeasurement()
        measurement.add(part)
        return measurement
    }

    private func steering(_ records: [TraceRecord], of count: Int) -> LatencySeries {
        measurement(records, of: count).steering(
            (1...count).map(shot), since: start, clock: track, warmUpDropped: 0, hertz: 100, seconds: 0.04)
    }

    @Test func `it ends when the subscriber has read it, the stages add up, and what nobody has read is lost`() throws {
        let series = steering([record(1), observed(1), record(2), record(3, .refused), record(4), observed(4)], of: 4)
        #expect(series.endsAtSubscriber)
        #expect(series.samples.map(\.nanoseconds) == [150_000, nil, nil, 150_000])
        #expect(series.samples.map(\.fate) == [.delivered, .lost, .lost, .delivered])
        let stages = try #require(series.samples[0].stages)
        #expect(stages.sum == 150_000 && stages[.ros] == 45_000 && stages[.companion] == 5000)
        #expect(series.achievedHertz.map { abs($0 - 50) < 1e-9 } == true)
    }

    @Test func `an older companion does not say it: then it ends when it has left`() {
        let series = steering([record(1), record(2)], of: 2)
        #expect(!series.endsAtSubscriber && series.samples.map(\.nanoseconds) == [112_000, 112_000])
    }

    @Test func `observations of the newest setpoints are waited for, and none where there are none`() {
        #expect(measurement([record(1), observed(1), record(2), record(3, .stale)], of: 3).missingRecords == 1)
        #expect(measurement([record(1), observed(1), record(2), observed(2)], of: 2).missingRecords == 0)
        #expect(measurement([record(1), record(2)], of: 2).missingRecords == 0)
    }
}
