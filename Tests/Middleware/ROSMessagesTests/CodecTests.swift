import ROSMessages
import Testing

@Suite struct CodecTests {
    @Test func `every built-in type comes back`() throws {
        var writer = ROSWriter()
        writer.write(true)
        writer.write(Int8.min)
        writer.write(UInt8.max)
        writer.write(Int16.min)
        writer.write(UInt16.max)
        writer.write(Int32.min)
        writer.write(UInt32.max)
        writer.write(Int64.min)
        writer.write(UInt64.max)
        writer.write(Float(0.1))
        writer.write(-0.0)
        writer.write("a\u{0}ü")
        writer.write(ROSTime(seconds: 1, nanoseconds: 2))
        writer.write(ROSDuration(seconds: -1, nanoseconds: 2))
        writer.write([1.5, -2])
        writer.write([true, false])
        writer.write(["", "x"])
        var reader = ROSReader(writer.bytes)
        #expect(try reader.readBool())
        #expect(try reader.readInt8() == .min)
        #expect(try reader.readUInt8() == .max)
        #expect(try reader.readInt16() == .min)
        #expect(try reader.readUInt16() == .max)
        #expect(try reader.readInt32() == .min)
        #expect(try reader.readUInt32() == .max)
        #expect(try reader.readInt64() == .min)
        #expect(try reader.readUInt64() == .max)
        #expect(try reader.readFloat32() == 0.1)
        #expect(try reader.readFloat64().sign == .minus)
        #expect(try reader.readString() == "a\u{0}ü")
        #expect(try reader.readTime() == ROSTime(seconds: 1, nanoseconds: 2))
        #expect(try reader.readDuration() == ROSDuration(seconds: -1, nanoseconds: 2))
        #expect(try reader.readArray(of: Double.self) == [1.5, -2])
        #expect(try reader.readBools() == [true, false])
        #expect(try reader.readStrings() == ["", "x"])
        #expect(reader.remaining == 0)
        #expect(throws: ROSDecodingError.self) { try reader.readUInt8() }
    }

    @Test func `numbers are little-endian and lengths stand before`() {
        var writer = ROSWriter()
        writer.write(UInt32(0x0102_0304))
        writer.write("ab")
        writer.write([UInt16(0x0506)])
        #expect(writer.bytes == [4, 3, 2, 1, 2, 0, 0, 0, 97, 98, 1, 0, 0, 0, 6, 5])
    }

    @Test(arguments: [UInt32(2), 3, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func `a length is taken up to what the bytes can hold and not one further`(count: UInt32) throws {
        func bytes(holding elements: Int, of size: Int) -> [UInt8] {
            var writer = ROSWriter()
            writer.write(count)
            return writer.bytes + [UInt8](repeating: 0, count: elements * size)
        }
        var doubles = ROSReader(bytes(holding: 2, of: 8))
        var texts = ROSReader(bytes(holding: 2, of: 4))
        var text = ROSReader(bytes(holding: 2, of: 1))
        if count == 2 {
            #expect(try doubles.readArray(of: Double.self).count == 2)
            #expect(try texts.readStrings().count == 2)
            #expect(try text.readString() == "\u{0}\u{0}")
        } else {
            #expect(throws: ROSDecodingError.self) { try doubles.readArray(of: Double.self) }
            #expect(throws: ROSDecodingError.self) { try texts.readStrings() }
            #expect(throws: ROSDecodingError.self) { try text.readString() }
        }
    }

    @Test func `an array of messages without fields is bounded by itself`() throws {
        func bytes(_ count: Int) -> [UInt8] {
            var writer = ROSWriter()
            writer.writeCount(count)
            return writer.bytes
        }
        var most = ROSReader(bytes(ROSReader.maximumEmptyElements))
        #expect(try most.readCount(minimumElementSize: 0) == ROSReader.maximumEmptyElements)
        var tooMany = ROSReader(bytes(ROSReader.maximumEmptyElements + 1))
        #expect(throws: ROSDecodingError.self) { try tooMany.readCount(minimumElementSize: 0) }
    }

    @Test func `text that is not UTF-8 is repaired`() throws {
        var reader = ROSReader([3, 0, 0, 0, 0x61, 0xFF, 0x62])
        #expect(try reader.readString() == "a\u{FFFD}b")
    }

    @Test func `a reader of a part sees no more than the part`() throws {
        var reader = ROSReader([9, 9, 1, 2, 9], range: 2..<4)
        #expect(reader.remaining == 2)
        #expect(try reader.readUInt16() == 0x0201)
        #expect(throws: ROSDecodingError.self) { try reader.readUInt8() }
        #expect(ROSReader([1], range: 5..<9).remaining == 0)
        #expect(ROSReader([1, 2], range: 1..<9).remaining == 1)
    }

    @Test(arguments: [[], [1.0], [1, 2, 3], [1, 2, 3, 4]])
    func `a fixed array keeps its size on the wire whatever it holds`(values: [Double]) throws {
        var writer = ROSWriter()
        writer.write(fixed: values, count: 3)
        #expect(writer.count == 24)
        writer.write(fixed: values.map { "\($0)" }, count: 3, filler: "") { $1.write($0) }
        var reader = ROSReader(writer.bytes)
        let expected = Array((values + [0, 0, 0]).prefix(3))
        #expect(try reader.readArray(count: 3) == expected)
    }

    @Test func `a fixed array of a wild size is refused`() {
        var reader = ROSReader([1, 2, 3])
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: Double.self, count: .max) }
        #expect(throws: ROSDecodingError.self) { try reader.readArray(of: UInt8.self, count: -1) }
        #expect(throws: ROSDecodingError.self) { try reader.readRaw(count: -1) }
        #expect(throws: ROSDecodingError.self) { try reader.readRaw(count: 4) }
    }

    @Test func `emptying a writer keeps its storage`() {
        var writer = ROSWriter(reservingCapacity: 64)
        writer.write("first")
        let before = writer.withBytes { $0.baseAddress }
        writer.removeAll()
        #expect(writer.count == 0)
        writer.write("second")
        #expect(writer.withBytes { $0.baseAddress } == before)
    }
}
