/// Times and counters, the same both ways; what one end does not count is 0.
struct Heartbeat: Equatable {
    /// The four timestamps need an answer at once: the ground asks, the companion does not.
    var wantsReply = false
    /// When this was sent, nanoseconds on the sender's clock.
    var sent: Int64 = 0
    /// The newest heartbeat of the other end: its `sent`, and when it came on the sender's clock.
    var echo: Echo?
    /// The highest sequence number that came from the other end.
    var highestReceived: UInt64 = 0
    /// Frames that came from the other end and opened.
    var framesReceived: UInt64 = 0
    var setpoints = SetpointCounts()
    /// The number of the newest message of the vehicle that the ground has without a gap.
    var messagesSeen: UInt64 = 0

    struct Echo: Equatable {
        var sent: Int64
        var received: Int64
    }

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.heartbeat)
        writer.put((wantsReply ? 1 : 0) as UInt8 | (echo == nil ? 0 : 2))
        writer.put(sent)
        writer.put(echo?.sent ?? 0)
        writer.put(echo?.received ?? 0)
        writer.put(highestReceived)
        writer.put(framesReceived)
        writer.put(setpoints.applied)
        writer.put(setpoints.stale)
        writer.put(setpoints.superseded)
        writer.put(setpoints.refused)
        writer.put(messagesSeen)
    }

    init() {}

    init(_ reader: inout WireReader) throws(WireError) {
        let flags = try reader.integer(UInt8.self)
        guard flags & ~3 == 0 else { throw .invalid }
        wantsReply = flags & 1 != 0
        sent = try reader.integer()
        let echo = Echo(sent: try reader.integer(), received: try reader.integer())
        self.echo = flags & 2 != 0 ? echo : nil
        highestReceived = try reader.integer()
        framesReceived = try reader.integer()
        setpoints.applied = try reader.integer()
        setpoints.stale = try reader.integer()
        setpoints.superseded = try reader.integer()
        setpoints.refused = try reader.integer()
        messagesSeen = try reader.integer()
        try reader.end()
    }
}

/// What became of the setpoints that reached the companion.
struct SetpointCounts: Equatable, Hashable {
    /// Passed on to the vehicle.
    var applied: UInt64 = 0
    /// Too old, or not surely young enough.
    var stale: UInt64 = 0
    /// A newer setpoint or a later command had come before.
    var superseded: UInt64 = 0
    /// The companion had its own reason.
    var refused: UInt64 = 0
}
