public import ROSMessages

/// Decodes values in CDR as ROS 2 uses it; every length is checked against the remaining bytes.
///
/// It shares the array's storage, so creating one copies nothing.
public struct CDRReader: Sendable {
    private let bytes: [UInt8]
    private let end: Int
    /// From where the alignment counts.
    private let origin: Int
    /// The offset of the next byte.
    public private(set) var offset: Int

    /// Creates a reader of a message with its header.
    ///
    /// - Throws: `ROSDecodingError` when the header is missing, or is not that of plain little-endian CDR.
    public init(_ bytes: [UInt8]) throws(ROSDecodingError) { try self.init(bytes, range: bytes.indices) }

    /// Creates a reader of a message with its header in a range of `bytes`, clamped to its size; offsets count from the
    /// beginning of `bytes`.
    ///
    /// - Throws: `ROSDecodingError` when the header is missing, or is not that of plain little-endian CDR.
    public init(_ bytes: [UInt8], range: Range<Int>) throws(ROSDecodingError) {
        let range = range.clamped(to: 0..<bytes.count)
        guard range.count >= CDRWriter.header.count else {
            throw ROSDecodingError("the header of CDR is missing", at: range.lowerBound)
        }
        // The last two bytes are options, which readers ignore.
        let kind = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
        guard kind == (0, 1) else {
            let known = kind == (0, 0) ? "big-endian CDR" : "the representation \(UInt16(kind.0) << 8 | UInt16(kind.1))"
            throw ROSDecodingError("the message is in \(known), only little-endian CDR is read", at: range.lowerBound)
        }
        self.bytes = bytes
        end = range.upperBound
        origin = range.lowerBound + CDRWriter.header.count
        offset = origin
    }

    /// The number of unread bytes.
    public var remaining: Int { end - offset }

    // MARK: One value

    /// A `bool`: any byte but 0 is true.
    public mutating func readBool() throws(ROSDecodingError) -> Bool { try load(UInt8.self) != 0 }

    /// A `uint8`, `char` or `byte`.
    public mutating func readUInt8() throws(ROSDecodingError) -> UInt8 { try load() }

    /// An `int8`.
    public mutating func readInt8() throws(ROSDecodingError) -> Int8 { try load() }

    /// An `int16`.
    public mutating func readInt16() throws(ROSDecodingError) -> Int16 { try load() }

    /// A `uint16`.
    public mutating func readUInt16() throws(ROSDecodingError) -> UInt16 { try load() }

    /// An `int32`.
    public mutating func readInt32() throws(ROSDecodingError) -> Int32 { try load() }

    /// A `uint32`.
    public mutating func readUInt32() throws(ROSDecodingError) -> UInt32 { try load() }

    /// An `int64`.
    public mutating func readInt64() throws(ROSDecodingError) -> Int64 { try load() }

    /// A `uint64`.
    public mutating func readUInt64() throws(ROSDecodingError) -> UInt64 { try load() }

    /// A `float32`.
    public mutating func readFloat32() throws(ROSDecodingError) -> Float { try load() }

    /// A `float64`.
    public mutating func readFloat64() throws(ROSDecodingError) -> Double { try load() }

    /// A `builtin_interfaces/Time`. A negative one, which no ROS library makes, is read as one after 2038.
    public mutating func readTime() throws(ROSDecodingError) -> ROSTime {
        ROSTime(seconds: try load(), nanoseconds: try load())
    }

    /// A `builtin_interfaces/Duration`.
    public mutating func readDuration() throws(ROSDecodingError) -> ROSDuration {
        ROSDuration(seconds: try load(), nanoseconds: try load())
    }

    /// A `string`. Invalid UTF-8 becomes U+FFFD; a NUL before the last byte is kept; as elsewhere, one without a NUL at its end
    /// is read too.
    public mutating func readString() throws(ROSDecodingError) -> String {
        let count = try readCount(minimumElementSize: 1)
        defer { offset += count }
        guard count > 0 else { return "" }
        let last = offset + count - 1
        return String(decoding: bytes[offset..<(bytes[last] == 0 ? last : last + 1)], as: UTF8.self)
    }

    /// The member of a type without fields: one byte.
    public mutating func readNoFields() throws(ROSDecodingError) { _ = try load(UInt8.self) }

    // MARK: Arrays

    /// The length prefix of a sequence, checked against the remaining bytes.
    ///
    /// - Parameters:
    ///   - minimumElementSize: the smallest size of one element in bytes, at least 1.
    ///   - bound: the most elements of a bounded sequence.
    public mutating func readCount(
        minimumElementSize: Int, atMost bound: Int = .max
    ) throws(ROSDecodingError) -> Int {
        let start = offset
        let count = Int(try load(UInt32.self))
        guard count <= remaining / max(1, minimumElementSize) else {
            throw ROSDecodingError("length \(count) with only \(remaining) bytes left", at: start)
        }
        guard count <= bound else {
            throw ROSDecodingError("length \(count) of a sequence of at most \(bound) elements", at: start)
        }
        return count
    }

    /// A sequence of numbers, copied as a block.
    public mutating func readArray<Element: ROSScalar>(
        of element: Element.Type = Element.self, atMost bound: Int = .max
    ) throws(ROSDecodingError) -> [Element] {
        let count = try readCount(minimumElementSize: MemoryLayout<Element>.size, atMost: bound)
        return try readArray(count: count)
    }

    /// An array of numbers, copied as a block.
    public mutating func readArray<Element: ROSScalar>(
        of element: Element.Type = Element.self, count: Int
    ) throws(ROSDecodingError) -> [Element] {
        // The empty sequence has no padding; and the empty array is one for all threads, and its count would be written.
        guard count > 0 else { return [] }
        try align(to: MemoryLayout<Element>.size)
        let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !overflow, size <= remaining else {
            throw ROSDecodingError("array of \(count) elements with only \(remaining) bytes left", at: offset)
        }
        defer { offset += size }
        let start = offset
        return Array(unsafeUninitializedCapacity: count) { elements, initialised in
            bytes.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(elements).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[start..<start + size]))
            }
            initialised = count
        }
    }

    /// A sequence of `bool`.
    public mutating func readBools(atMost bound: Int = .max) throws(ROSDecodingError) -> [Bool] {
        try readArray(of: UInt8.self, atMost: bound).map { $0 != 0 }
    }

    /// A sequence of `string`.
    public mutating func readStrings(atMost bound: Int = .max) throws(ROSDecodingError) -> [String] {
        try readArray(minimumElementSize: 4, atMost: bound) { (reader) throws(ROSDecodingError) in
            try reader.readString()
        }
    }

    /// A sequence of other elements.
    ///
    /// - Parameters:
    ///   - minimumElementSize: the smallest size of one element in bytes.
    ///   - bound: the most elements of a bounded sequence.
    public mutating func readArray<Element>(
        minimumElementSize: Int, atMost bound: Int = .max,
        element read: (inout CDRReader) throws(ROSDecodingError) -> Element
    ) throws(ROSDecodingError) -> [Element] {
        let count = try readCount(minimumElementSize: minimumElementSize, atMost: bound)
        return try readArray(count: count, element: read)
    }

    /// An array of other elements.
    public mutating func readArray<Element>(
        count: Int, element read: (inout CDRReader) throws(ROSDecodingError) -> Element
    ) throws(ROSDecodingError) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(max(0, min(count, remaining)))
        for _ in 0..<max(0, count) { elements.append(try read(&self)) }
        return elements
    }

    private mutating func load<Value: BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(ROSDecodingError) -> Value {
        let size = MemoryLayout<Value>.size
        try align(to: size)
        guard size <= remaining else {
            throw ROSDecodingError("\(size) bytes needed, \(remaining) left", at: offset)
        }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        offset += size
        return value
    }

    /// Skips the padding before a number of this size: 1, 2, 4 or 8.
    private mutating func align(to size: Int) throws(ROSDecodingError) {
        let next = origin + ((offset - origin + size - 1) & ~(size - 1))
        guard next <= end else { throw ROSDecodingError("the message ends in the padding", at: offset) }
        offset = next
    }
}
