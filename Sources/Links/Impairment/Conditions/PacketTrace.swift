/// When a recorded link could send: a trace in the format of Mahimahi (`mm-link`; Netravali et al., USENIX ATC 2015).
///
/// A line for each opportunity to send 1500 bytes, in order: the millisecond since the beginning. After the last one it begins
/// again. What is not used of an opportunity is lost; a longer packet takes several.
public struct PacketTrace: Hashable, Sendable {
    /// The file, as it was named.
    public let name: String
    /// The milliseconds, ascending; the last one, which is above zero, is the length.
    let milliseconds: [UInt32]

    /// Bytes of an opportunity.
    public static let opportunityBytes = 1500
    /// The largest file that is read, bytes.
    public static let mostBytes = 16 << 20
    /// The longest trace, a day, milliseconds.
    private static let longest: UInt32 = 86_400_000

    /// Reads a trace.
    ///
    /// - Throws: ``ImpairmentError`` that names the line.
    public init(name: String, _ bytes: some Collection<UInt8>) throws(ImpairmentError) {
        guard bytes.count <= Self.mostBytes else {
            throw ImpairmentError(what: "trace: the file has more than \(Self.mostBytes) bytes")
        }
        var (milliseconds, number, digits, line) = ([UInt32](), UInt32(0), 0, 1)
        func wrong(_ what: String) -> ImpairmentError { ImpairmentError(what: "trace: line \(line): \(what)") }
        func end() throws(ImpairmentError) {
            defer { (number, digits, line) = (0, 0, line + 1) }
            guard digits > 0 else { return }
            guard number >= milliseconds.last ?? 0 else { throw wrong("\(number) ms is before the line above it") }
            milliseconds.append(number)
        }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): try end()
            case 0x0D: continue
            case 0x30...0x39:
                number = number * 10 + UInt32(byte - 0x30)
                digits += 1
                guard number <= Self.longest else { throw wrong("later than a day") }
            default: throw wrong("not a whole number of milliseconds")
            }
        }
        try end()
        guard let last = milliseconds.last, last > 0 else {
            throw ImpairmentError(what: "trace: nothing is ever sent: it takes a line with a millisecond above 0")
        }
        (self.name, self.milliseconds) = (name, milliseconds)
    }

    /// Bits per second on average.
    public var bitsPerSecond: Double {
        Double(milliseconds.count * Self.opportunityBytes * 8) / (Double(milliseconds.last ?? 1) / 1000)
    }

    /// By its name and length: what is equal has the same.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(milliseconds.count)
    }

    /// When an opportunity is, by its number over all repetitions, milliseconds.
    func time(_ number: Int64) -> Int64 {
        let (count, length) = (Int64(milliseconds.count), Int64(milliseconds.last ?? 1))
        return number / count * length + Int64(milliseconds[Int(truncatingIfNeeded: number % count)])
    }

    /// The number of the first opportunity that is not before a millisecond.
    func first(from millisecond: Int64) -> Int64 {
        let (count, length) = (Int64(milliseconds.count), Int64(milliseconds.last ?? 1))
        // The end of one repetition is the beginning of the next: both have their opportunities.
        let round = max(0, (millisecond - 1) / length)
        let within = millisecond - round * length
        var (low, high) = (0, milliseconds.count)
        while low < high {
            let middle = (low + high) / 2
            if Int64(milliseconds[middle]) >= within { high = middle } else { low = middle + 1 }
        }
        return round * count + Int64(low)
    }
}

/// The line of a trace: when packets leave it, and how many wait.
struct TraceLine: Sendable {
    /// The opportunity that was used last, and what is left of it.
    private var used: (number: Int64, left: Int)?
    /// Packets that may not have left yet: when they do, milliseconds, and their bytes.
    private var waiting: [(leaves: Int64, bytes: Int)] = []
    private var bytesWaiting = 0

    /// When the last bit of a packet has left the line; `nil` if the queue has no room for it. Milliseconds.
    mutating func pass(_ bytes: Int, at now: Int64, over trace: PacketTrace, queueBytes: Int) -> Int64? {
        let gone = waiting.firstIndex { $0.leaves > now } ?? waiting.count
        for packet in waiting[..<gone] { bytesWaiting -= packet.bytes }
        waiting.removeSubrange(..<gone)
        guard bytesWaiting + bytes <= queueBytes else { return nil }
        var (number, left) = used ?? (-1, 0)
        // Only what waits at an opportunity shares it.
        if number < 0 || trace.time(number) < now {
            number = max(number + 1, trace.first(from: now))
            left = PacketTrace.opportunityBytes
        }
        var rest = bytes
        while rest > left {
            rest -= left
            number += 1
            left = PacketTrace.opportunityBytes
        }
        used = (number, left - rest)
        let leaves = trace.time(number)
        waiting.append((leaves, bytes))
        bytesWaiting += bytes
        return leaves
    }
}
