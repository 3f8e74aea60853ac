import ROSMessages
import Testing

@Suite struct ConnectionHeaderTests {
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
}
