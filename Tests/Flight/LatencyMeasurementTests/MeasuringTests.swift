@testable import LatencyMeasurement
import Impairment
import LatencyStatistics
import Synchronization
import Testing
import UAVLink

@testable import ChannelProtocol

/// A clock that is moved by what waits for it and by what takes time on it.
private final class StepClock: MonotonicClock, InstantWaiting {
    private let time = Mutex<Int64>(1_000_000_000)

    var now: MonotonicTime { MonotonicTime(nanoseconds: time.withLock { $0 }) }
    func pass(_ duration: Duration) { time.withLock { $0 += duration.nanoseconds } }
    func wait(until instant: MonotonicTime) { time.withLock { $0 = max($0, instant.nanoseconds) } }
    func block(until deadline: MonotonicTime) { wait(until: deadline) }
    func sleep(until deadline: MonotonicTime) async throws(CancellationError) { wait(until: deadline) }
}

@Suite("Measuring latencies") struct MeasuringTests {
    private func schedule(_ clock: StepClock, count: Int) -> FixedSchedule {
        FixedSchedule(start: clock.now, period: .milliseconds(10), count: count)
    }

    @Test func `a stall of 300 ms at 100 Hz makes thirty samples late, not one`() {
        let clock = StepClock()
        let run = ScheduledSteering(clock: clock, wait: clock)
        let schedule = schedule(clock, count: 200)
        let shots = run.run(schedule) { (setpoint) throws(LinkError) in
            clock.pass(.microseconds(50))
            // The link takes the call at 0.5 s and gives it back 300 ms later.
            if setpoint.intendedAt == schedule.due(50) { clock.pass(.milliseconds(300)) }
            return receipt
        }
        #expect(shots.count == 200 && shots.map(\.number) == Array(0..<200))
        #expect(shots.map(\.intendedAt) == (0..<200).map(schedule.due))
        let late = shots.filter { $0.returnedAt - $0.intendedAt > .milliseconds(5) }
        #expect((29...31).contains(late.count), "\(late.count) late")
        #expect(late.first?.number == 50)
        // Each is charged with what was left of the stall.
        for shot in late.dropFirst() {
            let left = schedule.due(50) + .milliseconds(300) - shot.intendedAt
            #expect(abs((shot.returnedAt - shot.intendedAt - left).inMilliseconds) < 3)
        }
    }

    @Test func `it stops at once when it is asked to`() {
        let clock = StepClock()
        var asked = 0
        let shots = ScheduledSteering(clock: clock, wait: clock).run(
            schedule(clock, count: 100),
            isStopped: {
                asked += 1
                return asked > 10
            }
        ) { _ throws(LinkError) in receipt }
        #expect(shots.count == 10)
    }

    @Test func `setpoints are neutral unless motion was asked for, and refused ones are reported`() {
        let clock = StepClock()
        let given = Mutex<[VelocitySetpoint]>([])
        let run = ScheduledSteering(clock: clock, wait: clock)
        let shots = run.run(schedule(clock, count: 3)) { (setpoint) throws(LinkError) in
            given.withLock { $0.append(setpoint) }
            throw LinkError(.notConnected, "gone")
        }
        #expect(given.withLock { $0.allSatisfy { $0.isNeutral && $0.validFor == VelocitySetpoint.longestValidity } })
        #expect(shots.allSatisfy { $0.receipt == nil })
        _ = run.run(schedule(clock, count: 1), motion: { _ in Vector3(x: 0.5, y: 0, z: 0) }) {
            setpoint throws(LinkError) in
            given.withLock { $0 = [setpoint] }
            return receipt
        }
        #expect(given.withLock { $0.first?.isNeutral } == false)
    }

    private let receipt = SteeringReceipt(number: 1, sentAt: nil)

    // MARK: What both ends noted

    private let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private let offset: Int64 = 123_456_789_000

    private func ground(_ microseconds: Int64) -> MonotonicTime { start + .microseconds(microseconds) }
    private func vehicle(_ microseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: ground(microseconds).nanoseconds + offset)
    }

    private func shot(_ number: Int, at microseconds: Int64) -> SteeringAttempt {
        SteeringAttempt(
            number: number, intendedAt: ground(microseconds), calledAt: ground(microseconds + 3),
            returnedAt: ground(microseconds + 20),
            receipt: SteeringReceipt(number: UInt64(number) + 1, sentAt: ground(microseconds + 15)))
    }

    private func noted(_ number: UInt64, at microseconds: Int64, sealed: Bool = true) -> ChannelTrace.Setpoint {
        .init(
            number: number, intendedAt: ground(microseconds), calledAt: ground(microseconds + 4),
            sealedAt: sealed ? ground(microseconds + 8) : nil)
    }

    private func record(_ number: UInt64, at microseconds: Int64, _ fate: TraceRecord.Fate) -> TraceRecord {
        .setpoint(
            .init(
                number: number, receivedAt: vehicle(microseconds), handedAt: vehicle(microseconds + 5),
                leftAt: vehicle(microseconds + 12), fate: fate))
    }

    @Test func `steering: stages sum to the whole, the offset is taken out, and each fate is counted`() throws {
        var part = ChannelTrace()
        part.setpoints = [
            noted(1, at: 0), noted(2, at: 10_000), noted(3, at: 20_000), noted(4, at: 30_000, sealed: false),
            noted(5, at: 40_000), noted(6, at: 50_000), noted(7, at: 60_000),
        ]
        part.records = [
            record(1, at: 100, .applied), record(2, at: 10_200, .stale), record(5, at: 40_050, .applied),
            record(3, at: 40_060, .superseded),
            // Another pilot has control authority: it reaches the companion, and never the vehicle.
            record(6, at: 50_070, .refused),
            .repeated(.init(sequence: 101, at: vehicle(300))), .repeated(.init(sequence: 101, at: vehicle(310))),
            .repeated(.init(sequence: 999, at: vehicle(320))),
        ]
        part.setpoints[0].sequence = 101
        var notes = ChannelMeasurement()
        notes.add(part)
        #expect(notes.missingRecords == 1, "number 7 has no record")
        let shots = (0..<7).map { shot($0, at: Int64($0) * 10_000) }
        let series = notes.steering(
            shots, since: start, clock: ClockTrack(constant: ClockReading(offset: offset, bound: 30_000)),
            warmUpDropped: 7, hertz: 100, seconds: 0.07)
        #expect(series.samples.map(\.fate) == [.delivered, .late, .superseded, .superseded, .delivered, .lost, .lost])
        #expect(series.samples.map(\.clockBoundNanoseconds) == [30_000, 30_000, 30_000, nil, 30_000, 30_000, nil])
        #expect(series.samples[1].receivedNanoseconds == 10_200_000 && series.samples[6].receivedNanoseconds == nil)
        #expect(series.samples[5].receivedNanoseconds == 50_070_000)
        #expect(series.samples.map(\.nanoseconds) == [112_000, nil, nil, nil, 62_000, nil, nil])
        for sample in series.samples {
            if let whole = sample.nanoseconds { #expect(try #require(sample.stages).sum == whole) }
        }
        let stages = try #require(series.samples[0].stages)
        #expect(stages[.queue] == 3000 && stages[.encode] == 5000 && stages[.companion] == 5000)
        #expect(stages[.ros] == 7000 && stages[.network] == 92_000)
        #expect(series.traffic == .init(intended: 7, sent: 6, lostUp: 1, duplicates: 2, reordered: 1, stale: 1))
        #expect(series.clock == .measured(offsetNanoseconds: offset, boundNanoseconds: 30_000))
        #expect(series.warmUpDropped == 7)
        #expect(series.achievedHertz.map { abs($0 - 2 / 0.07) < 1e-9 } == true)
        // A drone on the ground refuses all of them, and is measured up to there.
        let drone = notes.steering(
            shots, since: start, clock: ClockTrack(constant: ClockReading(offset: offset, bound: 30_000)),
            warmUpDropped: 0, hertz: 100, seconds: 0.07, countsRefused: true)
        #expect(drone.samples.map(\.nanoseconds) == [112_000, nil, nil, nil, 62_000, 82_000, nil])
        // Where records were lost, it is not known what was lost on the way up.
        part = ChannelTrace()
        part.recordsOverwritten = 1
        notes.add(part)
        let unsure = notes.steering(
            shots, since: start, clock: ClockTrack(constant: ClockReading(offset: offset, bound: 0)), warmUpDropped: 0,
            hertz: 100, seconds: 1)
        #expect(unsure.traffic.lostUp == nil)
    }

    @Test func `commands: calls find their notes, stages sum to the whole, lost ways are distinguished`() throws {
        var part = ChannelTrace()
        for number in 1...3 as ClosedRange<UInt64> {
            let at = Int64(number - 1) * 50_000
            part.commands.append(
                .init(
                    number: number, begunAt: ground(at + 6), sealedAt: ground(at + 10),
                    arrivedAt: number == 1 ? ground(at + 400) : nil, sends: 1))
        }
        // Of the second the vehicle knows, of the third neither end.
        part.records = [1, 2].map { number in
            let at = Int64(number - 1) * 50_000
            return .command(
                .init(
                    number: UInt64(number), receivedAt: vehicle(at + 50), askedAt: vehicle(at + 60),
                    answeredAt: vehicle(at + 300), readyAt: vehicle(at + 315)))
        }
        var notes = ChannelMeasurement()
        notes.add(part)
        // A run that is closed before the last command's record has come lacks its stages: those come after the setpoints'.
        #expect(notes.missingRecords == 1, "number 3 has no record")
        let shots = (0..<3).map { index in
            CommandAttempt(
                number: index, intendedAt: ground(Int64(index) * 50_000), calledAt: ground(Int64(index) * 50_000 + 2),
                answeredAt: index == 0 ? ground(420) : nil)
        }
        let series = notes.commands(shots, since: start, warmUpDropped: 0, hertz: 20)
        #expect(series.samples.map(\.nanoseconds) == [420_000, nil, nil])
        let stages = try #require(series.samples[0].stages)
        #expect(stages.sum == 420_000)
        #expect(stages[.queue] == 2000 && stages[.encode] == 8000 && stages[.companion] == 25_000)
        #expect(stages[.ros] == 240_000 && stages[.network] == 145_000)
        #expect(series.traffic == .init(intended: 3, sent: 3, lostUp: 1, lostDown: 1, duplicates: 0))
        #expect(series.untraced == 0)
    }

    @Test func `what kernels had before the programs read it is no part of the network`() throws {
        var part = ChannelTrace()
        part.setpoints = [noted(1, at: 0), noted(2, at: 10_000)]
        part.setpoints[0].sequence = 101
        part.setpoints[1].sequence = 102
        part.commands = [
            .init(
                number: 1, begunAt: ground(6), sealedAt: ground(10), arrivedAt: ground(400), sends: 2,
                sequences: [7, 8])
        ]
        part.commands[0].waitedNanoseconds = 30_000
        part.states = [.init(sequence: 10, arrivedAt: ground(1300), waitedNanoseconds: 25_000)]
        part.records = [
            record(1, at: 100, .applied), record(2, at: 10_100, .applied),
            .receipt(.init(sequence: 101, waitedNanoseconds: 40_000)),
            // Of the command's two frames the second came first.
            .receipt(.init(sequence: 8, waitedNanoseconds: 20_000)),
            .state(
                .init(sequence: 10, sentAt: vehicle(1000), arrivedAt: vehicle(600), stampedAt: vehicle(100))),
        ]
        var notes = ChannelMeasurement()
        #expect(!notes.hasReceipts)
        notes.add(part)
        #expect(notes.hasReceipts)
        let clock = ClockTrack(constant: ClockReading(offset: offset, bound: 30_000))
        let steering = notes.steering(
            [shot(0, at: 0), shot(1, at: 10_000)], since: start, clock: clock, warmUpDropped: 0, hertz: 100,
            seconds: 0.02)
        let stages = try steering.samples.map { try #require($0.stages) }
        #expect(stages.map { $0[.receive] } == [40_000, 0] && stages.map { $0[.network] } == [52_000, 92_000])
        #expect(stages.map(\.sum) == steering.samples.map(\.nanoseconds))
        let attempt = CommandAttempt(number: 0, intendedAt: ground(0), calledAt: ground(2), answeredAt: ground(420))
        let command = notes.commands([attempt], since: start, warmUpDropped: 0, hertz: 20)
        #expect(command.samples.first?.stages?[.receive] == 50_000)
        let telemetry = notes.telemetry([start..<start + .seconds(1)], since: start, clock: clock)
        #expect(telemetry.samples.first?.stages?[.receive] == 25_000)
        #expect(telemetry.samples.first.map { $0.stages?.sum == $0.nanoseconds } == true)
    }

    @Test func `commands without a record: their time on the vehicle counts as network, and a warning says so`() throws
    {
        var part = ChannelTrace()
        part.commands = [.init(number: 1, begunAt: ground(6), sealedAt: ground(10), arrivedAt: ground(400), sends: 1)]
        var notes = ChannelMeasurement()
        notes.add(part)
        // The second has no trace at either end.
        let shots = (0..<2).map { index in
            CommandAttempt(
                number: index, intendedAt: ground(Int64(index) * 50_000), calledAt: ground(Int64(index) * 50_000 + 2),
                answeredAt: ground(Int64(index) * 50_000 + 420))
        }
        let series = notes.commands(shots, since: start, warmUpDropped: 0, hertz: 20)
        #expect(series.untraced == 2)
        let stages = try series.samples.map { try #require($0.stages) }
        #expect(stages.map { $0[.queue] } == [2000, 2000] && stages.map { $0[.encode] } == [8000, 0])
        #expect(stages.map { $0[.network] } == [410_000, 418_000])
        let summary = SeriesSummary(series)
        #expect(summary.stages.reduce(0) { $0 + $1.meanNanoseconds } == 420_000)
        let run = ConditionRun(
            impairment: "loss=2%",
            links: [LinkRun(link: "udp", how: "", command: .series(series)), LinkRun(link: "ros", how: "")])
        #expect(run.untracedNotes.count == 1)
        #expect(
            run.untracedNotes.first?.hasPrefix("udp (loss=2%): no record from the companion of 2 of 2 commands") == true
        )
    }

    @Test func `records that may still arrive are of commands and of the newest setpoints`() {
        var part = ChannelTrace()
        part.setpoints = (1...4).map { noted(UInt64($0), at: Int64($0) * 10_000) }
        part.records = [record(1, at: 10_100, .applied), record(3, at: 30_100, .applied)]
        part.commands = [.init(number: 1, begunAt: ground(6), sealedAt: ground(10), sends: 1)]
        var notes = ChannelMeasurement()
        notes.add(part)
        #expect(notes.missingRecords == 2, "the fourth setpoint and the command; the second was lost")
    }

    @Test func `telemetry: from the stamp, within the link's own turns, and what never came is counted`() throws {
        var part = ChannelTrace()
        part.states = [.init(sequence: 10, arrivedAt: ground(1300)), .init(sequence: 12, arrivedAt: ground(91_000))]
        part.records = [(10, 1000), (11, 21_000), (12, 90_000)].map { sequence, at in
            .state(
                .init(
                    sequence: UInt64(sequence), sentAt: vehicle(Int64(at)), arrivedAt: vehicle(Int64(at) - 400),
                    stampedAt: vehicle(Int64(at) - 900)))
        }
        part.outOfOrder = [11]
        part.repeated = [12, 10]
        var notes = ChannelMeasurement()
        notes.add(part)
        let series = notes.telemetry(
            [ground(0)..<ground(50_000)], since: start,
            clock: ClockTrack(constant: ClockReading(offset: offset, bound: 10)))
        #expect(series.samples.map(\.nanoseconds) == [1_200_000, nil])
        let stages = try #require(series.samples[0].stages)
        #expect(stages.sum == 1_200_000)
        #expect(stages[.ros] == 500_000 && stages[.companion] == 400_000 && stages[.network] == 300_000)
        // Number 12 was sent outside of the window; what came behind a newer one is not lost.
        #expect(series.traffic.sent == 2 && series.traffic.lostDown == 0)
        #expect(series.traffic.reordered == 1 && series.traffic.duplicates == 1)
    }
}
