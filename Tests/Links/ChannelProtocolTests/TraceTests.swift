import ChannelTestKit
import Impairment
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("Trace") struct TraceTests {
    private func steer(_ ends: TwoEnds, for duration: Duration) throws {
        var step = 0
        try ends.run(for: duration) {
            step += 1
            guard step.isMultiple(of: 10) else { return }
            try ends.ground.steer(Samples.setpoint(x: Double(step), at: ends.now), now: ends.now)
        }
    }

    @Test func `nothing is noted without a request`() throws {
        let ends = try TwoEnds()
        ends.open()
        try steer(ends, for: .seconds(1))
        #expect(!ends.vehicle.isTraced)
        #expect(ends.vehicle.setpoints.applied > 50)
    }

    @Test func `every setpoint's record comes, over a network that loses a third`() throws {
        let ends = try TwoEnds(seed: 3, .init(delay: .milliseconds(20), loss: 0.33, duplication: 0.1))
        ends.open()
        let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false)
        ends.ground.trace = trace
        ends.run(for: .seconds(2))
        try steer(ends, for: .seconds(5))
        // A batch that is lost comes again at the second request after it, and requests are lost as well.
        ends.run(for: .seconds(30))
        let noted = trace.take()
        let sent = Set(noted.setpoints.filter { $0.sealedAt != nil }.map(\.number))
        let came = noted.records.compactMap { if case .setpoint(let record) = $0 { record.number } else { nil } }
        #expect(noted.recordsOverwritten == 0 && noted.overflow == 0)
        #expect(sent.count == noted.setpoints.count)
        #expect(Set(came).isSubset(of: sent))
        // Each once but for duplicated datagrams, which the replay window keeps away.
        #expect(came.count == Set(came).count)
        let share = Double(came.count) / Double(sent.count)
        #expect(share > 0.55 && share < 0.8, "of \(sent.count) setpoints \(came.count) reached the vehicle")
        #expect(UInt64(came.count) == ends.vehicle.setpoints.applied + ends.vehicle.setpoints.superseded)
    }

    @Test func `frames that come twice are noted at both ends, and state frames that arrive out of order`() throws {
        let ends = try TwoEnds(
            seed: 5, .init(delay: .milliseconds(5), duplication: 0.3, reordering: 0.1))
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.open()
        let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false)
        ends.ground.trace = trace
        ends.run(for: .seconds(1))
        let (up, down) = (ends.vehicle.drops.replayed, ends.ground.drops.replayed)
        _ = trace.take()
        var step = 0
        try ends.run(for: .seconds(5)) {
            step += 1
            if step.isMultiple(of: 10) {
                ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
                try ends.ground.steer(Samples.setpoint(x: Double(step), at: ends.now), now: ends.now)
            }
        }
        let (upNow, downNow) = (ends.vehicle.drops.replayed, ends.ground.drops.replayed)
        ends.run(for: .seconds(3))
        let noted = trace.take()
        let again = noted.records.compactMap { if case .repeated(let record) = $0 { record.sequence } else { nil } }
        // Frames went on coming while the notes were fetched.
        #expect(again.count >= Int(upNow - up) && noted.repeated.count >= Int(downNow - down))
        let setpoints = Set(noted.setpoints.compactMap(\.sequence))
        #expect(setpoints.count == noted.setpoints.count { $0.sealedAt != nil })
        let share = Double(again.count { setpoints.contains($0) }) / Double(setpoints.count)
        #expect(share > 0.2 && share < 0.4, "\(share) of the setpoints came twice")
        #expect(!noted.outOfOrder.isEmpty && Set(noted.outOfOrder).isDisjoint(with: noted.states.map(\.sequence)))
    }

    @Test func `a trace that is not asked for any more ends, at once when the ground says so`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.ground.trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: true)
        ends.run(for: .seconds(1))
        #expect(ends.vehicle.isTraced && ends.vehicleEvents.last == "watches: true")
        ends.ground.trace?.isEnding = true
        ends.run(for: .seconds(1))
        #expect(!ends.vehicle.isTraced && ends.vehicleEvents.last == "watches: false")
        ends.ground.trace = GroundTrace(clock: FakeClock(), session: 2, watchesSetpoints: false)
        ends.run(for: .seconds(1))
        ends.ground.trace = nil
        ends.run(for: ChannelTimes.traceLife - .seconds(1))
        #expect(ends.vehicle.isTraced)
        ends.run(for: .seconds(2))
        #expect(!ends.vehicle.isTraced)
    }

    @Test func `a trace that lapsed goes on where the ground is, and the ground counts the gap`() throws {
        let ends = try TwoEnds()
        ends.open()
        let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false)
        func steer() throws -> [UInt64] {
            ends.ground.trace = trace
            ends.run(for: .milliseconds(500))
            var step = 0
            try ends.run(for: .seconds(2)) {
                step += 1
                if step.isMultiple(of: 10) {
                    try ends.ground.steer(Samples.setpoint(x: Double(step), at: ends.now), now: ends.now)
                }
            }
            ends.run(for: .seconds(1))
            let noted = trace.take()
            let sent = noted.setpoints.filter { $0.sealedAt != nil }.map(\.number)
            let recorded = noted.records.compactMap {
                if case .setpoint(let record) = $0 { record.number } else { nil }
            }
            #expect(sent.count > 10 && recorded == sent)
            lost += noted.recordsOverwritten
            return sent
        }
        var lost: UInt64 = 0
        let before = try steer()
        #expect(lost == 0)
        // No request reaches the companion for longer than a trace lasts.
        ends.ground.trace = nil
        ends.run(for: ChannelTimes.traceLife + .seconds(1))
        #expect(!ends.vehicle.isTraced)
        let after = try steer()
        #expect(Set(before).isDisjoint(with: after))
        #expect(lost == 1)
    }

    @Test func `receipts are asked for by a flag, which an older companion is spared after two seconds`() throws {
        let bytes = EncodedPayload.bytes(capacity: 64) { TraceRequest(stampsReceipts: true).write(&$0) }
        let request = try EncodedPayload.read(Array(bytes.dropFirst())) { reader throws(WireError) in
            try TraceRequest(&reader)
        }
        #expect(request.stampsReceipts && !request.watchesSetpoints)
        #expect(VehicleTrace(request, now: MonotonicTime(nanoseconds: 0)).stampsReceipts)
        for answers in [false, true] {
            let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false, stampsReceipts: true)
            var flags: [Bool] = []
            for number in 0..<20 {
                if answers, number == 2 {
                    trace.take(TraceBatch(sent: 1, wall: 3, oldest: 1, first: 1, records: []))
                }
                let now = MonotonicTime(nanoseconds: Int64(number) * 250_000_000)
                flags.append(try #require(trace.request(now: max(now, trace.nextRequest))).stampsReceipts)
            }
            #expect(flags == (0..<20).map { answers || $0 < 8 })
        }
    }

    @Test func `own setpoints are asked for by a flag of their own, which an older companion is spared too`() throws {
        let bytes = EncodedPayload.bytes(capacity: 64) { TraceRequest(watchesOwn: true).write(&$0) }
        #expect(bytes[1] == 9)
        let request = try EncodedPayload.read(Array(bytes.dropFirst())) { reader throws(WireError) in
            try TraceRequest(&reader)
        }
        #expect(request.watchesOwn && !request.watchesSetpoints && !request.stampsReceipts)
        let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false, watchesOwn: true)
        let flags = try (0..<20).map { number in
            let now = MonotonicTime(nanoseconds: Int64(number) * 250_000_000)
            return try #require(trace.request(now: max(now, trace.nextRequest))).watchesOwn
        }
        #expect(flags == (0..<20).map { $0 < 8 })
    }

    @Test func `what the companion's subscriber has read comes back by the number of the setpoint`() throws {
        let record = TraceRecord.observed(number: 9, at: MonotonicTime(nanoseconds: 77))
        let bytes = EncodedPayload.bytes(capacity: 64) { record.write(&$0) }
        #expect(bytes.count <= TraceRecord.largestSize)
        #expect(try EncodedPayload.read(bytes) { reader throws(WireError) in try TraceRecord(&reader) } == record)
        let ends = try TwoEnds()
        ends.open()
        let trace = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false, watchesOwn: true)
        ends.ground.trace = trace
        ends.run(for: .seconds(1))
        #expect(ends.vehicle.watchesOwn && !ends.vehicle.watchesSetpoints && ends.vehicleEvents.last == "watches: true")
        let number = try ends.ground.steer(Samples.setpoint(x: 1, at: ends.now), now: ends.now)
        ends.run(for: .seconds(1))
        #expect(ends.vehicle.judgedSetpoint == number)
        ends.vehicle.note(.observed(number: number, at: MonotonicTime(nanoseconds: 77)))
        ends.run(for: .seconds(3))
        #expect(trace.take().records.contains(.observed(number: number, at: MonotonicTime(nanoseconds: 77))))
        trace.isEnding = true
        ends.run(for: .seconds(1))
        #expect(!ends.vehicle.watchesOwn && ends.vehicleEvents.last == "watches: false")
    }

    @Test func `a receipt comes back as it was, and none is negative`() throws {
        func read(_ waited: Int64) throws -> TraceRecord? {
            let record = TraceRecord.receipt(.init(sequence: 9, waitedNanoseconds: waited))
            let bytes = EncodedPayload.bytes(capacity: 64) { record.write(&$0) }
            #expect(bytes.count <= TraceRecord.largestSize)
            return try EncodedPayload.read(bytes) { reader throws(WireError) in try TraceRecord(&reader) }
        }
        #expect(try read(1500) == .receipt(.init(sequence: 9, waitedNanoseconds: 1500)))
        #expect(throws: WireError.invalid) { try read(-1) }
    }

    @Test(arguments: [0, UInt64.max / 2, .max]) func `a request for records that cannot be is refused`(_ next: UInt64) {
        let bytes = EncodedPayload.bytes(capacity: 64) { TraceRequest(next: next).write(&$0) }
        #expect(throws: WireError.invalid) {
            try EncodedPayload.read(Array(bytes.dropFirst())) { reader throws(WireError) in try TraceRequest(&reader) }
        }
    }

    @Test func `records come back as they were, cut off anywhere they are refused`() throws {
        let bytes = EncodedPayload.bytes(capacity: ChannelLimits.payload) { writer in
            for number in [7, 9, 3, 3] as [Int64] { writer.put(number) }
            for record in Vectors.records { record.write(&writer) }
        }
        let batch = try EncodedPayload.read(bytes) { reader throws(WireError) in try TraceBatch(&reader) }
        #expect(batch == TraceBatch(sent: 7, wall: 9, oldest: 3, first: 3, records: Vectors.records))
        // Where a record ends, what is left is a whole batch.
        var ends = [32]
        for record in Vectors.records {
            let size = EncodedPayload.bytes(capacity: 64) { record.write(&$0) }.count
            #expect(size <= TraceRecord.largestSize)
            ends.append((ends.last ?? 0) + size)
        }
        for count in 0..<bytes.count where !ends.contains(count) {
            #expect(throws: WireError.truncated) {
                try EncodedPayload.read(Array(bytes[..<count])) { reader throws(WireError) in try TraceBatch(&reader) }
            }
        }
        // A type of a later version ends the reading.
        let later = try EncodedPayload.read(bytes + [200, 1, 2]) { reader throws(WireError) in try TraceBatch(&reader) }
        #expect(later.records == Vectors.records)
    }

    @Test func `the oldest records give way, and the ground is notified`() throws {
        let cipher = try FrameCipher(
            session: 1, key: try .random(), helloRandom: SecureRandom.bytes(24), sending: .down)
        let buffer = FrameBuffer()
        let now = MonotonicTime(nanoseconds: 0)
        var vehicle = VehicleTrace(TraceRequest(), now: now)
        for number in 1...UInt32(VehicleTrace.capacity + 10) { vehicle.add(.seen(.init(sequence: number, at: now))) }
        #expect(vehicle.nextFrame(into: buffer.bytes, now: now, cipher: cipher) > 0)
        #expect(vehicle.nextDeadline == now + ChannelTimes.traceBurst)
        let ground = GroundTrace(clock: FakeClock(), session: 1, watchesSetpoints: false)
        ground.take(
            TraceBatch(sent: 1, wall: 3, oldest: 11, first: 11, records: [.seen(.init(sequence: 11, at: now))]))
        let noted = ground.take()
        #expect(noted.recordsOverwritten == 10 && noted.records.count == 1 && noted.wallMinusClock == 2)
        #expect(ground.next == 12)
    }
}
