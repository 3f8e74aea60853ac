/// Decodes the values of the Zenoh protocol; every length is checked against the remaining bytes. It shares the array's
/// storage.
package struct ZenohReader: Sendable {
    /// The array that ranges of decoded values refer to.
    package let bytes: [UInt8]
    private let end: Int
    /// The offset of the next byte.
    package private(set) var offset: Int

    /// Creates a reader of `bytes`.
    package init(_ bytes: [UInt8]) { self.init(bytes, range: 0..<bytes.count) }

    /// Creates a reader of a range of `bytes`, clamped to its size; offsets count from the beginning of `bytes`.
    package init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        let range = range.clamped(to: 0..<bytes.count)
        end = range.upperBound
        offset = range.lowerBound
    }

    /// The number of unread bytes.
    package var remaining: Int { end - offset }

    /// The next byte, which stays unread; `nil` at the end.
    package var next: UInt8? { offset < end ? bytes[offset] : nil }

    /// One byte.
    package mutating func readByte() throws(ZenohError) -> UInt8 {
        guard offset < end else { throw Self.tooShort }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A number: seven bits a byte, the low ones first; a ninth byte holds eight.
    package mutating func readNumber() throws(ZenohError) -> UInt64 {
        var number: UInt64 = 0
        for place in 0..<9 {
            let byte = try readByte()
            if place == 8 { return number | UInt64(byte) << 56 }
            number |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte & 0x80 == 0 { return number }
        }
        return number
    }

    /// A number that must fit the type.
    package mutating func readNumber<Number: FixedWidthInteger>(
        as type: Number.Type
    ) throws(ZenohError) -> Number {
        let number = try readNumber()
        guard let fitting = Number(exactly: number) else {
            throw ZenohError(.protocolViolation, "the router sent the number \(number), above \(Number.max)")
        }
        return fitting
    }

    /// The range of the next `count` bytes in ``bytes``.
    package mutating func readRaw(count: Int) throws(ZenohError) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw Self.tooShort }
        defer { offset += count }
        return offset..<offset + count
    }

    /// The range of bytes that stand after their length.
    package mutating func readBlock() throws(ZenohError) -> Range<Int> {
        try readRaw(count: Int(clamping: try readNumber()))
    }

    /// The range of all unread bytes.
    package mutating func readRest() -> Range<Int> {
        defer { offset = end }
        return offset..<end
    }

    /// A number of 16 bits, low byte first.
    package mutating func readUInt16() throws(ZenohError) -> UInt16 {
        let low = try readByte()
        return UInt16(low) | UInt16(try readByte()) << 8
    }

    /// An identity of `count` bytes.
    package mutating func readID(count: Int) throws(ZenohError) -> ZenohID {
        guard let id = ZenohID(bytes[try readRaw(count: count)]) else {
            throw ZenohError(.protocolViolation, "the router sent an identity of \(count) bytes")
        }
        return id
    }

    /// A message ended too early.
    static let tooShort = ZenohError(.protocolViolation, "the router sent a message that ends too early")
}

/// One extension of a message.
package struct ZenohExtension: Sendable {
    /// The value.
    package enum Value: Sendable {
        case none
        case number(UInt64)
        case block(Range<Int>)
    }

    /// The number and the kind of the value, without the bits below.
    package let kind: UInt8
    /// Who does not know it must not use the message.
    package let isMandatory: Bool
    /// Another extension follows.
    package let isFollowed: Bool
    package let value: Value

    /// Bits of the kind for a number as value, and for bytes after their length.
    package static let number: UInt8 = 0x20
    package static let block: UInt8 = 0x40
    /// The bit of the header for a mandatory extension, and for one that is followed by another.
    package static let mandatory: UInt8 = 0x10
    package static let followed: UInt8 = 0x80

    /// Skips an extension that this client does not know.
    ///
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/protocolViolation`` if it is mandatory.
    package func skip(in message: StaticString) throws(ZenohError) {
        guard isMandatory else { return }
        throw ZenohError(
            .protocolViolation,
            "the router requires the extension \(kind & 0x0F) of \(message), which this program does not know")
    }
}

extension ZenohReader {
    /// An extension.
    package mutating func readExtension() throws(ZenohError) -> ZenohExtension {
        let header = try readByte()
        let kind = header & 0x6F
        let value: ZenohExtension.Value
        switch kind & 0x60 {
        case 0: value = .none
        case ZenohExtension.number: value = .number(try readNumber())
        case ZenohExtension.block: value = .block(try readBlock())
        default: throw ZenohError(.protocolViolation, "the router sent an extension of an unknown kind")
        }
        return ZenohExtension(
            kind: kind, isMandatory: header & ZenohExtension.mandatory != 0,
            isFollowed: header & ZenohExtension.followed != 0, value: value)
    }

    /// Skips extensions of a message in which none is known.
    package mutating func skipExtensions(_ present: Bool, in message: StaticString) throws(ZenohError) {
        var isFollowed = present
        while isFollowed {
            let found = try readExtension()
            try found.skip(in: message)
            isFollowed = found.isFollowed
        }
    }
}
