#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
@testable internal import ChannelProtocol
@testable internal import SocketTransport
internal import UAVLink

/// Entry points for the fuzz targets: decoders behind the encryption.
public enum ChannelFuzzing {
    private static let clock = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static func ends() -> (ground: GroundSession, vehicle: VehicleSession)? {
        do throws(LinkError) {
            let key = try SecretKey { bytes in for index in 0..<SecretKey.size { bytes[index] = UInt8(index) } }
            let ticket = ChannelTicket(session: SessionID(7), key: key, udpPort: 1, tcpPort: 2, vehicle: "uav1")
            let ground = try GroundSession(
                ticket: ticket, isReliable: false, helloRandom: [UInt8](repeating: 3, count: 24), now: clock)
            let vehicle = try VehicleSession(
                id: ticket.session, key: key, statePeriod: .milliseconds(20), now: clock,
                random: { [UInt8](repeating: 4, count: $0) })
            return (ground, vehicle)
        } catch { return nil }
    }

    /// Feeds a correctly sealed hello with that body to a waiting companion, and then runs what it would send.
    public static func hello(_ bytes: [UInt8]) {
        guard let (_, vehicle) = ends(), let keys = handshakeKeys() else { return }
        sealBody(bytes, key: keys.hello) { frame in
            let received = vehicle.receive(frame, now: clock)
            precondition((vehicle.phase == .open) == received.isOpening, "opened without saying so")
        }
        afterwards(vehicle)
    }

    /// Feeds a correctly sealed welcome with that body to a ground that has sent its hello, and then runs what it would send.
    public static func welcome(_ bytes: [UInt8]) {
        guard let (ground, _) = ends(), let keys = handshakeKeys() else { return }
        let buffer = FrameBuffer()
        _ = ground.nextFrame(into: buffer.bytes, now: clock)
        sealBody(bytes, key: keys.welcome) { _ = ground.receive($0, now: clock) }
        precondition(ground.phase != .opening || ground.timing.newest == nil, "timed without a welcome")
        for step in 0..<8 {
            let now = clock + .milliseconds(Int64(step) * 100)
            _ = ground.nextDeadline(now: now)
            _ = ground.timing.estimate(now: now)
            _ = ground.timing.resendAfter
            _ = ground.nextFrame(into: buffer.bytes, now: now)
        }
    }

    private static func afterwards(_ vehicle: VehicleSession) {
        let buffer = FrameBuffer()
        for step in 0..<8 {
            let now = clock + .milliseconds(Int64(step) * 100)
            _ = vehicle.tick(now: now)
            _ = vehicle.nextDeadline(telemetry: nil, hasMessages: false)
            _ = vehicle.nextFrame(into: buffer.bytes, now: now, telemetry: nil, messages: MessageLog())
        }
    }

    private static func handshakeKeys() -> Handshake.Keys? {
        try? Handshake.Keys(SecretKey { bytes in for index in 0..<SecretKey.size { bytes[index] = UInt8(index) } })
    }

    private static func sealBody(_ bytes: [UInt8], key: SecretKey, _ take: (UnsafeMutableRawBufferPointer) -> Void) {
        let buffer = FrameBuffer()
        let length = Handshake.seal(
            session: 7, random: [UInt8](repeating: 3, count: 24), key: key, into: buffer.bytes
        ) { writer in bytes.withUnsafeBytes { writer.put(raw: $0) } }
        if length > 0 { take(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<length])) }
    }

    /// Feeds raw frames, one after the other, to both ends of an open session.
    public static func frames(_ bytes: [UInt8]) {
        guard let (ground, vehicle) = open() else { return }
        var rest = bytes[...]
        while let length = rest.first {
            var frame = Array(rest.dropFirst().prefix(Int(length) * 5))
            rest = rest.dropFirst(1 + frame.count)
            frame.withUnsafeMutableBytes { raw in
                _ = vehicle.receive(raw, now: clock)
                _ = ground.receive(raw, now: clock)
            }
        }
    }

    /// Feeds sealed payloads to the vehicle's end, and then runs what it would send.
    public static func payloadToVehicle(_ bytes: [UInt8]) {
        guard let (ground, vehicle) = open() else { return }
        seal(bytes, ground.cipher) { raw in
            switch vehicle.receive(raw, now: clock).event {
            case .perform(let id, _, _, _): vehicle.answer(id, .success(CommandReply(accepted: true, message: "done")))
            case .transferred(let transfer):
                guard case .perform(let id, _, _, _) = vehicle.perform(transfer.decoded(), now: clock) else { break }
                vehicle.answer(id, .success(CommandReply(accepted: true, message: "done")))
            case .ask(let id, let question, _):
                let answer: SurveyAnswer =
                    switch question {
                    case .flightEnvelope: .flightEnvelope(FlightEnvelope(limits: .medium))
                    case .maps: .maps([AvailableMap(topic: "/map")])
                    // Too large for a frame, so it is sent as a transfer.
                    case .map: .map([UInt8](repeating: 1, count: 20_000))
                    case .control: .control(CommandReply(accepted: true, message: "yours"))
                    case .world(let known):
                        .world(
                            VehicleWorld(path: "/w.yaml", .document(.file, Array("safety_area".utf8))).without(
                                known: known))
                    }
                vehicle.answer(question: id, QuestionAnswer(id: id, result: .success(answer)).payload)
            case .nothing, .opened, .steer, .watch, .ended: break
            }
            vehicle.tell(ControlStatus(lastEndReason: "given back"))
            // Gives a requested trace something to send.
            vehicle.note(.seen(.init(sequence: 1, at: clock)))
        }
        let buffer = FrameBuffer()
        for step in 0..<64 {
            let now = clock + .milliseconds(Int64(step))
            _ = vehicle.tick(now: now)
            _ = vehicle.nextDeadline(telemetry: Telemetry(vehicle: "uav1"), hasMessages: true)
            _ = vehicle.nextFrame(
                into: buffer.bytes, now: now, telemetry: Telemetry(vehicle: "uav1"), messages: MessageLog())
        }
    }

    /// Feeds sealed payloads to the ground's end, and then runs what it would send.
    public static func payloadToGround(_ bytes: [UInt8]) {
        guard let (ground, vehicle) = open(), let cipher = vehicle.cipher else { return }
        ground.trace = GroundTrace(clock: SystemMonotonicClock(), session: 1, watchesSetpoints: false)
        do throws(LinkError) {
            _ = try ground.begin(Command.takeoff, deadline: clock + .seconds(1), now: clock)
            for question in [
                SurveyQuestion.flightEnvelope, .maps, .map(MapRequest(topic: "/map")), .control(.take(name: "anna")),
                .world(known: 1),
            ] {
                _ = try ground.begin(question, deadline: clock + .seconds(1), now: clock)
            }
            let points = Array(repeating: Trajectory.Point(position: .zero, headingRadians: 0), count: 200)
            _ = try ground.begin(
                .uploadTrajectory(Trajectory(frame: .worldOrigin, points: points, timeStepSeconds: 0.2)),
                deadline: clock + .seconds(1), now: clock)
        } catch { return }
        let buffer = FrameBuffer()
        for _ in 0..<16 { _ = ground.nextFrame(into: buffer.bytes, now: clock) }
        seal(bytes, cipher) { raw in
            guard case .informed(_, let payload) = ground.receive(raw, now: clock) else { return }
            _ = try? EncodedPayload.read(payload) { reader throws(WireError) in
                guard try reader.integer(UInt8.self) == FrameKind.questionAnswer.rawValue else { throw .invalid }
                return try QuestionAnswer(&reader)
            }
        }
        for step in 0..<64 {
            let now = clock + .milliseconds(Int64(step))
            _ = ground.nextDeadline(now: now)
            _ = ground.expired(now: now)
            _ = ground.nextFrame(into: buffer.bytes, now: now)
        }
    }

    /// Feeds bytes of a TCP stream in two reads, split at the position given by the first byte; no frame may exceed the limit.
    public static func stream(_ bytes: [UInt8]) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return }
        defer { for end in ends { close(end) } }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let stream = bytes.dropFirst()
        let cut = Int(bytes.first ?? 0) * 4
        let framing = StreamFraming()
        do throws(StreamFraming.Failure) {
            for part in [stream.prefix(cut), stream.dropFirst(cut)] where !part.isEmpty {
                let sent = part.withUnsafeBytes { send(ends[0], $0.baseAddress, $0.count, 0) }
                guard sent == part.count else { return }
                while try framing.fill(from: ends[1]) {
                    while let frame = try framing.nextFrame() {
                        precondition(frame.count <= ChannelLimits.frame, "a frame of \(frame.count) bytes")
                        _ = try? FrameHeader(UnsafeRawBufferPointer(frame))
                    }
                }
            }
        } catch { return }
    }

    /// Parses a ticket's line; a parsed ticket must be written back as the same line.
    public static func ticket(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? ChannelTicket.find(in: text)
        guard let ticket = try? ChannelTicket(line: text) else { return }
        let again = try? ChannelTicket(line: ticket.line)
        precondition(again?.unwipedLine == ticket.unwipedLine, "a ticket is not read back")
        _ = ticket.description
    }

    private static func open() -> (ground: GroundSession, vehicle: VehicleSession)? {
        guard let (ground, vehicle) = ends() else { return nil }
        let buffer = FrameBuffer()
        for _ in 0..<4 {
            while case let length = ground.nextFrame(into: buffer.bytes, now: clock), length > 0 {
                _ = vehicle.receive(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<length]), now: clock)
            }
            while case let length = vehicle.nextFrame(
                into: buffer.bytes, now: clock, telemetry: nil, messages: MessageLog()), length > 0
            {
                _ = ground.receive(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<length]), now: clock)
            }
        }
        return (ground, vehicle)
    }

    /// Splits the bytes into payloads, each preceded by its length in a byte (times five), and seals them as the peer would.
    private static func seal(
        _ bytes: [UInt8], _ cipher: FrameCipher, _ take: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let buffer = FrameBuffer()
        var rest = bytes[...]
        while let length = rest.first {
            let payload = Array(rest.dropFirst().prefix(Int(length) * 5))
            rest = rest.dropFirst(1 + payload.count)
            let sealed = cipher.seal(into: buffer.bytes) { writer in payload.withUnsafeBytes { writer.put(raw: $0) } }
            if sealed > 0 { take(UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<sealed])) }
        }
    }
}

extension VehicleSession.Received {
    fileprivate var isOpening: Bool { if case .opened = event { true } else { false } }
}
