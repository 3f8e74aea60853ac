internal import UAVLink

/// The control status on the wire: sent to every ground at once when it changes, and five times per second in case of loss.
enum ControlCoding {
    private enum Flag {
        static let held: UInt8 = 1
        static let yours: UInt8 = 2
        static let steering: UInt8 = 4
        static let known: UInt8 = held | yours | steering
    }

    static func write(_ status: ControlStatus, sent: MonotonicTime, _ writer: inout WireWriter) {
        writer.put(FrameKind.control)
        writer.put(sent.nanoseconds)
        var flags: UInt8 = status.isSteering ? Flag.steering : 0
        if let pilot = status.pilot { flags |= Flag.held | (pilot.isYou ? Flag.yours : 0) }
        writer.put(flags)
        // 64 bits of microseconds: unlike ages of telemetry, this may be hours.
        writer.put(UInt64(max(0, ((status.pilot?.since).map { sent - $0 } ?? .zero).nanoseconds) / 1000))
        writer.put(text: status.pilot?.name ?? "", limit: ControlAuthorityRequest.longestName)
        writer.put(text: status.lastEndReason, limit: ChannelLimits.message)
    }

    /// Reads what ``write(_:sent:_:)`` wrote.
    static func read(
        _ reader: inout WireReader, local: (Int64) -> MonotonicTime
    ) throws(WireError) -> Sample<ControlStatus> {
        let sent = local(try reader.integer())
        let flags = try reader.integer(UInt8.self)
        guard flags & ~Flag.known == 0 else { throw .invalid }
        let held = Int64(clamping: try reader.integer(UInt64.self))
        let name = try reader.text(limit: ControlAuthorityRequest.longestName)
        let ending = try reader.text(limit: ChannelLimits.message)
        try reader.end()
        var pilot: ControlStatus.Pilot?
        if flags & Flag.held != 0 {
            let (nanoseconds, isTooLong) = held.multipliedReportingOverflow(by: 1000)
            guard !isTooLong else { throw .invalid }
            pilot = ControlStatus.Pilot(
                name: name, since: MonotonicTime(nanoseconds: sent.nanoseconds &- nanoseconds),
                isYou: flags & Flag.yours != 0)
        }
        return Sample(
            ControlStatus(pilot: pilot, isSteering: flags & Flag.steering != 0, lastEndReason: ending), at: sent)
    }
}

extension ControlAuthorityRequest {
    private enum Code {
        static let take: UInt8 = 1
        static let takeOver: UInt8 = 2
        static let release: UInt8 = 3
    }

    func write(_ writer: inout WireWriter) {
        switch self {
        case .take(let name): put(Code.take, name, "", &writer)
        case .takeOver(let name, let reason): put(Code.takeOver, name, reason, &writer)
        case .release(let reason): put(Code.release, "", reason, &writer)
        }
    }

    private func put(_ code: UInt8, _ name: String, _ reason: String, _ writer: inout WireWriter) {
        writer.put(code)
        writer.put(text: name, limit: Self.longestName)
        writer.put(text: reason, limit: Self.longestReason)
    }

    init(_ reader: inout WireReader) throws(WireError) {
        let code = try reader.integer(UInt8.self)
        let name = try reader.text(limit: Self.longestName)
        let reason = try reader.text(limit: Self.longestReason)
        switch code {
        case Code.take where reason.isEmpty: self = .take(name: name)
        case Code.takeOver: self = .takeOver(name: name, reason: reason)
        case Code.release where name.isEmpty: self = .release(reason: reason)
        default: throw .invalid
        }
    }
}
