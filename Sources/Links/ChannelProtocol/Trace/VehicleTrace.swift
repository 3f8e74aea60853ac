#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The companion's end of a trace: a ring of records, sent in batches and resent until the ground has them. All memory is
/// allocated when a trace begins; when the ground does not fetch its records, the oldest are overwritten.
struct VehicleTrace {
    private var ring: [TraceRecord]
    private let firstNumber: UInt64
    private var oldest: UInt64
    private var next: UInt64
    private var sendNext: UInt64
    /// The first number that was unsent at the last request.
    private var sentByRequest: UInt64
    private var nextSend: MonotonicTime
    private var endsAt: MonotonicTime
    private(set) var watchesSetpoints: Bool
    private(set) var stampsReceipts: Bool
    private(set) var watchesOwn: Bool

    /// Twenty seconds of steering at 100 Hz with telemetry and commands; thirteen with receipts or observations, ten with both.
    static let capacity = 4096

    /// Starts a trace for a ground that requested it.
    ///
    /// A ground that already has records had a trace that lapsed here. Its numbers go on, less one: what happened in between
    /// is lost, and the gap says so.
    init(_ request: TraceRequest, now: MonotonicTime) {
        firstNumber = request.next == 1 ? 1 : request.next + 1
        (oldest, next, sendNext, sentByRequest) = (firstNumber, firstNumber, firstNumber, firstNumber)
        ring = []
        ring.reserveCapacity(Self.capacity)
        nextSend = now
        endsAt = now + ChannelTimes.traceLife
        watchesSetpoints = request.watchesSetpoints
        (stampsReceipts, watchesOwn) = (request.stampsReceipts, request.watchesOwn)
    }

    /// Whether the ground asks for a number that this trace has not reached: it has records of one that lapsed.
    func isBehind(_ request: TraceRequest) -> Bool { request.next > next }

    /// Whether the ground has not sent a request for too long.
    func isOver(now: MonotonicTime) -> Bool { now > endsAt }

    /// Processes a request. What was sent before the previous request and has still not arrived is lost and resent.
    mutating func take(_ request: TraceRequest, now: MonotonicTime) {
        endsAt = now + ChannelTimes.traceLife
        watchesSetpoints = request.watchesSetpoints
        (stampsReceipts, watchesOwn) = (request.stampsReceipts, request.watchesOwn)
        if request.next < sentByRequest { sendNext = min(sendNext, max(request.next, oldest)) }
        sentByRequest = sendNext
    }

    /// Adds a record; never allocates.
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

    private func index(_ number: UInt64) -> Int { Int((number - firstNumber) % UInt64(Self.capacity)) }

    private static let mostAtOnce = UInt64((ChannelLimits.payload - TraceBatch.headSize) / TraceRecord.largestSize)

    /// When a batch is due; `nil` while there are no unsent records.
    var nextDeadline: MonotonicTime? { sendNext < next ? nextSend : nil }

    /// The next batch when it is due: a few times per second, at shorter intervals during a backlog.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, cipher: FrameCipher,
        wall: Int64 = Self.wallClock
    ) -> Int {
        guard sendNext < next, nextSend <= now else { return 0 }
        let end = min(next, sendNext + Self.mostAtOnce)
        // A backlog is sent one frame per interval, so that it does not delay other frames.
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
