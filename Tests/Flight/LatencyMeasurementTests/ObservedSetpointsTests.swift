import LatencyStatistics
import Testing
import UAVLink

@testable import LatencyMeasurement

@Suite("Setpoints that the companion saw on the vehicle's topic") struct ObservedSetpointsTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private let track = ClockTrack(constant: ClockReading(offset: 7_000_000_000, bound: 30_000))

    private func shot(_ number: Int, isSent: Bool = true, isRefused: Bool = false) -> SteeringAttempt {
        let at = start + .milliseconds(10 * number)
        let receipt = SteeringReceipt(number: UInt64(number), sentAt: isSent ? at + .microseconds(5) : nil)
        return SteeringAttempt(
            number: number, intendedAt: at, calledAt: at + .microseconds(2), returnedAt: at + .microseconds(9),
            receipt: isRefused ? nil : receipt)
    }

    private func seen(_ number: Int, after microseconds: Int) -> MonotonicTime {
        start + .milliseconds(10 * number) + .microseconds(microseconds) + .seconds(7)
    }

    private func book(_ shots: [SteeringAttempt]) -> TurnResults {
        var book = TurnResults()
        book.add(shots, of: MeasuringPlan().turn(steeringFor: .seconds(1), commands: 0))
        return book
    }

    private func number(_ shot: SteeringAttempt) -> UInt32? { shot.receipt.map { UInt32(clamping: $0.number) } }

    @Test func `each has its latency, and what never arrived, was not sent, or is another's message has none`() throws {
        let book = book([shot(1), shot(2), shot(3, isSent: false), shot(4, isRefused: true), shot(5)])
        var observed = ObservedSetpoints()
        observed.add([1: seen(1, after: 400)])
        // The first one that is reported counts. Number 5 is of another link: it was seen before it was sent.
        observed.add([1: seen(1, after: 900), 5: seen(5, after: -200)])
        guard case .series(let series) = observed.steering(book, since: start, track, sequence: number) else {
            Issue.record("nothing was measured")
            return
        }
        #expect(series.samples.map(\.nanoseconds) == [400_000, nil, nil, nil, nil])
        #expect(series.samples.map { $0.fate == .superseded } == [false, false, true, false, false])
        let stages = try #require(series.samples[0].stages)
        #expect(stages[.queue] == 2000 && stages[.encode] == 7000)
        #expect(series.traffic.intended == 5 && series.traffic.sent == 3 && series.traffic.lostUp == 2)
        #expect(series.endsAtSubscriber)
        observed.beginCondition()
        guard case .series(let next) = observed.steering(book, since: start, track, sequence: number) else { return }
        #expect(next.samples.allSatisfy { $0.nanoseconds == nil })
    }

    @Test func `without a companion nothing can be observed, and without setpoints nothing is measured`() {
        let observed = ObservedSetpoints()
        guard case .absent(let reason) = observed.steering(book([shot(1)]), since: start, nil, sequence: number) else {
            Issue.record("measured without a companion")
            return
        }
        #expect(reason.hasPrefix("no companion"))
        guard case .absent(let none) = observed.steering(book([]), since: start, track, sequence: number) else {
            Issue.record("measured without setpoints")
            return
        }
        #expect(none == "not measured")
    }
}
