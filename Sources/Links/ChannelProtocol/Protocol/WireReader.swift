/// Why bytes cannot be decoded.
package enum WireError: Error, Equatable {
    /// The input ends too early.
    case truncated
    /// Bytes remain after the last field.
    case trailing
    /// A length, number or text that is not allowed.
    case invalid
    /// A number that is not finite.
    case notFinite
    /// Text that is not UTF-8.
    case notText
}

/// Reads little-endian values from borrowed bytes; all bounds checks of decoding are here.
package struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }

    package mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        guard remaining >= MemoryLayout<Value>.size else { throw .truncated }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
        offset += MemoryLayout<Value>.size
        return Value(littleEndian: value)
    }

    mutating func finite() throws(WireError) -> Double {
        let value = Double(bitPattern: try integer())
        guard value.isFinite else { throw .notFinite }
        return value
    }

    /// A Boolean: 0 or 1, anything else is invalid.
    mutating func flag() throws(WireError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw .invalid
        }
    }

    mutating func raw(_ count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard count >= 0, remaining >= count else { throw .truncated }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Text preceded by its 16-bit length in bytes.
    mutating func text(limit: Int) throws(WireError) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .invalid }
        return try Self.text(raw(count))
    }

    /// Text preceded by its 32-bit length in bytes.
    mutating func longText(limit: Int) throws(WireError) -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw .invalid }
        return try Self.text(raw(count))
    }

    /// Throws unless all bytes have been read.
    package func end() throws(WireError) {
        guard remaining == 0 else { throw .trailing }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> String {
        // Nearly every text; validating is not specialised in the standard library, and takes longer than the rest of a small
        // message.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }
}
