/// The bytes of one option of a packet, from its tag on; every read is checked against its size.
struct NavdataFields {
    let bytes: UnsafeRawBufferPointer

    /// Whether it has at least so many bytes.
    func has(_ count: Int) -> Bool { bytes.count >= count }

    func integer<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type = Value.self) -> Value? {
        guard offset >= 0, offset + MemoryLayout<Value>.size <= bytes.count else { return nil }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// An integer, 0 where the option ends before it.
    func whole<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type = Value.self) -> Value { integer(offset) ?? 0 }

    /// A single; `nil` if it is not finite or not there.
    func single(_ offset: Int) -> Double? {
        guard let bits = integer(offset, UInt32.self) else { return nil }
        let value = Double(Float(bitPattern: bits))
        return value.isFinite ? value : nil
    }

    /// A double; `nil` if it is not finite or not there.
    func double(_ offset: Int) -> Double? {
        guard let bits = integer(offset, UInt64.self) else { return nil }
        let value = Double(bitPattern: bits)
        return value.isFinite ? value : nil
    }

    /// Three singles; `nil` if one of them is none.
    func triple(_ offset: Int) -> NavdataTriple? {
        guard let x = single(offset), let y = single(offset + 4), let z = single(offset + 8) else { return nil }
        return NavdataTriple(x: x, y: y, z: z)
    }
}

/// Three numbers along the axes of the drone: forward, right, down.
package struct NavdataTriple: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double
}
