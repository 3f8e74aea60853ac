package import UAVLink

/// The vehicle's messages, numbered so that every ground gets each of them once.
package struct MessageLog {
    package private(set) var newest: UInt64 = 0
    /// The newest messages, oldest first; the last one's number is ``newest``.
    private(set) var messages: [Sample<VehicleMessage>] = []

    package init() {}

    /// Updates from the vehicle side's present list: messages added at its end get the next numbers.
    package mutating func update(_ list: [Sample<VehicleMessage>]) {
        guard list != messages else { return }
        var known = min(messages.count, list.count)
        while known > 0, !messages.suffix(known).elementsEqual(list.prefix(known)) { known -= 1 }
        newest += UInt64(list.count - known)
        messages = list
    }

    /// Whether there are messages after that number.
    func hasUpdate(after seen: UInt64) -> Bool { newest > seen }

    /// Writes the messages after that number, oldest first, as many as fit.
    func write(after seen: UInt64, sent: MonotonicTime, _ writer: inout WireWriter) {
        writer.put(FrameKind.messages)
        writer.put(sent.nanoseconds)
        for (index, message) in messages.enumerated() {
            let serial = newest - UInt64(messages.count - 1 - index)
            guard serial > seen else { continue }
            guard writer.remaining >= 15 + WireWriter.cut(message.value.text, limit: ChannelLimits.message) else {
                break
            }
            writer.put(serial)
            writer.put(age: message.at, sent)
            writer.put(message.value.severity.rawValue)
            writer.put(text: message.value.text, limit: ChannelLimits.message)
        }
    }

    /// Appends the new messages to the telemetry and advances `seen`.
    static func read(
        _ reader: inout WireReader, into telemetry: inout Telemetry, seen: inout UInt64, local: (Int64) -> MonotonicTime
    ) throws(WireError) {
        let sent = local(try reader.integer())
        var read: [(UInt64, Sample<VehicleMessage>)] = []
        while reader.remaining > 0 {
            let serial = try reader.integer(UInt64.self)
            let at = try reader.instant(sent)
            guard let severity = VehicleMessage.Severity(rawValue: try reader.integer()) else { throw .invalid }
            let text = try reader.text(limit: ChannelLimits.message)
            read.append((serial, Sample(VehicleMessage(severity: severity, text: text), at: at)))
        }
        for (serial, message) in read where serial > seen {
            telemetry.append(message)
            seen = serial
        }
    }
}
