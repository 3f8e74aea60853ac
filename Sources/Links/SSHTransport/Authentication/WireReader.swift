/// Reads SSH's wire format (RFC 4251, section 5); every length is checked against the remaining bytes.
package struct WireReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func uint32() -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func uint64() -> UInt64? {
        guard let high = uint32(), let low = uint32() else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    package mutating func string() -> [UInt8]? {
        guard let length = uint32(), Int(length) <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return Array(rest.prefix(Int(length)))
    }

    mutating func skip(_ prefix: [UInt8]) -> Bool {
        guard rest.starts(with: prefix) else { return false }
        rest = rest.dropFirst(prefix.count)
        return true
    }
}

/// Writes SSH's wire format.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func uint32(_ value: UInt32) {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }

    mutating func uint64(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value >> 32))
        uint32(UInt32(truncatingIfNeeded: value))
    }

    mutating func string(_ value: some Collection<UInt8>) {
        uint32(UInt32(clamping: value.count))
        bytes += value
    }

    mutating func string(_ text: String) { string(Array(text.utf8)) }
}
