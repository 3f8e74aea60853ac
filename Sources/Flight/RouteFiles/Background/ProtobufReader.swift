/// Iterates over the fields of a protocol buffer message: the part of the encoding that OpenStreetMap's files use.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Four or eight bytes, which are skipped.
        case other
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field with its number; `nil` at the end.
    ///
    /// - Throws: an error without the file's name.
    mutating func next() throws(RouteFileError) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let key = try number()
        switch key & 7 {
        case 0: return (key >> 3, .number(try number()))
        case 1: return (key >> 3, try skip(8))
        case 2:
            let count = try number()
            guard count <= UInt64(rest.count) else {
                throw RouteFileError("found a field of \(count) bytes where \(rest.count) are left")
            }
            let value = rest.prefix(Int(count))
            rest = rest.dropFirst(Int(count))
            return (key >> 3, .bytes(value))
        case 5: return (key >> 3, try skip(4))
        default: throw RouteFileError("found a field of kind \(key & 7), expected 0, 1, 2 or 5")
        }
    }

    private mutating func skip(_ count: Int) throws(RouteFileError) -> Value {
        guard rest.count >= count else { throw RouteFileError("a field is cut off") }
        rest = rest.dropFirst(count)
        return .other
    }

    /// A varint of at most ten bytes, seven bits in each.
    private mutating func number() throws(RouteFileError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw RouteFileError("a number is cut off") }
            // Bits of the tenth byte beyond 64 are dropped, as other implementations do.
            value |= UInt64(byte & 0x7F) << UInt64(min(shift, 63))
            if byte & 0x80 == 0 { return value }
        }
        throw RouteFileError("found a number of more than ten bytes")
    }

    /// The varints of a packed field.
    static func numbers(_ bytes: ArraySlice<UInt8>) throws(RouteFileError) -> [UInt64] {
        var reader = ProtobufReader(bytes)
        var numbers: [UInt64] = []
        numbers.reserveCapacity(bytes.count)
        while !reader.rest.isEmpty { numbers.append(try reader.number()) }
        return numbers
    }

    /// Decodes a zigzag-encoded number.
    static func signed(_ number: UInt64) -> Int64 { Int64(bitPattern: (number >> 1) ^ (0 &- (number & 1))) }

    /// Decodes delta-encoded numbers.
    static func sums(_ bytes: ArraySlice<UInt8>) throws(RouteFileError) -> [Int64] {
        var sum: Int64 = 0
        return try numbers(bytes).map {
            sum &+= signed($0)
            return sum
        }
    }
}
