internal import UAVLink

/// Requests or ends a trace, and acknowledges received records.
struct TraceRequest: Equatable {
    /// Whether records are wanted; otherwise the trace ends.
    var isWanted = true
    /// Whether velocity references of other nodes are wanted too.
    var watchesSetpoints = false
    /// Whether the kernel's receipts of frames are wanted too. An older companion refuses such a request.
    var stampsReceipts = false
    /// Whether it is wanted too when the companion's own subscriber has read the setpoints of this session. An older companion
    /// refuses such a request.
    var watchesOwn = false
    /// The number of the first record that the ground does not have.
    var next: UInt64 = 1

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.traceRequest)
        writer.put(
            (isWanted ? 1 : 0) as UInt8 | (watchesSetpoints ? 2 : 0) | (stampsReceipts ? 4 : 0) | (watchesOwn ? 8 : 0))
        writer.put(next)
    }

    init(
        isWanted: Bool = true, watchesSetpoints: Bool = false, stampsReceipts: Bool = false, watchesOwn: Bool = false,
        next: UInt64 = 1
    ) {
        (self.isWanted, self.watchesSetpoints, self.next) = (isWanted, watchesSetpoints, next)
        (self.stampsReceipts, self.watchesOwn) = (stampsReceipts, watchesOwn)
    }

    init(_ reader: inout WireReader) throws(WireError) {
        let flags = try reader.integer(UInt8.self)
        guard flags & ~15 == 0 else { throw .invalid }
        (isWanted, watchesSetpoints) = (flags & 1 != 0, flags & 2 != 0)
        (stampsReceipts, watchesOwn) = (flags & 4 != 0, flags & 8 != 0)
        next = try reader.integer()
        guard next > 0, next < .max / 2 else { throw .invalid }
        try reader.end()
    }
}

/// A batch of records sent to the ground.
struct TraceBatch: Equatable {
    /// When it was sent, on the companion's clock.
    var sent: Int64
    /// The same instant on the companion's wall clock, nanoseconds since 1970.
    var wall: Int64
    /// The number of the oldest record that the companion still has.
    var oldest: UInt64
    /// The number of the first record of this batch; the others follow without a gap.
    var first: UInt64
    var records: [TraceRecord]

    /// Bytes before the records, the kind byte included.
    static let headSize = 33

    init(sent: Int64, wall: Int64, oldest: UInt64, first: UInt64, records: [TraceRecord]) {
        (self.sent, self.wall, self.oldest, self.first, self.records) = (sent, wall, oldest, first, records)
    }

    init(_ reader: inout WireReader) throws(WireError) {
        sent = try reader.integer()
        wall = try reader.integer()
        oldest = try reader.integer()
        first = try reader.integer()
        guard oldest > 0, first >= oldest, first < .max - UInt64(ChannelLimits.frame) else { throw .invalid }
        records = []
        while reader.remaining > 0 {
            guard let record = try TraceRecord(&reader) else { return }
            records.append(record)
        }
    }
}
