import ChannelTestKit
import Testing
import UAVLink

@testable import ChannelProtocol

extension Samples {
    /// One of each kind.
    static let wishes: [ControlAuthorityRequest] = [
        .take(name: "ben"), .takeOver(name: "ben", reason: "a tree"), .release(reason: "done"),
    ]

    /// A pilot who has had control authority for an hour and more.
    static func control(at now: MonotonicTime) -> ControlStatus {
        ControlStatus(
            pilot: .init(name: "anna", since: now - .seconds(3661), isYou: true), isSteering: true,
            lastEndReason: "no fresh setpoint came in time")
    }
}

/// Who flies, as it goes over the wire.
@Suite struct ControlCodingTests {
    private let now = MonotonicTime(nanoseconds: 7_000_000_000_000)

    private func payload(_ write: (inout WireWriter) -> Void) -> [UInt8] { EncodedPayload.bytes(capacity: 2000, write) }

    private func read(_ status: ControlStatus) throws -> Sample<ControlStatus> {
        try EncodedPayload.read(payload { ControlCoding.write(status, sent: now, &$0) }) { reader throws(WireError) in
            guard try reader.integer(UInt8.self) == FrameKind.control.rawValue else { throw .invalid }
            return try ControlCoding.read(&reader) { MonotonicTime(nanoseconds: $0) }
        }
    }

    @Test func `what is sent is what is read`() throws {
        for status in [
            Samples.control(at: now), ControlStatus(), ControlStatus(lastEndReason: "lost"),
            ControlStatus(pilot: .init(name: "ben", since: now, isYou: false)),
        ] {
            #expect(try read(status) == Sample(status, at: now))
        }
    }

    @Test func `a pilot of the future has begun now`() throws {
        let status = ControlStatus(pilot: .init(name: "ben", since: now + .seconds(5), isYou: false))
        #expect(try read(status).value.pilot?.since == now)
    }

    @Test func `every wish is read as it was written, and each cut of it is refused`() throws {
        for wish in Samples.wishes {
            let request = QuestionRequest(id: 1, deadline: 2, remainingMicroseconds: 3, question: .control(wish))
            let bytes = payload { request.write(&$0) }
            let again = try EncodedPayload.read(bytes) { reader throws(WireError) in
                _ = try reader.integer(UInt8.self)
                return try QuestionRequest(&reader)
            }
            #expect(again == request)
            for length in 1..<bytes.count {
                #expect(throws: WireError.self) {
                    try EncodedPayload.read(Array(bytes[..<length])) { reader throws(WireError) in
                        _ = try reader.integer(UInt8.self)
                        return try QuestionRequest(&reader)
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ControlAuthorityRequest.take(name: ""), .take(name: String(repeating: "n", count: 65)),
        .takeOver(name: "ben", reason: ""),
        .release(reason: String(repeating: "r", count: 257)),
    ])
    func `a wish without a name or a reason, or with too long a one, is not sent`(_ wish: ControlAuthorityRequest) {
        #expect(throws: LinkError.self) { try wish.validate() }
    }
}

/// When a ground is notified who has control.
@Suite struct ControlStatusScheduleTests {
    @Test func `who has control is sent when the session opens, at once on a change, and again if that is lost`() throws
    {
        let ends = try TwoEnds()
        let first = ControlStatus(lastEndReason: "given back")
        ends.vehicle.tell(first)
        ends.open()
        ends.run(for: .milliseconds(2))
        #expect(ends.ground.telemetry.control?.value == first)
        let next = ControlStatus(pilot: .init(name: "ben", since: ends.vehicleNow, isYou: true))
        ends.vehicle.tell(next)
        ends.run(for: .milliseconds(2))
        #expect(ends.ground.telemetry.control?.value.isYours == true)
        // All that goes down is lost for a while.
        let last = ControlStatus(lastEndReason: "lost")
        ends.vehicle.tell(last)
        let frame = FrameBuffer()
        var lost = 0
        while ends.vehicle.nextFrame(into: frame.bytes, now: ends.vehicleNow, telemetry: nil, messages: MessageLog())
            > 0
        { lost += 1 }
        #expect(lost >= 2)
        ends.run(for: .milliseconds(150))
        #expect(ends.ground.telemetry.control?.value.isYours == true)
        ends.run(for: .milliseconds(60))
        #expect(ends.ground.telemetry.control?.value == last)
    }

    @Test func `a command carries how many stops its ground knew of, once it was told`() throws {
        let ends = try TwoEnds()
        ends.open()
        func command() throws -> UInt64?? {
            _ = try ends.ground.begin(.takeoff, deadline: ends.now + .seconds(1), now: ends.now)
            ends.run(for: .milliseconds(2))
            return ends.knownStops.last
        }
        #expect(try command() == .some(nil))
        ends.vehicle.tell(ControlStatus(), stops: 7)
        ends.run(for: .milliseconds(2))
        #expect(try command() == .some(7))
        // One that was sent again keeps what was known when it was given.
        ends.vehicle.tell(ControlStatus(), stops: 8)
        _ = try ends.ground.begin(.takeoff, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(2))
        #expect(ends.knownStops.last == .some(7))
        #expect(try command() == .some(8))
        // In a transfer, too.
        let upload = Command.uploadTrajectory(Samples.trajectory(points: 500))
        _ = try ends.ground.begin(upload, deadline: ends.now + .seconds(9), now: ends.now)
        ends.run(for: .milliseconds(500))
        #expect(ends.performed.last == upload && ends.knownStops.last == .some(8))
    }

    @Test func `the commands of a sequence carry what was known when it began`() throws {
        let ends = try TwoEnds()
        ends.open()
        func command(_ command: Command = .takeoff, in sequence: CommandSequence?) throws -> UInt64?? {
            _ = try ends.ground.begin(command, in: sequence, deadline: ends.now + .seconds(1), now: ends.now)
            ends.run(for: .milliseconds(2))
            return ends.knownStops.last
        }
        func tell(stops: UInt64) {
            ends.vehicle.tell(ControlStatus(), stops: stops)
            ends.run(for: .milliseconds(2))
        }
        #expect(ends.ground.knownStops == nil)
        tell(stops: 7)
        #expect(ends.ground.knownStops == 7)
        let sequence = CommandSequence(knownStops: ends.ground.knownStops)
        #expect(try command(in: sequence) == .some(7))
        tell(stops: 8)
        #expect(try command(in: sequence) == .some(7))
        #expect(try command(in: nil) == .some(8))
        // A stop is never too old.
        for stop in [Command.hover, .land, .emergencyLand] {
            #expect(try command(stop, in: sequence) == .some(8), "\(stop.name)")
        }
    }

    @Test func `what has not changed is sent five times a second, and a refused setpoint at once but not each`() throws
    {
        let ends = try TwoEnds()
        ends.vehicle.tell(ControlStatus())
        ends.open()
        // Heartbeats go down too: only what is sent in between counts.
        func sent(in duration: Duration, _ each: () -> Void = {}) -> Int {
            var seen = Set<MonotonicTime>()
            if let at = ends.ground.telemetry.control?.at { seen.insert(at) }
            let before = seen.count
            ends.run(for: duration) {
                each()
                if let at = ends.ground.telemetry.control?.at { seen.insert(at) }
            }
            return seen.count - before
        }
        #expect((4...6).contains(sent(in: .seconds(1))))
        #expect((18...22).contains(sent(in: .seconds(1)) { ends.vehicle.resendControlStatus(now: ends.vehicleNow) }))
    }

    @Test func `a vehicle's end that knows nothing of it tells nothing`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.vehicle.resendControlStatus(now: ends.vehicleNow)
        ends.run(for: .seconds(1))
        #expect(ends.ground.telemetry.control == nil)
        #expect(ends.vehicle.nextDeadline(telemetry: nil, hasMessages: false) > ends.vehicleNow)
    }
}
