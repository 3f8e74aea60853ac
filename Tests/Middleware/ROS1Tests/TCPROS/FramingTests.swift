import Testing

@testable import ROS1

@Suite struct FramingTests {
    private static func block(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ROSWriter()
        writer.write(bytes)
        return writer.bytes
    }

    @Test(arguments: [1, 2, 3, 5, 8, 100_000])
    func `blocks are found in any split`(step: Int) throws {
        let blocks: [[UInt8]] = [[], [1], Array(0...255), [], [UInt8](repeating: 7, count: 5000), [9]]
        let stream = blocks.flatMap(Self.block)
        var assembler = FrameAssembler()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            stream[start..<min(start + step, stream.count)].withUnsafeBytes { assembler.append($0) }
            while let block = try assembler.next(within: 5000) { found.append(Array(assembler.storage[block])) }
        }
        #expect(found == blocks)
        #expect(assembler.waiting == 0)
    }

    @Test func `length is bounded and memory is not taken on trust`() throws {
        var assembler = FrameAssembler()
        Self.block([1, 2, 3, 4]).withUnsafeBytes { assembler.append($0) }
        #expect(throws: ROSError.self) {
            var copy = assembler; _ = try copy.next(within: 3)
        }
        #expect(try assembler.next(within: 4)?.count == 4)
        var greedy = FrameAssembler()
        [UInt8](repeating: 0xFF, count: 4).withUnsafeBytes { greedy.append($0) }
        #expect(try greedy.next(within: .max) == nil)
        #expect(greedy.storage.count == 4)
    }

    @Test(arguments: [1, 3, 1000])
    func `answers of services keep their ok byte`(step: Int) throws {
        let stream = [1] + Self.block([5]) + [0] + Self.block(Array("no".utf8)) + [1] + Self.block([])
        var assembler = FrameAssembler()
        var found: [(UInt8, [UInt8])] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            stream[start..<min(start + step, stream.count)].withUnsafeBytes { assembler.append($0) }
            while let (ok, block) = try assembler.nextAnswer(within: 10) {
                found.append((ok, Array(assembler.storage[block])))
            }
        }
        #expect(found.map(\.0) == [1, 0, 1])
        #expect(found.map(\.1) == [[5], Array("no".utf8), []])
    }

    @Test func `headers are read and written`() throws {
        let header = ConnectionHeader([
            "callerid": "/a", "md5sum": "*", "type": "*", "message_definition": "string data\n# x=y\n", "latching": "1",
            "persistent": "1", "probe": "1", "error": "no", "empty": "",
        ])
        let encoded = header.encoded
        let read = try ConnectionHeader(decoding: encoded[4...])
        #expect(read == header)
        #expect(read.isLatching && read.isPersistent && read.isProbe)
        #expect(read.error == "no")
        #expect(read.messageDefinition == "string data\n# x=y\n")
        #expect(ConnectionHeader.md5sMatch("*", "a") && ConnectionHeader.md5sMatch("a", "a"))
        #expect(!ConnectionHeader.md5sMatch("a", "b"))
    }

    @Test func `every cut of a header is refused unless it is between two fields`() {
        let whole = Array(ConnectionHeader(["callerid": "/a", "type": "x/Y"]).encoded[4...])
        var taken: [Int] = []
        for count in 0...whole.count where (try? ConnectionHeader(decoding: whole[..<count])) != nil {
            taken.append(count)
        }
        #expect(taken == [0, 15, whole.count])
    }

    @Test func `headers are bounded`() throws {
        func fields(_ count: Int) -> [UInt8] {
            Array(ConnectionHeader(Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", "") })).encoded[4...])
        }
        #expect(try ConnectionHeader(decoding: fields(ConnectionHeader.maximumFields)).fields.count == 256)
        #expect(throws: ROSError.self) { try ConnectionHeader(decoding: fields(ConnectionHeader.maximumFields + 1)) }
        let long = [UInt8](repeating: 0, count: ConnectionHeader.maximumBytes + 1)
        #expect(throws: ROSError.self) { try ConnectionHeader(decoding: long) }
        for wrong in [[4, 0, 0, 0, 0x61, 0x62, 0x63, 0x64], [2, 0, 0, 0, 0x3D, 0x61], [255, 255, 255, 255, 0]]
            as [[UInt8]]
        {
            #expect(throws: ROSError.self) { try ConnectionHeader(decoding: wrong) }
        }
    }

    @Test func `errors carry peers' texts made harmless and short`() {
        let error = ROSError(.refused, "\u{1B}[31mred\n\u{202E}" + String(repeating: "x", count: 5000))
        #expect(error.what.hasPrefix("\u{241B}[31mred \\u{202e}"))
        #expect(error.what.unicodeScalars.count < 1100)
    }
}
