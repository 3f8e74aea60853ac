public import ROSMessages

/// Encodes values in CDR as ROS 2 uses it: XCDR version 1, little-endian, with the 4-byte header of the representation.
///
/// A number is aligned to its size, counted from the end of the header over the whole message: what is nested in a message
/// cannot be encoded apart. ``begin()`` keeps the storage, so a publisher that reuses a writer allocates nothing in the steady
/// state. (Do not retain ``bytes``: a second owner makes the next write copy.)
public struct CDRWriter: Sendable {
    /// The header: plain CDR, little-endian, no options.
    static let header: [UInt8] = [0, 1, 0, 0]

    /// The header and the bytes written so far.
    public private(set) var bytes: [UInt8]

    /// Creates a writer that contains the header.
    public init(reservingCapacity capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(max(capacity, Self.header.count))
        bytes += Self.header
    }

    /// The number of bytes written so far, with the header.
    public var count: Int { bytes.count }

    /// Removes all bytes but those of the header, and keeps the storage.
    public mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes += Self.header
    }

    /// Accesses the header and the bytes written so far without a copy.
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

    /// A `uint8`, `char` or `byte`.
    public mutating func write(_ value: UInt8) { bytes.append(value) }

    /// An `int8`.
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

    /// A `builtin_interfaces/Time`: the seconds are an `int32` there, which from 2038 on is read as negative.
    public mutating func write(_ value: ROSTime) {
        append(value.seconds)
        append(value.nanoseconds)
    }

    /// A `builtin_interfaces/Duration`: the nanoseconds are a `uint32` there, and never negative in a normalised duration.
    public mutating func write(_ value: ROSDuration) {
        append(value.seconds)
        append(value.nanoseconds)
    }

    /// A `string`: the length in bytes with the NUL, the UTF-8 text, NUL.
    public mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            append(UInt32(clamping: utf8.count + 1))
            bytes.append(contentsOf: utf8)
        }
        bytes.append(0)
    }

    /// A `string<=N`: the whole characters that fit.
    public mutating func write(_ value: String, atMost bound: Int) {
        guard value.utf8.count > bound else { return write(value) }
        var fitting = ""
        var size = 0
        for character in value {
            size += character.utf8.count
            guard size <= bound else { break }
            fitting.append(character)
        }
        write(fitting)
    }

    /// The member of a type without fields, which CDR does not have: one zero byte.
    public mutating func writeNoFields() { bytes.append(0) }

    // MARK: Arrays

    /// The length prefix of a sequence.
    public mutating func writeCount(_ count: Int) { append(UInt32(clamping: count)) }

    /// A sequence of numbers, copied as a block. An empty one is not followed by the padding of its elements.
    public mutating func write<Element: ROSScalar>(_ values: [Element]) {
        writeCount(values.count)
        appendBlock(values)
    }

    /// A sequence of `bool`.
    public mutating func write(_ values: [Bool]) {
        writeCount(values.count)
        for value in values { write(value) }
    }

    /// A sequence of `string`.
    public mutating func write(_ values: [String]) {
        writeCount(values.count)
        for value in values { write(value) }
    }

    /// An array of `count` numbers: `values` is truncated or padded with zeros.
    public mutating func write<Element: ROSScalar>(fixed values: [Element], count: Int) {
        if values.count == count {
            appendBlock(values)
        } else {
            appendBlock(Array(values.prefix(count) + repeatElement(Element(), count: max(0, count - values.count))))
        }
    }

    /// An array of `count` other elements: `values` is truncated or padded with `filler`.
    public mutating func write<Element>(
        fixed values: [Element], count: Int, filler: Element, element write: (Element, inout CDRWriter) -> Void
    ) {
        for value in values.prefix(count) { write(value, &self) }
        for _ in 0..<max(0, count - values.count) { write(filler, &self) }
    }

    private mutating func appendBlock<Element: ROSScalar>(_ values: [Element]) {
        guard !values.isEmpty else { return }
        align(to: MemoryLayout<Element>.size)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        align(to: MemoryLayout<Value>.size)
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }

    /// Appends zeros up to a multiple of `size` after the header; a size is 1, 2, 4 or 8, and the header has 4 bytes.
    private mutating func align(to size: Int) {
        while (bytes.count - Self.header.count) & (size - 1) != 0 { bytes.append(0) }
    }
}
