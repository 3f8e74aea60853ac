/// Times and counters, with the same layout in both directions; counters that an end does not keep are 0.
struct Heartbeat: Equatable {
    /// Whether to answer at once, for the exchange of four timestamps: set by the ground, not by the companion.
    var wantsReply = false
    /// When this was sent, nanoseconds on the sender's clock.
    var sent: Int64 = 0
    /// The peer's newest heartbeat: its `sent`, and when it was received on the sender's clock.
    var echo: Echo?
    /// The highest sequence number received from the peer.
    var highestReceived: UInt64 = 0
    /// Authenticated frames received from the peer.
    var framesReceived: UInt64 = 0
    var setpoints = SetpointCounts()
    /// The number of the vehicle's newest message that the ground has without a gap.
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

/// What happened to the setpoints that reached the companion.
package struct SetpointCounts: Equatable, Hashable {
    /// Forwarded to the vehicle.
    package var applied: UInt64 = 0
    /// Expired, or their age could not be bounded by their validity.
    package var stale: UInt64 = 0
    /// Received twice, or after a newer setpoint or a later command.
    package var superseded: UInt64 = 0
    /// Refused by the companion's handler.
    package var refused: UInt64 = 0

    package init(applied: UInt64 = 0, stale: UInt64 = 0, superseded: UInt64 = 0, refused: UInt64 = 0) {
        self.applied = applied
        self.stale = stale
        self.superseded = superseded
        self.refused = refused
    }
}
