internal import ROSMessages

/// A record of a bag: a header of named fields, and data.
struct BagRecord {
    /// The kind of a record.
    enum Kind: UInt8 {
        case message = 2
        case bagHeader = 3
        case index = 4
        case chunk = 5
        case chunkInfo = 6
        case connection = 7
    }

    /// The largest header accepted: real ones have a few short fields, of which the topic's name is the longest.
    static let maximumHeaderBytes = 1 << 16

    /// The kind; `nil` for an unknown one. Such records are skipped.
    var kind: Kind?
    var connection: UInt32?
    var time: ROSTime?
    var topic: String?
    var compression: String?
    var uncompressedSize: UInt32?
    var encryptor: String?
    /// The position of the index; zero when the recording was not finished.
    var indexPosition: UInt64?
    /// The range of the data.
    var data: Range<Int> = 0..<0

    /// Parses the record at the beginning of `range`; `nil` when it is incomplete.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/badBag``.
    init?(in bytes: [UInt8], range: Range<Int>, maximumData: Int) throws(ROSError) {
        guard let headerLength = Self.length(in: bytes, at: range.lowerBound, before: range.upperBound) else {
            return nil
        }
        guard headerLength <= Self.maximumHeaderBytes else {
            throw ROSError(
                .badBag, "a record header of \(headerLength) bytes exceeds the bound of \(Self.maximumHeaderBytes)")
        }
        let header = range.lowerBound + 4..<range.lowerBound + 4 + headerLength
        guard let dataLength = Self.length(in: bytes, at: header.upperBound, before: range.upperBound) else {
            return nil
        }
        guard dataLength <= maximumData else {
            throw ROSError(.badBag, "a record of \(dataLength) bytes exceeds the bound of \(maximumData)")
        }
        data = header.upperBound + 4..<header.upperBound + 4 + dataLength
        guard data.upperBound <= range.upperBound else { return nil }
        do throws(ROSDecodingError) { try readFields(bytes, header) } catch {
            throw ROSError(.badBag, "invalid record header: \(error)")
        }
    }

    private mutating func readFields(_ bytes: [UInt8], _ header: Range<Int>) throws(ROSDecodingError) {
        var reader = ROSReader(bytes, range: header)
        while reader.remaining > 0 {
            let field = try reader.readRaw(count: try reader.readCount(minimumElementSize: 1))
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
                throw ROSDecodingError("a field without '='", at: field.startIndex)
            }
            let name = String(decoding: field[..<equals], as: UTF8.self)
            var value = ROSReader(bytes, range: equals + 1..<field.endIndex)
            switch name {
            case "op": kind = Kind(rawValue: try value.readUInt8())
            case "conn": connection = try value.readUInt32()
            case "time": time = try value.readTime()
            case "topic": topic = String(decoding: field[(equals + 1)...], as: UTF8.self)
            case "compression": compression = String(decoding: field[(equals + 1)...], as: UTF8.self)
            case "encryptor": encryptor = String(decoding: field[(equals + 1)...], as: UTF8.self)
            case "index_pos": indexPosition = try value.readUInt64()
            case "size": uncompressedSize = try value.readUInt32()
            default: break
            }
        }
    }

    private static func length(in bytes: [UInt8], at offset: Int, before end: Int) -> Int? {
        guard offset + 4 <= end, end <= bytes.count else { return nil }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
            | Int(bytes[offset + 3]) << 24
    }
}
