#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The companion's end of a trace: records in a ring that a ground which asks for them gets in batches, again until it has
/// them. All memory is taken when a trace begins; a ground that does not take its records loses the oldest.
struct VehicleTrace {
    private var ring: [TraceRecord]
    private var oldest: UInt64 = 1
    private var next: UInt64 = 1
    private var sendNext: UInt64 = 1
    /// What had been sent when the ground was last heard.
    private var sentByRequest: UInt64 = 1
    private var nextSend: MonotonicTime
    private var endsAt: MonotonicTime
    private(set) var watchesSetpoints: Bool

    /// Twenty seconds of steering at 100 Hz with telemetry and commands.
    static let capacity = 4096

    /// A trace for a ground that asked for it.
    init(_ request: TraceRequest, now: MonotonicTime) {
        ring = []
        ring.reserveCapacity(Self.capacity)
        nextSend = now
        endsAt = now + ChannelTimes.traceLife
        watchesSetpoints = request.watchesSetpoints
    }

    /// Whether the ground has not asked for too long.
    func isOver(now: MonotonicTime) -> Bool { now > endsAt }

    /// Takes note of what the ground has. What was sent before the request before this one and has still not arrived is lost.
    mutating func take(_ request: TraceRequest, now: MonotonicTime) {
        endsAt = now + ChannelTimes.traceLife
        watchesSetpoints = request.watchesSetpoints
        if request.next < sentByRequest { sendNext = min(sendNext, max(request.next, oldest)) }
        sentByRequest = sendNext
    }

    /// Notes something; without the heap once the ring is full, and within the memory taken before.
    mutating func add(_ record: TraceRecord) {
        if ring.count < Self.capacity {
            ring.append(record)
        } else {
            ring[index(next)] = record
            oldest += 1
            sendNext = max(sendNext, oldest)
        }
        next += 1
    }

    private func index(_ number: UInt64) -> Int { Int((number - 1) % UInt64(Self.capacity)) }

    private static let mostAtOnce = UInt64((ChannelLimits.payload - TraceBatch.headSize) / TraceRecord.largestSize)

    /// When a batch is due; nothing while there is nothing to tell.
    var nextDeadline: MonotonicTime? { sendNext < next ? nextSend : nil }

    /// The next batch, when it is due: a few times a second, or at once what fills a frame.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, cipher: FrameCipher,
        wall: Int64 = Self.wallClock
    ) -> Int {
        guard sendNext < next, nextSend <= now else { return 0 }
        let end = min(next, sendNext + Self.mostAtOnce)
        // A long backlog goes out a frame in each period, so that it never crowds out anything.
        nextSend = now + (end < next ? ChannelTimes.traceBurst : ChannelTimes.trace)
        let first = sendNext
        sendNext = end
        return cipher.seal(into: buffer) { writer in
            writer.put(FrameKind.trace)
            writer.put(now.nanoseconds)
            writer.put(wall)
            writer.put(oldest)
            writer.put(first)
            for number in first..<end { ring[index(number)].write(&writer) }
        }
    }

    /// Nanoseconds since 1970.
    static var wallClock: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
