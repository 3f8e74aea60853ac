/// Writes little-endian values into a caller's buffer; a value that does not fit is not written and sets ``overflowed``.
package struct WireWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    /// Bytes written so far.
    private(set) var count = 0
    /// Whether any value did not fit: then the whole output is invalid.
    private(set) var overflowed = false

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - count }

    mutating func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        guard reserve(MemoryLayout<Value>.size) else { return }
        bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    mutating func put(_ value: Double) { put(value.bitPattern) }

    mutating func put(_ value: Bool) { put(value ? 1 : 0 as UInt8) }

    mutating func put(_ kind: FrameKind) { put(kind.rawValue) }

    mutating func put(raw: UnsafeRawBufferPointer) {
        guard reserve(raw.count), let base = bytes.baseAddress else { return }
        if let source = raw.baseAddress, raw.count > 0 {
            (base + count).copyMemory(from: source, byteCount: raw.count)
        }
        count += raw.count
    }

    /// Text preceded by its 16-bit length, truncated to the limit at a character boundary.
    mutating func put(text: String, limit: Int) {
        let length = Self.cut(text, limit: min(limit, Int(UInt16.max)))
        put(UInt16(truncatingIfNeeded: length))
        put(text, prefix: length)
    }

    /// Text preceded by its 32-bit length, truncated to the limit at a character boundary.
    mutating func put(longText text: String, limit: Int) {
        let length = Self.cut(text, limit: limit)
        put(UInt32(truncatingIfNeeded: length))
        put(text, prefix: length)
    }

    /// The length in bytes of the longest UTF-8 prefix within the limit that does not split a Unicode scalar.
    static func cut(_ text: String, limit: Int) -> Int {
        let utf8 = text.utf8
        guard utf8.count > limit else { return utf8.count }
        var index = utf8.index(utf8.startIndex, offsetBy: limit)
        var length = limit
        while length > 0, utf8[index] & 0xC0 == 0x80 {
            index = utf8.index(before: index)
            length -= 1
        }
        return length
    }

    private mutating func put(_ text: String, prefix length: Int) {
        guard reserve(length) else { return }
        let start = count
        let fast: Void? = text.utf8.withContiguousStorageIfAvailable { utf8 in
            put(raw: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(utf8)[..<length]))
        }
        guard fast == nil else { return }
        count = start
        for byte in text.utf8.prefix(length) { put(byte) }
    }

    private mutating func reserve(_ size: Int) -> Bool {
        guard !overflowed, size <= bytes.count - count else {
            overflowed = true
            return false
        }
        return true
    }
}
