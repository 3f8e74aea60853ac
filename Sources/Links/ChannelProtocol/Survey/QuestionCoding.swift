package import UAVLink

/// A question on the wire. It shares the ids of commands, and like them is resent, acknowledged and answered once.
struct QuestionRequest: Equatable {
    package var id: UInt64
    /// The companion must not start it after this, nanoseconds on the ground's clock.
    var deadline: Int64
    var remainingMicroseconds: UInt32
    var question: SurveyQuestion

    private enum Code: UInt8 {
        case flightEnvelope = 1
        case maps = 2
        case map = 3
        case control = 4
        case world = 5
    }

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.question)
        writer.put(id)
        writer.put(deadline)
        writer.put(remainingMicroseconds)
        switch question {
        case .flightEnvelope: writer.put(Code.flightEnvelope.rawValue)
        case .maps: writer.put(Code.maps.rawValue)
        case .map(let request):
            writer.put(Code.map.rawValue)
            writer.put(text: request.topic, limit: ChannelLimits.topic)
            writer.put(request.spacingMetres)
            writer.put(UInt32(clamping: request.maximumPoints))
        case .control(let request):
            writer.put(Code.control.rawValue)
            request.write(&writer)
        case .world(let known):
            writer.put(Code.world.rawValue)
            writer.put(known)
        }
    }

    init(id: UInt64, deadline: Int64, remainingMicroseconds: UInt32, question: SurveyQuestion) {
        self.id = id
        self.deadline = deadline
        self.remainingMicroseconds = remainingMicroseconds
        self.question = question
    }

    init(_ reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        guard id > 0 else { throw .invalid }
        deadline = try reader.integer()
        remainingMicroseconds = try reader.integer()
        guard let code = Code(rawValue: try reader.integer()) else { throw .invalid }
        switch code {
        case .flightEnvelope: question = .flightEnvelope
        case .maps: question = .maps
        case .map:
            let topic = try reader.text(limit: ChannelLimits.topic)
            let spacing = try reader.finite()
            question = .map(
                MapRequest(
                    topic: topic, spacingMetres: spacing, maximumPoints: Int(try reader.integer(UInt32.self))))
        case .control: question = .control(try ControlAuthorityRequest(&reader))
        case .world: question = .world(known: try reader.integer())
        }
        try reader.end()
    }
}

/// The answer to a question, or why there is none.
package struct QuestionAnswer: Equatable {
    package var id: UInt64
    package var result: Result<SurveyAnswer, LinkError>

    private enum Code: UInt8 {
        case flightEnvelope = 1
        case maps = 2
        case map = 3
        case control = 4
        case world = 5
    }

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.questionAnswer)
        writer.put(id)
        switch result {
        case .success(let answer):
            writer.put(0 as UInt8)
            Self.write(answer, &writer)
        case .failure(let error): CommandAnswer.write(error, &writer)
        }
    }

    private static func write(_ answer: SurveyAnswer, _ writer: inout WireWriter) {
        switch answer {
        case .flightEnvelope(let envelope):
            writer.put(Code.flightEnvelope.rawValue)
            envelope.write(&writer)
        case .maps(let maps):
            writer.put(Code.maps.rawValue)
            let listed = maps.prefix(AvailableMap.maximumAvailableMaps)
            writer.put(UInt16(truncatingIfNeeded: listed.count))
            for map in listed {
                writer.put(text: map.topic, limit: ChannelLimits.topic)
                writer.put(text: map.frame.name, limit: ChannelLimits.name)
                writer.put(map.points != nil)
                writer.put(UInt32(clamping: map.points ?? 0))
            }
        case .map(let bytes):
            writer.put(Code.map.rawValue)
            bytes.withUnsafeBytes { writer.put(raw: $0) }
        case .control(let reply):
            writer.put(Code.control.rawValue)
            writer.put(reply.accepted)
            writer.put(text: reply.message, limit: ChannelLimits.message)
        case .world(let world):
            writer.put(Code.world.rawValue)
            world.write(&writer)
        }
    }

    /// An upper bound of the encoded size.
    var largestSize: Int {
        switch result {
        case .success(.map(let bytes)): 64 + bytes.count
        case .success(.maps(let maps)):
            64 + min(maps.count, AvailableMap.maximumAvailableMaps) * (ChannelLimits.topic + ChannelLimits.name + 16)
        case .success(.flightEnvelope): 256
        case .success(.control): 32 + ChannelLimits.message
        case .success(.world(let world)): 32 + world.largestSize
        case .failure: 32 + 2 * ChannelLimits.message
        }
    }

    /// The encoded payload.
    package var payload: [UInt8] { EncodedPayload.bytes(capacity: largestSize) { write(&$0) } }

    package init(id: UInt64, result: Result<SurveyAnswer, LinkError>) {
        self.id = id
        self.result = result
    }

    package init(_ reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        let status = try reader.integer(UInt8.self)
        guard status == 0 else {
            result = .failure(try CommandAnswer.error(status, &reader))
            try reader.end()
            return
        }
        guard let code = Code(rawValue: try reader.integer()) else { throw .invalid }
        switch code {
        case .flightEnvelope: result = .success(.flightEnvelope(try FlightEnvelope(&reader)))
        case .maps:
            let count = Int(try reader.integer(UInt16.self))
            guard count <= AvailableMap.maximumAvailableMaps else { throw .invalid }
            var maps: [AvailableMap] = []
            for _ in 0..<count {
                let topic = try reader.text(limit: ChannelLimits.topic)
                let frame = FrameName(try reader.text(limit: ChannelLimits.name))
                let isCounted = try reader.flag()
                let points = Int(try reader.integer(UInt32.self))
                maps.append(AvailableMap(topic: topic, frame: frame, points: isCounted ? points : nil))
            }
            result = .success(.maps(maps))
        case .map: result = .success(.map(Array(try reader.raw(reader.remaining))))
        case .control:
            let isGranted = try reader.flag()
            let message = try reader.text(limit: ChannelLimits.message)
            result = .success(.control(CommandReply(accepted: isGranted, message: message)))
        case .world: result = .success(.world(try VehicleWorld(&reader)))
        }
        try reader.end()
    }
}

extension FlightEnvelope {
    fileprivate func write(_ writer: inout WireWriter) {
        writer.put((limits == nil ? 0 : 1) as UInt8 | (worldOrigin == nil ? 0 : 2))
        if let limits {
            for part in [limits.horizontal, limits.ascending, limits.descending, limits.heading] {
                writer.put(part.speed)
                writer.put(part.acceleration)
                writer.put(part.jerk)
            }
        }
        if let origin = worldOrigin {
            writer.put(origin.latitudeDegrees)
            writer.put(origin.longitudeDegrees)
            writer.put(origin.altitudeMetres)
            writer.put(origin.source.rawValue)
        }
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let parts = try reader.integer(UInt8.self)
        guard parts & ~3 == 0 else { throw .invalid }
        self.init()
        if parts & 1 != 0 {
            limits = MotionLimits(
                horizontal: try Self.part(&reader), ascending: try Self.part(&reader),
                descending: try Self.part(&reader), heading: try Self.part(&reader))
        }
        if parts & 2 != 0 {
            let (latitude, longitude) = (try reader.finite(), try reader.finite())
            let altitude = try reader.finite()
            guard (-90...90).contains(latitude), (-180...180).contains(longitude),
                let source = WorldOrigin.Source(rawValue: try reader.integer())
            else { throw .invalid }
            worldOrigin = WorldOrigin(
                latitudeDegrees: latitude, longitudeDegrees: longitude, altitudeMetres: altitude, source: source)
        }
    }

    private static func part(_ reader: inout WireReader) throws(WireError) -> MotionLimits.Limits {
        let part = MotionLimits.Limits(
            speed: try reader.finite(), acceleration: try reader.finite(), jerk: try reader.finite())
        guard part.speed > 0, part.acceleration > 0, part.jerk > 0 else { throw .invalid }
        return part
    }
}
