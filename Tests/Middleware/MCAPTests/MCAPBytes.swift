import ROS2
import ROSMessages

@testable import MCAP

/// Files made by hand, byte by byte as in the specification.
enum MCAPBytes {
    static let magic: [UInt8] = [0x89] + Array("MCAP0\r\n".utf8)

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func text(_ text: String) -> [UInt8] { little(UInt32(text.utf8.count)) + Array(text.utf8) }

    static func record(_ opcode: UInt8, _ content: [UInt8]) -> [UInt8] {
        [opcode] + little(UInt64(content.count)) + content
    }

    static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    static let header = record(0x01, text("ros2") + text("by hand"))
    static let schema = record(
        0x03, joined(little(UInt16(1)), text("std_msgs/msg/UInt8"), text("ros2msg"), text("uint8 data")))
    static let channel = record(
        0x04,
        joined(
            little(UInt16(3)), little(UInt16(1)), text("/x"), text("cdr"), little(UInt32(9)), text("k"), text("")))

    /// A schema without a definition; `more` are fields that no version has yet.
    static func schema(_ number: UInt16, name: String, more: [UInt8] = []) -> [UInt8] {
        record(0x03, joined(little(number), text(name), text(""), text(""), more))
    }

    static func message(_ bytes: [UInt8], time: UInt64 = 7, channel: UInt16 = 3, sequence: UInt32 = 9) -> [UInt8] {
        record(0x05, joined(little(channel), little(sequence), little(time), little(time + 1), bytes))
    }

    static func chunk(
        _ records: [UInt8], compression: String = "", size: Int? = nil, checksum: UInt32 = 0
    ) -> [UInt8] {
        record(
            0x06,
            joined(
                little(UInt64(1)), little(UInt64(2)), little(UInt64(size ?? records.count)), little(checksum),
                text(compression), little(UInt64(records.count)), records))
    }

    static func dataEnd(_ checksum: UInt32 = 0) -> [UInt8] { record(0x0F, little(checksum)) }

    static func footer(_ start: UInt64 = 0, _ offsets: UInt64 = 0, _ checksum: UInt32 = 0) -> [UInt8] {
        record(0x02, joined(little(start), little(offsets), little(checksum)))
    }

    /// The messages of a file that comes in pieces of this size.
    static func read(_ bytes: [UInt8], step: Int = .max) throws -> [MCAPMessage] {
        var reader = MCAPReader()
        var found: [MCAPMessage] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            reader.feed(part)
            start += part.count
            while let message = try reader.next() { found.append(message) }
        }
        try reader.finish()
        return found
    }

    /// Reads a file that is in memory.
    static func reading(_ bytes: [UInt8]) -> MCAPIndex.Read {
        { (range) throws(ROSError) in
            guard range.upperBound <= UInt64(bytes.count) else { throw ROSError(.badBag, "beyond the end") }
            return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        }
    }

    static func index(_ bytes: [UInt8]) throws -> MCAPIndex {
        try MCAPIndex(fileBytes: UInt64(bytes.count), read: reading(bytes))
    }
}

/// A message of ROS 2 with one number.
struct Number: ROS2Message {
    static let ros2TypeName = "example_msgs/msg/Number"
    static let ros2TypeHash = TypeHash(7, 7, 7, 7)
    static let ros2Definition = "uint32 data\n"
    var data: UInt32 = 0

    init() {}
    init(_ data: UInt32) { self.data = data }
    init(from reader: inout CDRReader) throws(ROSDecodingError) { data = try reader.readUInt32() }
    func write(to writer: inout CDRWriter) { writer.write(data) }
}
