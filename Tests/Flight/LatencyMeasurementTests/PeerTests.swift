import LatencyStatistics
import Testing
import UAVLink
import VehicleAccess

@testable import LatencyMeasurement

@Suite("What is measured beside the links, and flies nothing") struct PeerTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)

    private func seen(_ numbers: UInt32...) -> [UInt32: MonotonicTime] {
        numbers.reduce(into: [:]) { $0[$1] = start }
    }

    @Test func `numbers go on from the message that was seen, over their end`() {
        var numbers = PublishedNumbers()
        #expect(numbers.next() == nil && numbers.obstacle?.contains("was seen") == true)
        numbers.learn(from: [])
        #expect(numbers.newest == nil)
        numbers.learn(from: [.max - 1])
        #expect(numbers.obstacle == nil)
        #expect([numbers.next(), numbers.next(), numbers.next()] == [.max, 0, 1])
    }

    @Test func `where others publish too nothing is guessed`() {
        var numbers = PublishedNumbers()
        numbers.learn(from: [7, 900])
        #expect(numbers.next() == nil && numbers.obstacle?.contains("another node") == true)
        numbers.learn(from: [8])
        #expect(numbers.next() == 9 && numbers.obstacle == nil)
        // Our own, and those of a publisher with numbers of its own.
        numbers.check(seen(8, 9, 500, .max))
        #expect(numbers.obstacle == nil)
        numbers.check(seen(9, 10))
        #expect(numbers.next() == nil && numbers.obstacle?.contains("another client") == true)
    }

    private let arrivals: [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)] = [0, 10, 20, 30].map {
        milliseconds in
        let at = MonotonicTime(nanoseconds: 5_000_000_000) + .milliseconds(milliseconds)
        return (milliseconds == 30 ? nil : at - .milliseconds(4), at)
    }

    private func heard() -> StampedArrivals {
        var turn = MeasuringPlan().turn(steeringFor: .seconds(1), commands: 0)
        turn.round = 3
        var heard = StampedArrivals()
        heard.add(arrivals, of: turn, from: start + .milliseconds(5), to: start + .milliseconds(105))
        return heard
    }

    @Test func `telemetry counts from its stamp, and not what came before the turn or has no stamp`() throws {
        let series = try #require(heard().measured(since: start, nil, nil, over: "rosbridge").series)
        #expect(series.samples.map(\.nanoseconds) == [4_000_000, 4_000_000])
        #expect(series.samples.allSatisfy { $0.round == 3 } && series.achievedHertz == 20)
        #expect(series.clock == .unknown && series.origin == .stamp)
        // What was sent is not known, and so neither is what was lost.
        #expect(SeriesSummary(series, kind: .telemetry).missingShare == nil)
        #expect(RunningFigures("rosbridge", .telemetry, series)?.lostShare == nil)
    }

    @Test func `simulated time and silence are reasons for no telemetry`() {
        guard case .absent(let reason) = heard().measured(since: start, nil, StampClock(.simulated), over: "rosbridge"),
            case .absent(let none) = StampedArrivals().measured(since: start, nil, nil, over: "rosbridge")
        else {
            Issue.record("measured")
            return
        }
        #expect(reason.contains("simulated time") && reason.contains("over rosbridge"))
        #expect(none.contains("no messages with timestamps"))
    }

    @Test func `a plan with a rosbridge server has to name it`() throws {
        var plan = MeasuringPlan(links: [.tcp, .rosbridge])
        do throws(LinkError) {
            try plan.validate()
            Issue.record("accepted")
        } catch { #expect(error.code == .invalidInput && error.hint.contains("--peer rosbridge://")) }
        plan.rosbridge = ROSBridgeAddress("rosbridge://uav1")
        try plan.validate()
        #expect(!MeasuredLink.flown.contains(.rosbridge) && !MeasuredLink.flown.contains(.sshPersistent))
        #expect(LatencySummary.references.sorted() == MeasuredLink.allCases.map(\.rawValue).sorted())
    }
}
