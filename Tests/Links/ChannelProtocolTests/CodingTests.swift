import ChannelTestKit
import Testing
import UAVLink

@testable import ChannelProtocol

@Suite("Payloads") struct CodingTests {
    private func roundTrip(_ command: Command, knowing stops: UInt64? = nil) throws -> Command {
        let request = CommandRequest(
            id: 3, deadline: -5, remainingMicroseconds: 7, afterSetpoint: 9, command: command, knownStops: stops)
        let bytes = EncodedPayload.bytes(capacity: request.largestSize) { request.write(&$0) }
        // Cut anywhere, or one byte longer, it is nothing.
        for length in 1..<min(bytes.count, 300) {
            #expect(throws: WireError.self) { try read(Array(bytes[..<length])) }
        }
        #expect(throws: WireError.self) { try read(bytes + [0]) }
        let again = try read(bytes)
        #expect(again.id == 3 && again.deadline == -5 && again.remainingMicroseconds == 7 && again.afterSetpoint == 9)
        #expect(again.knownStops == stops)
        return again.command
    }

    private func read(_ bytes: [UInt8]) throws(WireError) -> CommandRequest {
        try EncodedPayload.read(bytes) { reader throws(WireError) in
            let kind = FrameKind(rawValue: try reader.integer())
            return try CommandRequest(&reader, isOrdered: kind == .orderedCommand)
        }
    }

    static let commands: [Command] = [
        .arm(true), .arm(false), .enableOutput(true), .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover,
        .emergencyLand, .altitude(metres: 3.5), .heading(radians: -1), .turn(byRadians: 0.25), .goToTrajectoryStart,
        .startTrajectory, .stopTrajectory, .resumeTrajectory, .snapshot(service: "camera/snapshot"),
        .goTo(.init(.frame(.utm), position: Vector3(x: 4.6e5, y: 5.4e6, z: 380), headingRadians: 1)),
        .goTo(.init(.frame(.current), position: .zero, headingRadians: 0)),
        .goTo(.init(.relative, position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0.5)),
        .goTo(.init(.body, position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0.5)),
        .uploadTrajectory(Samples.trajectory(points: 3)),
    ]

    @Test(arguments: commands) func `every command comes back as it was`(_ command: Command) throws {
        #expect(try roundTrip(command) == command)
        #expect(try roundTrip(command, knowing: 0) == command)
        #expect(try roundTrip(command, knowing: .max) == command)
    }

    @Test func `the largest trajectory fits a transfer, and one point more is refused by both ends`() throws {
        let largest = Samples.trajectory(points: Trajectory.maximumPoints)
        let request = CommandRequest(
            id: 1, deadline: 0, remainingMicroseconds: 0, afterSetpoint: 0, command: .uploadTrajectory(largest))
        var bytes = EncodedPayload.bytes(capacity: request.largestSize) { request.write(&$0) }
        #expect(bytes.count <= ChannelLimits.bulk)
        #expect(BulkSender(id: 1, bytes: bytes) != nil)
        #expect(try read(bytes).command == .uploadTrajectory(largest))
        bytes += [UInt8](repeating: 0, count: 32)
        // The count of points stands 32 bytes a point from the end.
        let count = bytes.count - 32 * (Trajectory.maximumPoints + 1) - 4
        let more = UInt32(Trajectory.maximumPoints + 1)
        for index in 0..<4 { bytes[count + index] = UInt8(truncatingIfNeeded: more >> (8 * UInt32(index))) }
        #expect(throws: WireError.invalid) { try read(bytes) }
        #expect(BulkSender(id: 1, bytes: [UInt8](repeating: 0, count: ChannelLimits.bulk)) != nil)
        #expect(BulkSender(id: 1, bytes: [UInt8](repeating: 0, count: ChannelLimits.bulk + 1)) == nil)
    }

    @Test func `text is taken up to its limit and cut at a character's border beyond it`() throws {
        for (text, expected) in [
            (String(repeating: "a", count: 128), 128), (String(repeating: "a", count: 129), 128),
            (String(repeating: "ž", count: 64), 128), ("a" + String(repeating: "ž", count: 64), 127), ("", 0),
        ] {
            let bytes = EncodedPayload.bytes(capacity: 300) { $0.put(text: text, limit: 128) }
            #expect(bytes.count == 2 + expected)
            let back = try EncodedPayload.read(bytes) { reader throws(WireError) in try reader.text(limit: 128) }
            #expect(text.hasPrefix(back) && back.utf8.count == expected)
        }
        let long = EncodedPayload.bytes(capacity: 300) { $0.put(text: String(repeating: "a", count: 129), limit: 200) }
        #expect(throws: WireError.invalid) {
            try EncodedPayload.read(long) { reader throws(WireError) in try reader.text(limit: 128) }
        }
        #expect(throws: WireError.notText) {
            try EncodedPayload.read([1, 0, 0xFF]) { reader throws(WireError) in try reader.text(limit: 128) }
        }
    }

    @Test func `the largest details fit one frame`() {
        var telemetry = Samples.telemetry(at: MonotonicTime(nanoseconds: 0))
        let long = String(repeating: "x", count: 500)
        telemetry.tracker?.value.tracker = long
        telemetry.tracker?.value.controller = long
        telemetry.estimator?.value.name = long
        telemetry.pose?.value.frame = FrameName(String(long.prefix(128)))
        let sent = MonotonicTime(nanoseconds: 1)
        for bytes in [
            EncodedPayload.bytes(capacity: ChannelLimits.payload) {
                TelemetryCoding.writeDetails(telemetry, sent: sent, &$0)
            },
            EncodedPayload.bytes(capacity: ChannelLimits.payload) {
                TelemetryCoding.writeState(telemetry, sent: sent, &$0)
            },
        ] { #expect(!bytes.isEmpty) }
    }

    @Test func `a part that is not a number is left out rather than sent`() throws {
        var telemetry = Samples.telemetry(at: MonotonicTime(nanoseconds: 0))
        telemetry.pose?.value.positionMetres.x = .nan
        let bytes = EncodedPayload.bytes(capacity: ChannelLimits.payload) {
            TelemetryCoding.writeState(telemetry, sent: MonotonicTime(nanoseconds: 1), &$0)
        }
        var seen = Telemetry(vehicle: "uav1")
        seen = try EncodedPayload.read(bytes) { reader throws(WireError) in
            _ = try reader.integer(UInt8.self)
            var telemetry = Telemetry(vehicle: "uav1")
            try TelemetryCoding.readState(&reader, into: &telemetry) { MonotonicTime(nanoseconds: $0) }
            return telemetry
        }
        #expect(seen.pose == nil && seen.flight?.value == telemetry.flight?.value)
    }

    /// Telemetry of a sender that checks nothing.
    private func telemetry(_ number: Double, now: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: .worldOrigin, positionMetres: Vector3(x: number, y: 0, z: 0), headingRadians: 0), at: now)
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0, y: number, z: 0), at: now)
        telemetry.heightAboveGroundMetres = Sample(number, at: now)
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true), at: now
        )
        telemetry.battery = Sample(Battery(voltageVolts: 12, currentAmperes: number, remaining: number), at: now)
        telemetry.gnss = Sample(
            GNSSFix(
                quality: .fix, latitudeDegrees: 50, longitudeDegrees: 14, altitudeMetres: number,
                horizontalAccuracyMetres: number), at: now)
        telemetry.estimator = Sample(EstimatorStatus(name: "gps", ceilingMetres: number), at: now)
        return telemetry
    }

    private func read(_ telemetry: Telemetry, sent: MonotonicTime) throws -> Telemetry {
        let state = EncodedPayload.bytes(capacity: ChannelLimits.payload) {
            TelemetryCoding.writeState(telemetry, sent: sent, &$0)
        }
        let details = EncodedPayload.bytes(capacity: ChannelLimits.payload) {
            TelemetryCoding.writeDetails(telemetry, sent: sent, &$0)
        }
        var seen = Telemetry(vehicle: "uav1")
        seen = try EncodedPayload.read(state) { reader throws(WireError) in
            _ = try reader.integer(UInt8.self)
            try TelemetryCoding.readState(&reader, into: &seen) { MonotonicTime(nanoseconds: $0) }
            return seen
        }
        return try EncodedPayload.read(details) { reader throws(WireError) in
            _ = try reader.integer(UInt8.self)
            try TelemetryCoding.readDetails(&reader, into: &seen) { MonotonicTime(nanoseconds: $0) }
            return seen
        }
    }

    @Test(arguments: [1e308, -1e308, 1e18])
    func `what no vehicle can have is counted and absent, and the rest goes on`(number: Double) throws {
        let now = MonotonicTime(nanoseconds: 5_000_000_000)
        let seen = try read(telemetry(number, now: now), sent: now)
        #expect(seen.pose == nil && seen.velocityMetresPerSecond == nil && seen.heightAboveGroundMetres == nil)
        #expect(seen.flight?.value.state == .flying && seen.gnss == nil)
        #expect(seen.battery?.value == Battery(voltageVolts: 12))
        #expect(seen.estimator?.value == EstimatorStatus(name: "gps"))
        #expect(seen.rejected.here == 5 && seen.rejected.newest?.value == .gnss)
    }

    @Test func `what can be is taken as it is`() throws {
        let now = MonotonicTime(nanoseconds: 5_000_000_000)
        let telemetry = telemetry(0.5, now: now)
        #expect(try read(telemetry, sent: now) == telemetry)
    }

    @Test func `messages are numbered as they are added and sent once each`() throws {
        var log = MessageLog()
        var telemetry = Telemetry(vehicle: "uav1")
        for number in 0..<40 {
            telemetry.append(
                Sample(
                    VehicleMessage(severity: .warning, text: "m\(number)"),
                    at: MonotonicTime(nanoseconds: Int64(number))))
            log.update(telemetry.messages)
        }
        #expect(log.newest == 40 && log.messages.count == Telemetry.maximumMessages)
        var seen = Telemetry(vehicle: "uav1")
        var upTo: UInt64 = 30
        for _ in 0..<3 {
            let bytes = EncodedPayload.bytes(capacity: ChannelLimits.payload) {
                log.write(after: 30, sent: MonotonicTime(nanoseconds: 99), &$0)
            }
            let result = try EncodedPayload.read(bytes) { reader throws(WireError) in
                _ = try reader.integer(UInt8.self)
                var telemetry = seen
                var number = upTo
                try MessageLog.read(&reader, into: &telemetry, seen: &number) { MonotonicTime(nanoseconds: $0) }
                return (telemetry, number)
            }
            (seen, upTo) = result
        }
        #expect(upTo == 40 && seen.messages.map(\.value.text) == (30..<40).map { "m\($0)" })
    }

    @Test func `the ledger executes once and forgets the oldest answers first`() {
        var ledger = CommandLedger()
        for id in 1...UInt64(ChannelLimits.answersKept + 1) {
            ledger.begin(id, slot: nil)
            ledger.answer(id, [1])
        }
        guard case .forgotten = ledger.judge(1), case .answered = ledger.judge(2), case .new = ledger.judge(9999) else {
            Issue.record("1 \(ledger.judge(1)), 2 \(ledger.judge(2)), 9999 \(ledger.judge(9999))")
            return
        }
    }

    @Test func `the ledger keeps as many answers after any number of commands`() {
        var ledger = CommandLedger()
        let (kept, last) = (UInt64(ChannelLimits.answersKept), 3 * UInt64(ChannelLimits.answersKept) + 7)
        for id in 1...last {
            ledger.begin(id, slot: nil)
            ledger.answer(id, [1])
            guard id > kept else { continue }
            guard case .forgotten = ledger.judge(id - kept), case .answered = ledger.judge(id - kept + 1) else {
                Issue.record("\(id): \(ledger.judge(id - kept)), \(ledger.judge(id - kept + 1))")
                return
            }
        }
    }

    @Test(arguments: [ChannelLimits.payload, ChannelLimits.answerBytesKept])
    func `the ledger keeps fewer answers when they are long, but never too few`(size: Int) {
        var ledger = CommandLedger()
        // A long one on its way in fragments does not count until it has been delivered, nor afterwards.
        let isLarge = size > ChannelLimits.payload
        let kept = isLarge ? ChannelLimits.answersKept : ChannelLimits.answerBytesKept / ChannelLimits.payload
        for id in 1...UInt64(kept + 1) {
            ledger.begin(id, slot: nil)
            ledger.answer(id, Array(repeating: 1, count: size))
            if isLarge { ledger.deliver(id) }
        }
        guard case .forgotten = ledger.judge(1), case .new = ledger.judge(9999) else {
            Issue.record("1 \(ledger.judge(1)), 9999 \(ledger.judge(9999))")
            return
        }
        switch ledger.judge(2) {
        case .answered: #expect(!isLarge)
        case .forgotten: #expect(isLarge)
        case .new, .running: Issue.record("2 \(ledger.judge(2))")
        }
        #expect(kept >= ChannelLimits.answersKeptMinimum && ledger.largeBytes == 0)
    }
}

@Suite("Tickets") struct TicketTests {
    private let good =
        "uavlink-channel 1 session=0123456789abcdef key=\(String(repeating: "0a", count: 32)) udp=1 tcp=2 vehicle=uav1"

    @Test func `a ticket's line is read back, wherever it stands in the output`() throws {
        #expect(try ChannelTicket(line: good + "\r\n").unwipedLine == good)
        #expect(try ChannelTicket.find(in: "Welcome to uav1!\n\n\(good)\nbye").unwipedLine == good)
        #expect(!(try ChannelTicket(line: good).description.contains("0a0a")))
    }

    @Test func `another version is named before anything else is read`() {
        let error = #expect(throws: LinkError.self) { try ChannelTicket(line: "uavlink-channel 2 whatever") }
        #expect(error?.code == .versionMismatch)
        #expect(error?.what.contains("version 2") == true)
    }

    @Test(arguments: [
        ("udp=1", "udp=65536"), ("udp=1", "udp=-1"), ("udp=1", "udp=+1"), ("udp=1 ", ""), ("tcp=2", "tcp="),
        ("=0123456789abcdef", "=0123456789abcde"), ("=0123456789abcdef", "=0123456789abcdefg"), ("key=0a", "key=0x"),
        ("key=0a", "key="), ("vehicle=uav1", "vehicle="), ("vehicle=uav1", "vehicle=ua\u{1B}v"),
        ("vehicle=uav1", "vehicle=uav1 udp=3"), ("uavlink-channel 1", "uavlink-channel x"),
        ("vehicle=uav1", "vehicle=\(String(repeating: "u", count: 65))"), ("vehicle=uav1", "vehicle"),
        ("vehicle=uav1", "vehicle=uav1 program="), ("vehicle=uav1", "vehicle=uav1 program=1.0\u{1B}"),
        ("vehicle=uav1", "vehicle=uav1 program=\(String(repeating: "1", count: 33))"),
    ])
    func `a broken ticket is refused without showing it`(_ what: String, _ with: String) {
        let line = good.split(separator: what, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: with)
        #expect(line != good)
        let error = #expect(throws: LinkError.self) { try ChannelTicket(line: line) }
        #expect(error?.code == .protocolViolation)
        #expect(error?.description.contains("0a0a") == false)
    }

    @Test func `the program's version is read, where it stands`() throws {
        #expect(try ChannelTicket(line: good).program == nil)
        let said = try ChannelTicket(line: good + " program=1.2.3-rc+4")
        #expect(said.program == "1.2.3-rc+4" && said.unwipedLine == good + " program=1.2.3-rc+4")
        #expect(said.through(udpPort: 3, tcpPort: 4).program == said.program)
        #expect(try ChannelTicket(line: good + " program=" + String(repeating: "1", count: 32)).program != nil)
    }

    @Test func `a name of the longest length is taken`() throws {
        let name = String(repeating: "u", count: 64)
        let line = good.split(separator: "vehicle=uav1").joined() + "vehicle=" + name
        #expect(try ChannelTicket(line: line).vehicle == name)
    }
}
