/// Encodes values in ROS 1 serialisation: little-endian, arrays and strings with a 32-bit length prefix.
///
/// ``removeAll()`` keeps the storage, so a publisher that reuses a writer allocates nothing in the steady state. (Do not
/// retain ``bytes``: a second owner makes the next write copy.)
public struct ROSWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8]

    /// Creates an empty writer.
    public init(reservingCapacity capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// The number of bytes written so far.
    public var count: Int { bytes.count }

    /// Removes all bytes and keeps the storage.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Accesses the bytes written so far without a copy.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }

    // MARK: One value

    /// A `bool`: one byte, 1 or 0.
    public mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    /// A `uint8`, or the bits of a `byte` or `char`.
    public mutating func write(_ value: UInt8) { bytes.append(value) }

    /// An `int8` or `byte`.
    public mutating func write(_ value: Int8) { bytes.append(UInt8(bitPattern: value)) }

    /// An `int16`.
    public mutating func write(_ value: Int16) { append(value) }

    /// A `uint16`.
    public mutating func write(_ value: UInt16) { append(value) }

    /// An `int32`.
    public mutating func write(_ value: Int32) { append(value) }

    /// A `uint32`.
    public mutating func write(_ value: UInt32) { append(value) }

    /// An `int64`.
    public mutating func write(_ value: Int64) { append(value) }

    /// A `uint64`.
    public mutating func write(_ value: UInt64) { append(value) }

    /// A `float32`.
    public mutating func write(_ value: Float) { append(value) }

    /// A `float64`.
    public mutating func write(_ value: Double) { append(value) }

    /// A `time`.
    public mutating func write(_ value: ROSTime) {
        append(value.seconds)
        append(value.nanoseconds)
    }

    /// A `duration`.
    public mutating func write(_ value: ROSDuration) {
        append(value.seconds)
        append(value.nanoseconds)
    }

    /// A `string`: the length in bytes, then the UTF-8 text.
    public mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            writeCount(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    // MARK: Arrays

    /// The length prefix of a variable array.
    public mutating func writeCount(_ count: Int) { append(UInt32(clamping: count)) }

    /// A variable array of numbers, copied as a block.
    public mutating func write<Element: ROSScalar>(_ values: [Element]) {
        writeCount(values.count)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// A variable array of `bool`.
    public mutating func write(_ values: [Bool]) {
        writeCount(values.count)
        for value in values { write(value) }
    }

    /// A variable array of `string`.
    public mutating func write(_ values: [String]) {
        writeCount(values.count)
        for value in values { write(value) }
    }

    /// A fixed array of `count` numbers: `values` is truncated or padded with zeros.
    public mutating func write<Element: ROSScalar>(fixed values: [Element], count: Int) {
        if values.count == count {
            values.withUnsafeBytes { bytes.append(contentsOf: $0) }
        } else {
            let fitting = values.prefix(count) + repeatElement(Element(), count: max(0, count - values.count))
            Array(fitting).withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
    }

    /// A fixed array of `count` other elements: `values` is truncated or padded with `filler`.
    public mutating func write<Element>(
        fixed values: [Element], count: Int, filler: Element, element write: (Element, inout ROSWriter) -> Void
    ) {
        for value in values.prefix(count) { write(value, &self) }
        for _ in 0..<max(0, count - values.count) { write(filler, &self) }
    }

    // MARK: Whole messages

    /// Bytes that are already serialised.
    public mutating func writeRaw(_ raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    /// A message with a 32-bit length prefix, the framing of TCPROS.
    public mutating func writeFramed(_ message: borrowing some ROSMessage) {
        let start = bytes.count
        append(UInt32(0))
        message.write(to: &self)
        let length = UInt32(clamping: bytes.count - start - 4)
        for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(place))) }
    }

    private mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}

extension ROSMessage {
    /// The message in ROS 1 serialisation, without a length prefix.
    public var serialised: [UInt8] {
        var writer = ROSWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Decodes one message; trailing bytes are ignored, as in other ROS libraries.
    ///
    /// - Throws: ``ROSDecodingError`` when the bytes end too early or a length is impossible.
    public init(serialised bytes: [UInt8]) throws(ROSDecodingError) {
        var reader = ROSReader(bytes)
        try self.init(from: &reader)
    }
}
