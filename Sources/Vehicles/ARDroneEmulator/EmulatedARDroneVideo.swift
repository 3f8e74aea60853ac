/// The camera of the emulated drone: frames of an H.264 stream with nothing in them that could be shown, each behind its header.
struct EmulatedARDroneVideo {
    /// The time from one frame to the next, seconds.
    static let period = 1.0 / 30
    /// Every so many frames is one that can be decoded by itself.
    private static let keyEvery = 15
    private static let headerBytes = 68

    private var number: UInt32
    private var due: Double

    /// A camera that has run for a moment: whoever connects does not begin with a key frame.
    init(now: Double) { (number, due) = (1, now) }

    /// The frame that is due; `nil` if none is. What was missed is not made up for.
    mutating func frame(now: Double) -> [UInt8]? {
        guard now >= due else { return nil }
        due = max(due + Self.period, now)
        defer { number &+= 1 }
        return Self.frame(number)
    }

    private static func frame(_ number: UInt32) -> [UInt8] {
        let isKey = number.isMultiple(of: UInt32(keyEvery))
        let sets: [[UInt8]] = isKey ? [[0x67, 0x42, 0x80, 0x1E, 0x8D], [0x68, 0xCE, 0x02, 0x78]] : []
        let slice: [UInt8] = [isKey ? 0x65 : 0x41] + [UInt8](repeating: 0x55, count: isKey ? 6000 : 1500)
        let payload = (sets + [slice]).flatMap { (unit: [UInt8]) -> [UInt8] in [0, 0, 0, 1] + unit }
        var header = EmulatedOption(bytes: [UInt8](repeating: 0, count: headerBytes))
        for (offset, letter) in "PaVE".utf8.enumerated() { header.put(letter, at: offset) }
        header.put(UInt8(3), at: 4)
        header.put(UInt8(4), at: 5)
        header.put(UInt16(headerBytes), at: 6)
        header.put(UInt32(clamping: payload.count), at: 8)
        for (offset, size) in [640, 368, 640, 360].enumerated() { header.put(UInt16(size), at: 12 + 2 * offset) }
        header.put(number, at: 20)
        header.put(UInt32(truncatingIfNeeded: UInt64(number) * 1000 / 30), at: 24)
        header.put(UInt8(1), at: 28)
        header.put(UInt8(isKey ? 1 : 3), at: 30)
        return header.bytes + payload
    }
}
