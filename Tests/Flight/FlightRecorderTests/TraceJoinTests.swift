@testable import FlightRecorder
import IntegrationKit
import MRSMessages
import ROSMessages
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("What both ends of a channel noted, put together") struct TraceJoinTests {
    /// The companion's clock is this much ahead.
    private static let offset: Int64 = 5_000_000_000

    private func ground(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    private func there(_ milliseconds: Int64, offset: Int64 = offset) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000 + offset)
    }

    private func note(_ number: UInt32, at milliseconds: Int64) -> RecordedSetpoint {
        RecordedSetpoint(
            number: number, link: "udp",
            setpoint: VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: ground(milliseconds)),
            sentAt: ground(milliseconds + 3))
    }

    private func receipt(_ number: UInt64, session: Int = 1) -> SteeringReceipt {
        SteeringReceipt(session: session, number: number, sentAt: nil)
    }

    private func call(_ number: UInt64, at milliseconds: Int64) -> ChannelTrace.Setpoint {
        .init(
            number: number, intendedAt: ground(milliseconds), calledAt: ground(milliseconds + 1),
            sealedAt: ground(milliseconds + 2))
    }

    private func record(
        _ number: UInt64, at milliseconds: Int64, _ fate: TraceRecord.Fate = .applied, offset: Int64 = offset
    ) -> TraceRecord {
        .setpoint(
            .init(
                number: number, receivedAt: there(milliseconds + 5, offset: offset),
                handedAt: there(milliseconds + 6, offset: offset), leftAt: there(milliseconds + 7, offset: offset),
                fate: fate))
    }

    private func part(session: Int = 1, offset: Int64 = offset) -> ChannelTrace {
        var part = ChannelTrace()
        part.session = session
        part.clock = .init(offsetNanoseconds: offset, boundNanoseconds: 40_000)
        return part
    }

    private func setpoints(_ notes: [RecordingEntry]) -> [RecordedSetpoint] {
        notes.compactMap { if case .setpoint(let note) = $0 { note } else { nil } }
    }

    @Test func `a setpoint is whole once both ends have reported, in whatever order`() {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            var join = TraceJoin()
            for step in order {
                #expect(join.take(now: ground(110)).isEmpty)
                var part = part()
                switch step {
                case 0: join.hold(note(1, at: 100), receipt(7), now: ground(103))
                case 1: part.setpoints = [call(7, at: 100)]
                default: part.records = [record(7, at: 100)]
                }
                join.add(part)
            }
            let notes = setpoints(join.take(now: ground(110)))
            #expect(notes.map(\.sentAt) == [ground(102)])
            #expect(notes.map(\.receivedAt) == [ground(105)])
            #expect(notes.map(\.appliedAt) == [ground(107)])
            #expect(notes.map(\.clockBound) == [.microseconds(40)])
            #expect(notes.map(\.fate) == [.applied])
            #expect(join.isEmpty)
        }
    }

    @Test func `what was not applied has no time of it, and says what became of it`() {
        var join = TraceJoin()
        var part = part()
        let fates: [TraceRecord.Fate] = [.refused, .stale, .superseded]
        for (index, fate) in fates.enumerated() {
            let at = Int64(index) * 10
            join.hold(note(UInt32(index) + 1, at: at), receipt(UInt64(index) + 1), now: ground(at))
            part.setpoints.append(call(UInt64(index) + 1, at: at))
            part.records.append(record(UInt64(index) + 1, at: at, fate))
        }
        join.add(part)
        let notes = setpoints(join.take(now: ground(50)))
        #expect(notes.map(\.fate) == [.refused, .stale, .superseded])
        #expect(notes.allSatisfy { $0.appliedAt == nil && $0.receivedAt != nil })
    }

    @Test func `one that never came is called lost when later ones came, and only then`() {
        var join = TraceJoin()
        var part = part()
        for number in 1...3 as ClosedRange<Int64> {
            join.hold(note(UInt32(number), at: number * 10), receipt(UInt64(number)), now: ground(number * 10))
            part.setpoints.append(call(UInt64(number), at: number * 10))
        }
        part.records = [record(2, at: 20)]
        join.add(part)
        // The first may still come, and the order is kept.
        #expect(join.take(now: ground(11) + TraceJoin.reordering).isEmpty)
        let notes = setpoints(join.take(now: ground(12) + TraceJoin.reordering))
        #expect(notes.map(\.number) == [1, 2])
        #expect(notes.map(\.fate) == [.lost, .applied])
        #expect(notes.map(\.sentAt) == [ground(12), ground(22)])
        #expect(join.take(now: ground(29) + TraceJoin.traceTimeout).isEmpty)
        let last = setpoints(join.take(now: ground(30) + TraceJoin.traceTimeout))
        #expect(last.map(\.number) == [3] && last.map(\.fate) == [nil])
        #expect((notes.prefix(1) + last).allSatisfy { $0.receivedAt == nil && $0.clockBound == nil })
    }

    @Test func `with records missing it is not known what was lost`() {
        var join = TraceJoin()
        var part = part()
        join.hold(note(1, at: 10), receipt(1), now: ground(10))
        part.setpoints = [call(1, at: 10)]
        part.records = [record(2, at: 20)]
        part.recordsOverwritten = 1
        join.add(part)
        #expect(setpoints(join.take(now: ground(20) + TraceJoin.traceTimeout)).map(\.fate) == [nil])
    }

    @Test func `a renewed session counts anew, and has its own clock`() {
        var join = TraceJoin()
        join.hold(note(1, at: 10), receipt(1), now: ground(10))
        join.hold(note(2, at: 500), receipt(1, session: 2), now: ground(500))
        var first = part()
        first.setpoints = [call(1, at: 10)]
        first.records = [record(1, at: 10)]
        // The companion was restarted with its computer: its clock begins at nothing.
        var second = part(session: 2, offset: -7_000_000)
        second.setpoints = [call(1, at: 500)]
        second.records = [record(1, at: 500, offset: -7_000_000)]
        join.add(second)
        join.add(first)
        let notes = setpoints(join.take(now: ground(520)))
        #expect(notes.map(\.receivedAt) == [ground(15), ground(505)])
    }

    @Test func `setpoints that were meant for the same instant keep their order`() {
        var join = TraceJoin()
        var part = part()
        for number in 1...2 as ClosedRange<UInt64> {
            join.hold(note(UInt32(number), at: 10), receipt(number), now: ground(10))
            part.setpoints.append(call(number, at: 10))
        }
        part.records = [record(1, at: 10, .superseded), record(2, at: 11)]
        join.add(part)
        #expect(setpoints(join.take(now: ground(20))).map(\.fate) == [.superseded, .applied])
    }

    private func command(_ number: UInt32, _ command: Command, _ begun: Int64, _ answered: Int64) -> RecordedCommand {
        RecordedCommand(
            number: number, link: "udp", command: command, intendedAt: ground(begun), sentAt: ground(begun),
            answeredAt: ground(answered), answer: .success(CommandReply(accepted: true, message: "")))
    }

    @Test func `commands that are under way together are distinguished`() {
        var join = TraceJoin()
        // The second is answered first.
        join.hold(command(2, .hover, 11, 20), now: ground(20))
        join.hold(command(1, .takeoff, 10, 40), now: ground(40))
        var part = part()
        part.commands = [
            .init(number: 4, begunAt: ground(10), sealedAt: ground(11), name: "takeoff"),
            .init(number: 5, begunAt: ground(12), sealedAt: ground(13), name: "hover"),
        ]
        part.records = [4, 5].map { (number: UInt64) in
            let at = Int64(number) * 3
            return .command(
                .init(
                    number: number, receivedAt: there(at), askedAt: there(at + 1), answeredAt: there(at + 2),
                    readyAt: there(at + 2)))
        }
        join.add(part)
        let notes = join.take(now: ground(41)).compactMap { note -> RecordedCommand? in
            if case .command(let command) = note { command } else { nil }
        }
        #expect(notes.map(\.number) == [2, 1])
        #expect(notes.map(\.sentAt) == [ground(13), ground(11)])
        #expect(notes.map(\.receivedAt) == [ground(15), ground(12)])
        #expect(notes.map(\.appliedAt) == [ground(16), ground(13)])
    }

    @Test func `what was not requested is forgotten`() {
        var join = TraceJoin()
        let numbers = 1...120 as ClosedRange<UInt64>
        var (calls, records) = (part(), part())
        for number in numbers {
            let at = Int64(number) * 1000
            var part = part()
            part.setpoints = [call(number, at: at)]
            part.records = [record(number, at: at)]
            calls.setpoints += part.setpoints
            records.records += part.records
            join.add(part)
            #expect(join.take(now: ground(at)).isEmpty)
        }
        // With one end's entries added again, a setpoint is whole if the other end's was still remembered.
        for added in [calls, records] {
            var join = join
            join.add(added)
            // The newest first: one that is not whole holds back those behind it.
            for number in numbers.reversed() {
                let note = note(UInt32(number), at: Int64(number) * 1000)
                join.hold(note, receipt(number), now: ground(120_000))
            }
            let whole = setpoints(join.take(now: ground(120_000))).count { $0.fate == .applied }
            #expect((1..<50).contains(whole))
        }
    }

    @Test func `a recording of a traced link waits for its ends, and closing waits for the last`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let channel = FakeChannel(FakeLink(kind: .udp, clock: clock))
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        let recording = RecordingLink(channel, recorder: recorder, clock: clock)
        #expect(channel.isTraced)
        try await recording.connect(within: .seconds(5))
        let meant = clock.now
        try recording.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: meant))
        let closing = Task { await recording.close() }
        var part = part(offset: 0)
        part.setpoints = [
            .init(number: 1, intendedAt: meant, calledAt: meant, sealedAt: meant + .microseconds(10))
        ]
        part.records = [
            .setpoint(
                .init(
                    number: 1, receivedAt: meant + .microseconds(90), handedAt: meant + .microseconds(100),
                    leftAt: meant + .microseconds(110), fate: .applied))
        ]
        channel.give(part)
        try await clock.run(through: { await closing.value })
        _ = try await clock.run(through: { await recorder.finish() })
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        let setpoint = try #require(log.setpoints.first)
        let times = [setpoint.intended, setpoint.sent, setpoint.received, setpoint.applied].map(FlightLog.nanoseconds)
        #expect(times.map { $0 - times[0] } == [0, 10_000, 90_000, 110_000])
        #expect(
            setpoint.clockBound == ROSDuration(seconds: 0, nanoseconds: 40_000) && setpoint.fate == "applied"
                && setpoint.link == "udp")
        let review = FlightReview(log, path: "f.bag")
        #expect(review.text.contains("1 applied\ntimes of received and applied are accurate to 0.040 ms"))
    }

    @Test func `a recorder keeps no link alive`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let recorder = try FlightRecorder(path: folder.file("f.bag"), vehicle: "uav1", clock: clock)
        weak var gone: FakeChannel?
        do {
            let channel = FakeChannel(FakeLink(kind: .tcp))
            gone = channel
            _ = RecordingLink(channel, recorder: recorder)
        }
        // The recorder's thread may be collecting at this very moment, and holds the channel for as long as that takes.
        #expect(await becomesTrue { gone == nil })
        _ = try await clock.run(through: { await recorder.finish() })
    }
}
