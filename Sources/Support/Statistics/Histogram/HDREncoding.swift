internal import CZlib
internal import ReportKit

/// The V2 encoding of HdrHistogram, which its tools read: counts as zigzag LEB128 with runs of zeros, deflated, in
/// base64.
extension HDRHistogram {
    /// The V2 bytes before compression. All numbers but the counts are big-endian.
    func encoded() -> [UInt8] {
        var payload: [UInt8] = []
        let last = counts.lastIndex { $0 != 0 } ?? 0
        var index = 0
        while index <= last {
            if counts[index] != 0 {
                Self.append(counts[index], to: &payload)
                index += 1
                continue
            }
            var zeros = 0
            while index <= last, counts[index] == 0 {
                zeros += 1
                index += 1
            }
            if zeros > 0 { Self.append(-Int64(zeros), to: &payload) }
        }
        var bytes: [UInt8] = []
        Self.append(Self.cookieV2, to: &bytes)
        Self.append(UInt32(payload.count), to: &bytes)
        Self.append(UInt32(0), to: &bytes)
        Self.append(UInt32(Self.significantDigits), to: &bytes)
        Self.append(UInt64(1), to: &bytes)
        Self.append(UInt64(bitPattern: greatest), to: &bytes)
        Self.append((1.0).bitPattern, to: &bytes)
        return bytes + payload
    }

    /// One word of base64, as in `.hdr` files.
    public func compressed() -> String {
        let plain = encoded()
        var size = compressBound(UInt(plain.count))
        var deflated = [UInt8](repeating: 0, count: Int(size))
        // It cannot fail: the buffer has the size that zlib asks for.
        _ = compress2(&deflated, &size, plain, UInt(plain.count), Z_DEFAULT_COMPRESSION)
        deflated.removeLast(deflated.count - Int(size))
        var bytes: [UInt8] = []
        Self.append(Self.cookieCompressedV2, to: &bytes)
        Self.append(UInt32(deflated.count), to: &bytes)
        return Base64.encode(bytes + deflated)
    }

    static let cookieV2: UInt32 = 0x1C84_9303 | 0x10
    static let cookieCompressedV2: UInt32 = 0x1C84_9304 | 0x10

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// Zigzag LEB128 of at most nine bytes; the last byte has all eight bits.
    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        for _ in 0..<8 {
            guard rest >= 0x80 else { break }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
