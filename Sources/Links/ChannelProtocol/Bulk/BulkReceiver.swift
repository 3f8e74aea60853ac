internal import UAVLink

/// Acknowledges the fragments of a transfer that were received.
struct FragmentsReceived: Equatable {
    var id: UInt64
    /// The first missing fragment.
    var next: Int
    /// Which fragments from ``next`` on were received; bit 0 is never set.
    var bits = BulkBits()

    func write(_ writer: inout WireWriter) {
        writer.put(FrameKind.fragmentReceived)
        writer.put(id)
        writer.put(UInt32(truncatingIfNeeded: next))
        for index in 0..<4 { writer.put(bits.word(index)) }
    }

    init(id: UInt64, next: Int) {
        self.id = id
        self.next = next
    }

    init(_ reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        next = Int(try reader.integer(UInt32.self))
        for index in 0..<4 { bits.setWord(index, try reader.integer()) }
        try reader.end()
    }
}

/// One fragment of a transfer.
struct Fragment {
    let id: UInt64
    let total: Int
    let index: Int
    let data: UnsafeRawBufferPointer

    init(_ reader: inout WireReader) throws(WireError) {
        id = try reader.integer()
        total = Int(try reader.integer(UInt32.self))
        index = Int(try reader.integer(UInt32.self))
        guard id > 0, total > 0 else { throw .invalid }
        let start = index * ChannelLimits.fragment
        guard start < total else { throw .invalid }
        guard reader.remaining == min(ChannelLimits.fragment, total - start) else { throw .invalid }
        data = try reader.raw(reader.remaining)
    }
}

/// Why a transfer is refused.
enum TransferRefusal: UInt8 {
    /// Larger than ``ChannelLimits/bulk``.
    case tooLarge = 1
    /// Other transfers use up the total limit.
    case memoryLimitReached = 2
    /// No call waits for it any longer.
    case unwanted = 3

    /// Writes the refusal of a transfer.
    func write(of id: UInt64, _ writer: inout WireWriter) {
        writer.put(FrameKind.fragmentRefused)
        writer.put(id)
        writer.put(rawValue)
    }

    /// Reads a refusal, and which transfer it is about.
    static func read(_ reader: inout WireReader) throws(WireError) -> (id: UInt64, reason: TransferRefusal) {
        let id = try reader.integer(UInt64.self)
        guard let reason = TransferRefusal(rawValue: try reader.integer()) else { throw .invalid }
        try reader.end()
        return (id, reason)
    }
}

/// Reassembles one transfer; its memory grows only with the data received.
struct BulkReceiver {
    private(set) var state: FragmentsReceived
    private(set) var bytes: [UInt8] = []
    private let total: Int
    private var count: Int { (total + ChannelLimits.fragment - 1) / ChannelLimits.fragment }

    init(_ first: Fragment) {
        state = FragmentsReceived(id: first.id, next: 0)
        total = first.total
    }

    var isDone: Bool { state.next >= count }

    /// The share received without a gap, 0 to 1.
    var fraction: Double { Double(state.next) / Double(count) }

    /// Stores a fragment; one with another total size, or outside the window, is ignored.
    mutating func take(_ fragment: Fragment) {
        let ahead = fragment.index - state.next
        guard fragment.id == state.id, fragment.total == total, ahead >= 0, ahead < ChannelLimits.fragmentsInFlight,
            !state.bits[ahead]
        else { return }
        let start = fragment.index * ChannelLimits.fragment
        let end = start + fragment.data.count
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        bytes.withUnsafeMutableBytes { $0[start..<end].copyBytes(from: fragment.data) }
        state.bits[ahead] = true
        while state.bits[0] {
            state.bits.shift()
            state.next += 1
        }
    }

    /// Frees the memory once the transfer has been read.
    mutating func freeBytes() { bytes = [] }
}
