internal import UAVLink

/// The answer to a command, or why there is none.
struct CommandAnswer: Equatable {
    var id: UInt64
    var result: Result<CommandReply, LinkError>

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.commandAnswer)
        writer.put(id)
        switch result {
        case .success(let reply):
            writer.put(0 as UInt8)
            writer.put((reply.accepted ? 1 : 0) as UInt8 | (reply.trajectoryModified ? 2 : 0))
            writer.put(longText: reply.message, limit: ChannelLimits.answerText)
        case .failure(let error): Self.write(error, &writer)
        }
    }

    /// Writes an error's number and its two texts.
    static func write(_ error: LinkError, _ writer: inout WireWriter) {
        writer.put(number(error.code))
        writer.put(longText: error.what, limit: ChannelLimits.message)
        writer.put(longText: error.hint, limit: ChannelLimits.message)
    }

    /// Reads the rest of an error whose number has been read.
    static func error(_ number: UInt8, _ reader: inout WireReader) throws(WireError) -> LinkError {
        let what = try reader.longText(limit: ChannelLimits.message)
        let hint = try reader.longText(limit: ChannelLimits.message)
        return LinkError(code(number), what, hint: hint)
    }

    /// An upper bound of the encoded size.
    var largestSize: Int {
        guard case .success(let reply) = result else { return 32 + 2 * ChannelLimits.message }
        return 32 + min(reply.message.utf8.count, ChannelLimits.answerText)
    }

    init(id: UInt64, result: Result<CommandReply, LinkError>) {
        self.id = id
        self.result = result
    }

    init(_ reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        let number = try reader.integer(UInt8.self)
        if number == 0 {
            let flags = try reader.integer(UInt8.self)
            guard flags & ~3 == 0 else { throw .invalid }
            let message = try reader.longText(limit: ChannelLimits.answerText)
            result = .success(
                CommandReply(accepted: flags & 1 != 0, message: message, trajectoryModified: flags & 2 != 0))
        } else {
            result = .failure(try Self.error(number, &reader))
        }
        try reader.end()
    }

    /// The numbers of error codes on the wire; an unknown one is read as `internalFault`.
    private static let codes: [(UInt8, LinkError.Code)] = [
        (1, .unreachable), (2, .timedOut), (3, .invalidInput), (4, .notConnected), (5, .closed), (6, .cancelled),
        (7, .protocolViolation), (8, .rosMasterUnreachable), (9, .serviceMissing), (10, .typeMismatch),
        (11, .remoteFailed), (12, .unsupported), (13, .internalFault),
    ]

    private static func number(_ code: LinkError.Code) -> UInt8 { codes.first { $0.1 == code }?.0 ?? 13 }
    private static func code(_ number: UInt8) -> LinkError.Code { codes.first { $0.0 == number }?.1 ?? .internalFault }
}
