/// The type of a number in a binary file or message.
enum ScalarKind: Hashable, Sendable {
    case int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64

    var size: Int {
        switch self {
        case .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float32: 4
        case .int64, .uint64, .float64: 8
        }
    }

    /// Reads the number at an offset; the caller has checked that it lies inside the bytes.
    @inline(__always)
    func load(_ bytes: UnsafeRawBufferPointer, at offset: Int, isBigEndian: Bool) -> Double {
        switch self {
        case .int8: Double(bytes.loadUnaligned(fromByteOffset: offset, as: Int8.self))
        case .uint8: Double(bytes.loadUnaligned(fromByteOffset: offset, as: UInt8.self))
        case .int16: Double(Self.integer(bytes, offset, isBigEndian, Int16.self))
        case .uint16: Double(Self.integer(bytes, offset, isBigEndian, UInt16.self))
        case .int32: Double(Self.integer(bytes, offset, isBigEndian, Int32.self))
        case .uint32: Double(Self.integer(bytes, offset, isBigEndian, UInt32.self))
        case .int64: Double(Self.integer(bytes, offset, isBigEndian, Int64.self))
        case .uint64: Double(Self.integer(bytes, offset, isBigEndian, UInt64.self))
        case .float32: Double(Self.float(bytes, at: offset, isBigEndian: isBigEndian))
        case .float64: Double(bitPattern: Self.integer(bytes, offset, isBigEndian, UInt64.self))
        }
    }

    @inline(__always)
    static func float(_ bytes: UnsafeRawBufferPointer, at offset: Int, isBigEndian: Bool) -> Float {
        Float(bitPattern: integer(bytes, offset, isBigEndian, UInt32.self))
    }

    @inline(__always)
    private static func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool, _ kind: Value.Type
    ) -> Value {
        let raw = bytes.loadUnaligned(fromByteOffset: offset, as: kind)
        return isBigEndian ? Value(bigEndian: raw) : Value(littleEndian: raw)
    }
}

/// The positions and types of the coordinates in a point of fixed size.
struct PointLayout {
    var offsets: (x: Int, y: Int, z: Int)
    var kinds: (x: ScalarKind, y: ScalarKind, z: ScalarKind)
    var isBigEndian = false

    /// Whether all coordinates are in single precision.
    var isSinglePrecision: Bool { kinds == (.float32, .float32, .float32) }
}
