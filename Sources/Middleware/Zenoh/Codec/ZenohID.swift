/// The identity of a Zenoh node: 1 to 16 bytes.
public struct ZenohID: Hashable, Sendable, CustomStringConvertible {
    private let low: UInt64
    private let high: UInt64
    /// The number of bytes, 1 to 16.
    public let count: Int

    /// The most bytes of an identity.
    public static let maximumCount = 16

    /// Creates an identity; `nil` unless there are 1 to 16 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard (1...Self.maximumCount).contains(bytes.count) else { return nil }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for (place, byte) in bytes.enumerated() {
            if place < 8 {
                low |= UInt64(byte) << UInt64(8 * place)
            } else {
                high |= UInt64(byte) << UInt64(8 * place - 64)
            }
        }
        self.low = low
        self.high = high
        count = bytes.count
    }

    /// Creates an identity of 16 random bytes.
    public init(using generator: inout some RandomNumberGenerator) {
        low = generator.next()
        // Zenoh's text form has no leading zeros: a last byte of 0 would shorten it.
        high = generator.next() | 1 << 63
        count = Self.maximumCount
    }

    /// The bytes in the order of the wire.
    public var bytes: [UInt8] { (0..<count).map { self[$0] } }

    /// The byte at a place below ``count``.
    subscript(place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: place < 8 ? low >> UInt64(8 * place) : high >> UInt64(8 * place - 64))
    }

    /// Zenoh's own notation: hexadecimal digits, the last byte of the wire first, without leading zeros.
    public var description: String {
        let digits = bytes.reversed().map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let significant = digits.drop { $0 == "0" }
        return significant.isEmpty ? "0" : String(significant)
    }
}
