internal import UAVLink

/// Sends data larger than a frame in fragments, with selective acknowledgement and a window that shrinks on loss.
struct BulkSender {
    let id: UInt64
    private let bytes: [UInt8]
    let count: Int
    /// The first fragment that the peer does not have.
    private(set) var next = 0
    /// Fragments returned for sending at least once.
    private var handedOut = 0
    private var acknowledged: BulkBits = BulkBits()
    /// When each fragment of the window was last sent.
    private var sentAt: [Int64]
    private var window = 32.0
    private var lastCut = Self.distantPast
    private var burst = 0
    private var burstAt = Self.distantPast
    /// Earlier than any real time, yet a difference from it does not overflow.
    private static let distantPast = Int64.min / 2

    /// `nil` when there is nothing to send or it exceeds ``ChannelLimits/bulk``.
    init?(id: UInt64, bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= ChannelLimits.bulk else { return nil }
        self.id = id
        self.bytes = bytes
        count = (bytes.count + ChannelLimits.fragment - 1) / ChannelLimits.fragment
        sentAt = [Int64](repeating: Self.distantPast, count: ChannelLimits.fragmentsInFlight)
    }

    var isDone: Bool { next >= count }

    /// The share that the peer has without a gap, 0 to 1.
    var fraction: Double { Double(next) / Double(count) }

    /// The fragment to send now, if any: fragments presumed lost first, then new ones.
    mutating func fragment(now: MonotonicTime, resendAfter: Duration?) -> Int? {
        let now = now.nanoseconds
        if now &- burstAt >= ChannelTimes.bulkInterval.nanoseconds {
            burst = ChannelTimes.bulkBurst
            burstAt = now
        }
        guard burst > 0, let index = choose(now: now, resendAfter: resendAfter?.nanoseconds) else { return nil }
        burst -= 1
        sentAt[index % ChannelLimits.fragmentsInFlight] = now
        handedOut = max(handedOut, index + 1)
        return index
    }

    private mutating func choose(now: Int64, resendAfter: Int64?) -> Int? {
        if let resendAfter {
            for index in next..<handedOut where !acknowledged[index - next] {
                let waited = now &- sentAt[index % ChannelLimits.fragmentsInFlight]
                // A fragment at least two later has arrived: half the wait is enough.
                let isHole = acknowledged.hasAny(after: index - next + 2)
                guard waited >= (isHole ? resendAfter / 2 : resendAfter) else { continue }
                if now &- lastCut > resendAfter {
                    window = max(4, window / 2)
                    lastCut = now
                }
                return index
            }
        }
        let limit = min(count, next + min(ChannelLimits.fragmentsInFlight, Int(window)))
        return handedOut < limit ? handedOut : nil
    }

    func write(_ index: Int, _ writer: inout WireWriter) {
        let start = index * ChannelLimits.fragment
        let end = min(bytes.count, start + ChannelLimits.fragment)
        guard start < end else { return }
        writer.put(FrameKind.fragment)
        writer.put(id)
        writer.put(UInt32(truncatingIfNeeded: bytes.count))
        writer.put(UInt32(truncatingIfNeeded: index))
        bytes.withUnsafeBytes { writer.put(raw: UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Processes an acknowledgement.
    mutating func acknowledge(_ received: FragmentsReceived) {
        guard received.id == id, received.next >= next, received.next <= handedOut else { return }
        let before = next
        next = received.next
        acknowledged = received.bits
        window = min(Double(ChannelLimits.fragmentsInFlight), window + Double(next - before) / window * 2)
    }

    /// Resends everything in flight after the carrier was renewed.
    mutating func resendAll() {
        for index in sentAt.indices { sentAt[index] = Self.distantPast }
        handedOut = next
    }

    /// When there may be something to send.
    func deadline(resendAfter: Duration?) -> MonotonicTime? {
        guard !isDone else { return nil }
        let limit = min(count, next + min(ChannelLimits.fragmentsInFlight, Int(window)))
        let paced = burstAt &+ ChannelTimes.bulkInterval.nanoseconds
        if handedOut < limit { return MonotonicTime(nanoseconds: burst > 0 ? .min : paced) }
        guard let resendAfter, handedOut > next else { return nil }
        var earliest = Int64.max
        for index in next..<handedOut where !acknowledged[index - next] {
            let isHole = acknowledged.hasAny(after: index - next + 2)
            let wait = isHole ? resendAfter.nanoseconds / 2 : resendAfter.nanoseconds
            earliest = min(earliest, sentAt[index % ChannelLimits.fragmentsInFlight] &+ wait)
        }
        return MonotonicTime(nanoseconds: max(earliest, burst > 0 ? .min : paced))
    }
}

/// 256 bits: which fragments from the first missing one on were received.
struct BulkBits: Equatable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    subscript(_ index: Int) -> Bool {
        get {
            guard (0..<256).contains(index) else { return false }
            return word(index / 64) & (1 << UInt64(index % 64)) != 0
        }
        set {
            guard (0..<256).contains(index) else { return }
            let bit: UInt64 = 1 << UInt64(index % 64)
            let old = word(index / 64)
            setWord(index / 64, newValue ? old | bit : old & ~bit)
        }
    }

    /// Whether any bit at `index` or above is set.
    func hasAny(after index: Int) -> Bool {
        guard index < 256 else { return false }
        let first = max(0, index)
        if word(first / 64) >> UInt64(first % 64) != 0 { return true }
        var next = first / 64 + 1
        while next < 4 {
            if word(next) != 0 { return true }
            next += 1
        }
        return false
    }

    /// Shifts every bit down by one.
    mutating func shift() {
        words.0 = words.0 >> 1 | words.1 << 63
        words.1 = words.1 >> 1 | words.2 << 63
        words.2 = words.2 >> 1 | words.3 << 63
        words.3 >>= 1
    }

    func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
    }

    mutating func setWord(_ index: Int, _ value: UInt64) {
        switch index {
        case 0: words.0 = value
        case 1: words.1 = value
        case 2: words.2 = value
        default: words.3 = value
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.words == right.words }
}
