/// Decodes values in ROS 1 serialisation; every length is checked against the remaining bytes.
///
/// It shares the array's storage, so creating one copies nothing.
public struct ROSReader: Sendable {
    /// The largest array of messages without fields: these take no bytes, so the remaining bytes do not bound the count.
    public static let maximumEmptyElements = 65_536

    private let bytes: [UInt8]
    private let end: Int
    /// The offset of the next byte.
    public private(set) var offset: Int

    /// Creates a reader of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
        offset = 0
    }

    /// Creates a reader of a range of `bytes`, clamped to its size; offsets count from the beginning of `bytes`.
    public init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        let range = range.clamped(to: 0..<bytes.count)
        end = range.upperBound
        offset = range.lowerBound
    }

    /// The number of unread bytes.
    public var remaining: Int { end - offset }

    // MARK: One value

    /// A `bool`: any byte but 0 is true.
    public mutating func readBool() throws(ROSDecodingError) -> Bool { try load(UInt8.self) != 0 }

    /// A `uint8` or `char`.
    public mutating func readUInt8() throws(ROSDecodingError) -> UInt8 { try load() }

    /// An `int8` or `byte`.
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

    /// A `time`.
    public mutating func readTime() throws(ROSDecodingError) -> ROSTime {
        ROSTime(seconds: try load(), nanoseconds: try load())
    }

    /// A `duration`.
    public mutating func readDuration() throws(ROSDecodingError) -> ROSDuration {
        ROSDuration(seconds: try load(), nanoseconds: try load())
    }

    /// A `string`. Invalid UTF-8 becomes U+FFFD; a NUL is kept.
    public mutating func readString() throws(ROSDecodingError) -> String {
        let count = try readCount(minimumElementSize: 1)
        defer { offset += count }
        return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }

    // MARK: Arrays

    /// The length prefix of a variable array, checked against the remaining bytes.
    ///
    /// - Parameter minimumElementSize: the smallest size of one element in bytes.
    public mutating func readCount(minimumElementSize: Int) throws(ROSDecodingError) -> Int {
        let start = offset
        let count = Int(try load(UInt32.self))
        let most = minimumElementSize > 0 ? remaining / minimumElementSize : Self.maximumEmptyElements
        guard count <= most else {
            throw ROSDecodingError("length \(count) with only \(remaining) bytes left", at: start)
        }
        return count
    }

    /// A variable array of numbers, copied as a block.
    public mutating func readArray<Element: ROSScalar>(
        of element: Element.Type = Element.self
    ) throws(ROSDecodingError) -> [Element] {
        let count = try readCount(minimumElementSize: MemoryLayout<Element>.size)
        return try readArray(count: count)
    }

    /// A fixed array of numbers, copied as a block.
    public mutating func readArray<Element: ROSScalar>(
        of element: Element.Type = Element.self, count: Int
    ) throws(ROSDecodingError) -> [Element] {
        let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow, size <= remaining else {
            throw ROSDecodingError("array of \(count) elements with only \(remaining) bytes left", at: offset)
        }
        // The empty array is one for all threads, and its count would be written.
        guard count > 0 else { return [] }
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

    /// A variable array of `bool`.
    public mutating func readBools() throws(ROSDecodingError) -> [Bool] {
        try readArray(of: UInt8.self).map { $0 != 0 }
    }

    /// A variable array of `string`.
    public mutating func readStrings() throws(ROSDecodingError) -> [String] {
        let count = try readCount(minimumElementSize: 4)
        var strings: [String] = []
        strings.reserveCapacity(count)
        for _ in 0..<count { strings.append(try readString()) }
        return strings
    }

    /// A variable array of other elements.
    ///
    /// - Parameter minimumElementSize: the smallest size of one element in bytes.
    public mutating func readArray<Element>(
        minimumElementSize: Int, element read: (inout ROSReader) throws(ROSDecodingError) -> Element
    ) throws(ROSDecodingError) -> [Element] {
        let count = try readCount(minimumElementSize: minimumElementSize)
        return try readArray(count: count, element: read)
    }

    /// A fixed array of other elements.
    public mutating func readArray<Element>(
        count: Int, element read: (inout ROSReader) throws(ROSDecodingError) -> Element
    ) throws(ROSDecodingError) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(max(0, min(count, remaining)))
        for _ in 0..<max(0, count) { elements.append(try read(&self)) }
        return elements
    }

    // MARK: Bytes

    /// The next `count` bytes.
    public mutating func readRaw(count: Int) throws(ROSDecodingError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw ROSDecodingError("\(count) bytes needed, \(remaining) left", at: offset)
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    private mutating func load<Value: BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(ROSDecodingError) -> Value {
        let size = MemoryLayout<Value>.size
        guard size <= remaining else {
            throw ROSDecodingError("\(size) bytes needed, \(remaining) left", at: offset)
        }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        offset += size
        return value
    }
}
