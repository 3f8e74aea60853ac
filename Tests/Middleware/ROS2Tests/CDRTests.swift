import ROS2
import ROS2Interfaces
import ROSMessages
import Testing

@Suite struct CDRTests {
    @Test func `a text is written with its NUL`() {
        var writer = CDRWriter()
        writer.write("ab")
        #expect(writer.bytes == [0, 1, 0, 0, 3, 0, 0, 0, 0x61, 0x62, 0])
    }

    @Test func `a header is time and frame`() {
        var writer = CDRWriter()
        writer.write(ROSTime(seconds: 1, nanoseconds: 2))
        writer.write("a")
        #expect(writer.bytes == [0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0x61, 0])
    }

    @Test func `a number is aligned from the end of the header over the whole message`() throws {
        var writer = CDRWriter()
        writer.write(1.0)
        #expect(writer.bytes == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        writer.begin()
        writer.write("ab")
        writer.write(1.0)
        writer.write(true)
        writer.write(UInt16(5))
        let expected: [UInt8] = [3, 0, 0, 0, 0x61, 0x62, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 1, 0, 5, 0]
        #expect(writer.bytes.dropFirst(4) == expected[...])
        var reader = try CDRReader(writer.bytes)
        #expect(try reader.readString() == "ab")
        #expect(try reader.readFloat64() == 1)
        #expect(try reader.readBool())
        #expect(try reader.readUInt16() == 5)
        #expect(reader.remaining == 0)
    }

    @Test func `an empty sequence has no padding behind its length`() throws {
        var writer = CDRWriter()
        writer.write([Double]())
        writer.write(UInt8(7))
        #expect(writer.bytes == [0, 1, 0, 0, 0, 0, 0, 0, 7])
        writer.begin()
        writer.write([2.0])
        #expect(writer.bytes == [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40])
        var reader = try CDRReader(writer.bytes)
        #expect(try reader.readArray() == [2.0])
    }

    @Test func `a type without fields is one zero byte`() throws {
        #expect(RclInterfaces.ParameterType().cdr == [0, 1, 0, 0, 0])
        #expect(throws: ROSDecodingError.self) { try RclInterfaces.ParameterType(cdr: [0, 1, 0, 0]) }
    }

    @Test func `a message within other bytes is read where it stands`() throws {
        var writer = CDRWriter()
        writer.write("x")
        writer.write(Int64(-2))
        let bytes = [9, 9, 9] + writer.bytes + [8, 8]
        var reader = try CDRReader(bytes, range: 3..<bytes.count - 2)
        #expect(try reader.readString() == "x")
        #expect(try reader.readInt64() == -2)
        #expect(reader.remaining == 0 && reader.offset == bytes.count - 2)
    }

    @Test(arguments: [[], [0, 1, 0], [0, 0, 0, 0, 1], [0, 7, 0, 0, 1], [1, 1, 0, 0, 1]] as [[UInt8]])
    func `another representation is refused`(bytes: [UInt8]) {
        #expect(throws: ROSDecodingError.self) { try CDRReader(bytes) }
    }

    @Test func `the options of the header are ignored`() throws {
        var reader = try CDRReader([0, 1, 0xFF, 3, 42])
        #expect(try reader.readUInt8() == 42)
    }

    @Test func `a text without its NUL, and one without bytes, are read`() throws {
        var reader = try CDRReader([0, 1, 0, 0, 2, 0, 0, 0, 0x61, 0x62])
        #expect(try reader.readString() == "ab")
        reader = try CDRReader([0, 1, 0, 0, 0, 0, 0, 0])
        #expect(try reader.readString() == "")
    }

    @Test func `a length above what is left is refused before anything is allocated`() throws {
        let all: [UInt8] = [0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
        var reader = try CDRReader(all)
        #expect(throws: ROSDecodingError.self) { try reader.readString() }
        reader = try CDRReader(all)
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: Double.self) }
        reader = try CDRReader(all)
        #expect(throws: ROSDecodingError.self) { try reader.readStrings() }
        reader = try CDRReader(all)
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: UInt64.self, count: .max) }
        // Eight bytes would fit, but not behind their padding.
        reader = try CDRReader([0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4])
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: UInt32.self, count: 3) }
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: Double.self) }
    }

    @Test func `a bounded sequence is cut when it is written and refused when it is longer`() throws {
        var descriptor = RclInterfaces.ParameterDescriptor()
        descriptor.integerRange = [.init(fromValue: 1, toValue: 2, step: 1), .init(), .init()]
        let written = descriptor.cdr
        #expect(try RclInterfaces.ParameterDescriptor(cdr: written).integerRange == [descriptor.integerRange[0]])
        var longer = written
        // The length of the last sequence, before its padding and 24 bytes.
        let place = try #require(
            longer.indices.last { longer[$0...].starts(with: [1, 0, 0, 0]) && $0 < longer.count - 24 })
        longer[place] = 2
        longer += [UInt8](repeating: 0, count: 24)
        #expect(throws: ROSDecodingError.self) { try RclInterfaces.ParameterDescriptor(cdr: longer) }
    }

    @Test func `a bounded text keeps whole characters`() throws {
        var field = TypeDescriptionInterfaces.FieldType()
        field.nestedTypeName = String(repeating: "a", count: 254) + "ü"
        let read = try TypeDescriptionInterfaces.FieldType(cdr: field.cdr)
        #expect(read.nestedTypeName == String(repeating: "a", count: 254))
        field.nestedTypeName = String(repeating: "a", count: 255)
        #expect(try TypeDescriptionInterfaces.FieldType(cdr: field.cdr) == field)
    }

    @Test func `defaults of a definition are those of a new message`() {
        #expect(TypeDescriptionInterfaces.GetTypeDescription.Request().includeTypeSources)
    }

    @Test func `a writer that begins again allocates nothing`() {
        var writer = CDRWriter(reservingCapacity: 64)
        writer.write("something")
        let place = writer.withBytes { $0.baseAddress }
        writer.begin()
        writer.write(1.0)
        #expect(writer.withBytes { $0.baseAddress } == place)
    }
}
