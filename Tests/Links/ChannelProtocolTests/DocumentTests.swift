#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import ChannelTestKit
import IntegrationKit
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// The vectors of `docs/channel.md`: a second implementation is written from them, so they must be what this one does.
@Suite("docs/channel.md") struct DocumentTests {
    @Test func `the vectors of the document are what the code makes`() throws {
        let document = try Self.lines(of: "docs/channel.md")
        for (name, value) in try Vectors.all() {
            #expect(document.contains("\(name): \(value)"), "the document lacks\n\(name): \(value)")
        }
    }

    @Test func `the limits of the document are those of the code`() throws {
        let text = try Self.lines(of: "docs/channel.md").joined(separator: "\n")
        for (name, value) in [
            ("frame", ChannelLimits.frame), ("payload", ChannelLimits.payload), ("fragment", ChannelLimits.fragment),
            ("fragments in flight", ChannelLimits.fragmentsInFlight), ("bulk", ChannelLimits.bulk),
            ("replay window", Int(ChannelLimits.replayWindow)), ("commands in flight", ChannelLimits.commandsInFlight),
            ("stops in flight", ChannelLimits.stopsInFlight), ("stops running", ChannelLimits.stopsRunning),
            ("refused hellos", ChannelLimits.refusedHellos),
            ("answers kept", ChannelLimits.answersKept), ("answer bytes kept", ChannelLimits.answerBytesKept),
            ("answers kept at least", ChannelLimits.answersKeptMinimum), ("name", ChannelLimits.name),
            ("topic", ChannelLimits.topic),
            ("maps", AvailableMap.maximumAvailableMaps),
            ("world", VehicleWorld.mostBytes), ("path", ChannelLimits.path),
            ("answer with a world", ChannelLimits.world),
            ("message", ChannelLimits.message),
            ("answer text", ChannelLimits.answerText), ("vehicle name", ChannelLimits.vehicleName),
            ("program version", ChannelLimits.programVersion),
            ("rates", TopicRate.maximumCount), ("records kept", VehicleTrace.capacity),
            ("unauthenticated connections", ServerConnections.maximumUnauthenticated),
            ("connections a second", AcceptRateLimiter.most),
        ] {
            #expect(text.contains("| \(name) | \(value) |"), "| \(name) | \(value) |")
        }
        for (name, value) in [
            ("heartbeat", ChannelTimes.heartbeat), ("link loss timeout", ChannelTimes.linkLossTimeout),
            ("ticket life", ChannelTimes.ticketLife),
            ("session life", ChannelTimes.sessionLife), ("hello first", ChannelTimes.helloFirst),
            ("hello longest", ChannelTimes.helloLongest), ("resend shortest", ChannelTimes.resendShortest),
            ("resend unknown", ChannelTimes.resendUnknown), ("resend longest", ChannelTimes.resendLongest),
            ("resend received", ChannelTimes.resendReceived), ("details", ChannelTimes.details),
            ("extras", ChannelTimes.extras), ("control", ChannelTimes.control),
            ("control reminder", ChannelTimes.controlReminder), ("rates", ChannelTimes.rates),
            ("messages", ChannelTimes.messages),
            ("longest wait", ChannelTimes.longestWait), ("longest opening timeout", ChannelTimes.longestOpeningTimeout),
            ("unauthenticated timeout", ChannelTimes.unauthenticatedTimeout),
            ("connection loss", ChannelTimes.connectionLoss), ("ticket eviction age", ChannelTimes.ticketEvictionAge),
            ("trace", ChannelTimes.trace),
            ("trace burst", ChannelTimes.traceBurst), ("trace request", ChannelTimes.traceRequest),
            ("trace life", ChannelTimes.traceLife),
        ] {
            let milliseconds = value.nanoseconds / 1_000_000
            #expect(text.contains("| \(name) | \(milliseconds) ms |"), "| \(name) | \(milliseconds) ms |")
        }
    }

    private static func lines(of path: String) throws -> [String] {
        let file = try #require(fopen("\(BuiltPrograms.repository)/\(path)", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var byte = fgetc(file)
        while byte >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(file)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }
}

/// The test vectors, made by the code.
enum Vectors {
    static let key: [UInt8] = Array(0..<32)
    static let session: UInt64 = 0x0123_4567_89AB_CDEF
    static let helloRandom: [UInt8] = Array(0x40..<0x58)
    static let welcomeRandom: [UInt8] = Array(0x60..<0x78)

    static func secret() throws -> SecretKey {
        try SecretKey { bytes in for (index, byte) in key.enumerated() { bytes[index] = byte } }
    }

    static func all() throws -> [(String, String)] {
        let secret = try secret()
        let keys = try Handshake.Keys(secret)
        let ticket = ChannelTicket(
            session: SessionID(session), key: secret, udpPort: 40001, tcpPort: 40002, vehicle: "uav1")
        var vectors = [("ticket", ticket.unwipedLine)]
        for (name, label, context) in [
            ("key hello", "uavlink hello", []), ("key welcome", "uavlink welcome", []),
            ("key up", "uavlink up 1", helloRandom), ("key down", "uavlink down 1", helloRandom),
        ] as [(String, StaticString, [UInt8])] {
            let derived = try secret.derived(label: label, context: context)
            vectors.append(
                (name, derived.withBytes { Hexadecimal.text(UnsafeRawBufferPointer(start: $0, count: SecretKey.size)) })
            )
        }
        let buffer = FrameBuffer()
        func note(_ name: String, _ length: Int) { vectors.append((name, Hexadecimal.text(buffer.bytes[..<length]))) }
        note(
            "hello",
            Handshake.seal(
                .init(version: 1, sent: 1_000_000_000), session: session, random: helloRandom, keys: keys,
                into: buffer.bytes))
        note(
            "welcome",
            Handshake.seal(
                .init(
                    version: 1, accepted: true, helloSent: 1_000_000_000, helloReceived: 5_000_000_000,
                    sent: 5_000_100_000),
                helloRandom: helloRandom, session: session, random: welcomeRandom, keys: keys, into: buffer.bytes))
        try up(secret, buffer, note)
        try down(secret, buffer, note)
        try trace(secret, buffer, note)
        try control(secret, buffer, note)
        return vectors
    }

    private static func up(_ secret: SecretKey, _ buffer: FrameBuffer, _ note: (String, Int) -> Void) throws {
        let up = try FrameCipher(session: session, key: secret, helloRandom: helloRandom, sending: .up)
        var heartbeat = Heartbeat()
        heartbeat.wantsReply = true
        heartbeat.sent = 1_000_300_000
        heartbeat.messagesSeen = 7
        note("up 1 heartbeat", up.seal(into: buffer.bytes) { heartbeat.write(&$0) })
        let steering = Steering(
            number: 1, setpoint: Samples.setpoint(x: 1.5, at: MonotonicTime(nanoseconds: 1_001_000_000)))
        note("up 2 steering", up.seal(into: buffer.bytes) { steering.write(&$0) })
        let goTo = CommandRequest(
            id: 1, deadline: 3_000_000_000, remainingMicroseconds: 1_990_000, afterSetpoint: 1,
            command: .goTo(.init(.frame(.worldOrigin), position: Vector3(x: 10, y: -5, z: 3), headingRadians: 0.5)))
        note("up 3 command goto", up.seal(into: buffer.bytes) { goTo.write(&$0) })
        let arm = CommandRequest(
            id: 2, deadline: 3_000_000_000, remainingMicroseconds: 1_000_000, afterSetpoint: 1, command: .arm(true))
        note("up 4 command arm", up.seal(into: buffer.bytes) { arm.write(&$0) })
        note(
            "up 5 command query",
            up.seal(into: buffer.bytes) { writer in
                writer.put(FrameKind.commandQuery)
                writer.put(1 as UInt64)
            })
        let upload = CommandRequest(
            id: 3, deadline: 9_000_000_000, remainingMicroseconds: 5_000_000, afterSetpoint: 1,
            command: .uploadTrajectory(Samples.trajectory(points: 35)))
        let bytes = EncodedPayload.bytes(capacity: upload.largestSize) { upload.write(&$0) }
        let transfer = BulkSender(id: 3, bytes: bytes)
        note("up 6 fragment 1 of 2 (the last)", up.seal(into: buffer.bytes) { transfer?.write(1, &$0) })
        note("up 7 goodbye", up.seal(into: buffer.bytes) { $0.put(FrameKind.goodbye) })
        let snapshot = CommandRequest(
            id: 4, deadline: 3_000_000_000, remainingMicroseconds: 1_000_000, afterSetpoint: 1,
            command: .snapshot(service: "camera/snapshot"))
        note("up 8 command snapshot", up.seal(into: buffer.bytes) { snapshot.write(&$0) })
        for (number, id, question) in Samples.questions {
            let request = QuestionRequest(
                id: id, deadline: 9_000_000_000, remainingMicroseconds: 5_000_000, question: question)
            note("up \(number) question", up.seal(into: buffer.bytes) { request.write(&$0) })
        }
    }

    /// Under numbers of their own.
    private static func trace(_ secret: SecretKey, _ buffer: FrameBuffer, _ note: (String, Int) -> Void) throws {
        let up = try FrameCipher(
            session: session, key: secret, helloRandom: helloRandom, sending: .up, firstSequence: 50)
        let request = TraceRequest(watchesSetpoints: true, next: 9)
        note("up 50 trace request", up.seal(into: buffer.bytes) { request.write(&$0) })
        let down = try FrameCipher(
            session: session, key: secret, helloRandom: helloRandom, sending: .down, firstSequence: 50)
        var trace = VehicleTrace(TraceRequest(), now: MonotonicTime(nanoseconds: 5_000_000_000))
        for record in Self.records { trace.add(record) }
        note(
            "down 50 trace",
            trace.nextFrame(
                into: buffer.bytes, now: MonotonicTime(nanoseconds: 5_200_000_000), cipher: down,
                wall: 1_700_000_000_000_000_000))
    }

    /// Under numbers of their own, too.
    private static func control(_ secret: SecretKey, _ buffer: FrameBuffer, _ note: (String, Int) -> Void) throws {
        let up = try FrameCipher(
            session: session, key: secret, helloRandom: helloRandom, sending: .up, firstSequence: 60)
        for (index, wish) in Samples.wishes.enumerated() {
            let request = QuestionRequest(
                id: 20 + UInt64(index), deadline: 9_000_000_000, remainingMicroseconds: 5_000_000,
                question: .control(wish))
            note("up \(60 + index) question", up.seal(into: buffer.bytes) { request.write(&$0) })
        }
        let down = try FrameCipher(
            session: session, key: secret, helloRandom: helloRandom, sending: .down, firstSequence: 60)
        let sent = MonotonicTime(nanoseconds: 5_001_000_000)
        note(
            "down 60 control",
            down.seal(into: buffer.bytes) { ControlCoding.write(Samples.control(at: sent), sent: sent, &$0) })
        let answer = QuestionAnswer(
            id: 20, result: .success(.control(CommandReply(accepted: false, message: "anna is in command"))))
        note("down 61 question answer", down.seal(into: buffer.bytes) { answer.write(&$0) })
    }

    /// A record of each type.
    static var records: [TraceRecord] {
        func at(_ microseconds: Int64) -> MonotonicTime {
            MonotonicTime(nanoseconds: 5_001_000_000 + microseconds * 1000)
        }
        return [
            .setpoint(.init(number: 1, receivedAt: at(0), handedAt: at(5), leftAt: at(12), fate: .applied)),
            .setpoint(.init(number: 2, receivedAt: at(20), handedAt: at(21), leftAt: at(21), fate: .stale)),
            .command(.init(number: 3, receivedAt: at(30), askedAt: at(38), answeredAt: at(250), readyAt: at(255))),
            .state(.init(sequence: 17, sentAt: at(300), arrivedAt: at(290), stampedAt: at(210))),
            .state(.init(sequence: 18, sentAt: at(310), arrivedAt: at(290), stampedAt: nil)),
            .seen(.init(sequence: 77, at: at(400))),
            .repeated(.init(sequence: 21, at: at(410))),
        ]
    }

    private static func down(_ secret: SecretKey, _ buffer: FrameBuffer, _ note: (String, Int) -> Void) throws {
        let down = try FrameCipher(session: session, key: secret, helloRandom: helloRandom, sending: .down)
        let sent = MonotonicTime(nanoseconds: 5_001_000_000)
        let telemetry = Samples.telemetry(at: sent - .milliseconds(3))
        var heartbeat = Heartbeat()
        heartbeat.sent = 5_000_600_000
        heartbeat.echo = .init(sent: 1_000_300_000, received: 5_000_500_000)
        heartbeat.highestReceived = 3
        heartbeat.framesReceived = 2
        heartbeat.setpoints = SetpointCounts(applied: 10, stale: 2, superseded: 1, refused: 4)
        note("down 1 heartbeat", down.seal(into: buffer.bytes) { heartbeat.write(&$0) })
        note("down 2 state", down.seal(into: buffer.bytes) { TelemetryCoding.writeState(telemetry, sent: sent, &$0) })
        note(
            "down 3 details", down.seal(into: buffer.bytes) { TelemetryCoding.writeDetails(telemetry, sent: sent, &$0) }
        )
        var log = MessageLog()
        log.update(telemetry.messages)
        note("down 4 messages", down.seal(into: buffer.bytes) { log.write(after: 0, sent: sent, &$0) })
        note(
            "down 5 command received",
            down.seal(into: buffer.bytes) { writer in
                writer.put(FrameKind.commandReceived)
                writer.put(1 as UInt64)
            })
        let reply = CommandAnswer(id: 1, result: .success(CommandReply(accepted: true, message: "reference set")))
        note("down 6 command answer", down.seal(into: buffer.bytes) { reply.write(&$0) })
        let failure = CommandAnswer(
            id: 2, result: .failure(LinkError(.serviceMissing, "no service arming", hint: "start it")))
        note("down 7 command answer, failed", down.seal(into: buffer.bytes) { failure.write(&$0) })
        var received = FragmentsReceived(id: 3, next: 0)
        received.bits[1] = true
        note("down 8 fragment received", down.seal(into: buffer.bytes) { received.write(&$0) })
        note(
            "down 9 fragment refused",
            down.seal(into: buffer.bytes) { writer in
                writer.put(FrameKind.fragmentRefused)
                writer.put(3 as UInt64)
                writer.put(TransferRefusal.memoryLimitReached.rawValue)
            })
        note(
            "down 10 extras",
            down.seal(into: buffer.bytes) { ExtrasCoding.write(telemetry, withRates: true, sent: sent, &$0) })
        for (number, id, answer) in Samples.surveyAnswers {
            let reported = QuestionAnswer(id: id, result: answer)
            note("down \(number) question answer", down.seal(into: buffer.bytes) { reported.write(&$0) })
        }
        note(
            "down 15 extras",
            down.seal(into: buffer.bytes) {
                ExtrasCoding.write(
                    Telemetry(vehicle: "uav1"), withRates: true, capabilities: Samples.capabilities, sent: sent, &$0)
            })
        note(
            "down 16 extras",
            down.seal(into: buffer.bytes) {
                ExtrasCoding.write(
                    Samples.judgedRates(at: sent - .milliseconds(3)), withRates: true, sent: sent, &$0)
            })
        for (number, id, answer) in Samples.worldAnswers {
            let reported = QuestionAnswer(id: id, result: answer)
            note("down \(number) question answer", down.seal(into: buffer.bytes) { reported.write(&$0) })
        }
    }
}
