import Testing

@testable import Zenoh

@Suite struct ZenohCodecTests {
    private static let id = identity(Array(1...16))

    private static func written(_ write: (inout ZenohWriter) -> Void) -> [UInt8] {
        var writer = ZenohWriter()
        write(&writer)
        return writer.bytes
    }

    private static func read(_ text: String) throws -> (NetworkMessage, [UInt8]) {
        var reader = ZenohReader(wire(text))
        let message = try reader.readNetworkMessage()
        #expect(reader.remaining == 0)
        return (message, reader.bytes)
    }

    // MARK: Numbers

    @Test(
        arguments: [
            (0, "00"), (1, "01"), (127, "7F"), (128, "80 01"), (300, "AC 02"), (0x0FFF_FFFF, "FF FF FF 7F"),
            (UInt64(1) << 56 - 1, "FF FF FF FF FF FF FF 7F"), (1 << 56, "80 80 80 80 80 80 80 80 01"),
            (.max, "FF FF FF FF FF FF FF FF FF"),
        ] as [(UInt64, String)])
    func `numbers have seven bits a byte, and eight in a ninth`(number: UInt64, bytes: String) throws {
        #expect(Self.written { $0.writeNumber(number) } == wire(bytes))
        var reader = ZenohReader(wire(bytes))
        #expect(try reader.readNumber() == number)
        #expect(reader.remaining == 0)
        if let small = Int(exactly: number) { #expect(ZenohWriter.size(ofNumber: small) == wire(bytes).count) }
    }

    @Test func `a number that does not fit and one that ends too early are errors`() {
        var large = ZenohReader(wire("80 80 04"))
        #expect(throws: ZenohError.self) { try large.readNumber(as: UInt16.self) }
        var short = ZenohReader(wire("80 80"))
        #expect(throws: ZenohError.self) { try short.readNumber() }
        var block = ZenohReader(wire("FF FF FF FF FF FF FF FF FF 00"))
        #expect(throws: ZenohError.self) { try block.readBlock() }
    }

    @Test func `identities are written the other way round`() {
        #expect(Self.id.description == "100f0e0d0c0b0a090807060504030201")
        #expect(ZenohID([0x0A])?.description == "a" && ZenohID([0x01, 0x00])?.description == "1")
        #expect(ZenohID([]) == nil && ZenohID(Array(0...16)) == nil)
        #expect(Self.id.bytes == Array(1...16) && ZenohID([7]) != ZenohID([7, 0]))
    }

    // MARK: What a client sends, byte by byte

    @Test func `the messages that open a session`() {
        #expect(
            Self.written { $0.writeInitSyn(id: Self.id, batchSize: .max) }
                == wire("C1 09 F2 0102030405060708090A0B0C0D0E0F10 0A FFFF 01"))
        #expect(
            Self.written { writer in
                wire("C0 0C").withUnsafeBytes { writer.writeOpenSyn(leaseSeconds: 10, firstNumber: 300, cookie: $0) }
            } == wire("42 0A AC02 02 C00C"))
        #expect(Self.written { $0.writeKeepAlive() } == wire("04"))
        #expect(Self.written { $0.writeClose(reason: 0) } == wire("23 00"))
        #expect(Self.written { $0.writeFrame(isReliable: true, number: 1) } == wire("25 01"))
        #expect(Self.written { $0.writeFrame(isReliable: false, number: 128) } == wire("05 8001"))
        #expect(Self.written { $0.writeFragment(isReliable: true, number: 2, isFollowed: true) } == wire("66 02"))
        #expect(Self.written { $0.writeFragment(isReliable: true, number: 3, isFollowed: false) } == wire("26 03"))
    }

    @Test func `declarations`() {
        #expect(Self.written { $0.writeSubscriber(id: 1, key: "a/b") } == wire("1E 62 01 00 03 'a/b'"))
        #expect(
            Self.written { $0.writeQueryable(id: 2, key: "s", isComplete: true) } == wire("1E E4 02 00 01 's' 21 01"))
        #expect(Self.written { $0.writeQueryable(id: 2, key: "s", isComplete: false) } == wire("1E 64 02 00 01 's'"))
        #expect(Self.written { $0.writeToken(id: 3, key: "t") } == wire("1E 66 03 00 01 't'"))
        #expect(Self.written { $0.writeUndeclareSubscriber(id: 1) } == wire("1E 03 01"))
        #expect(Self.written { $0.writeUndeclareQueryable(id: 2) } == wire("1E 05 02"))
        #expect(Self.written { $0.writeUndeclareToken(id: 3) } == wire("1E 07 03"))
        #expect(
            Self.written { $0.writeTokenInterest(id: 7, key: "t/**", future: false) }
                == wire("39 07 78 00 04 't/**'"))
        #expect(Self.written { $0.writeTokenInterest(id: 7, key: "t", future: true) } == wire("79 07 78 00 01 't'"))
        #expect(Self.written { $0.writeInterestFinal(id: 7) } == wire("19 07"))
    }

    @Test func `publications, queries and replies`() throws {
        let payload = wire("AA BB")
        let attachment = wire("CC")
        func with(_ write: (inout ZenohWriter, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) -> [UInt8] {
            Self.written { writer in
                payload.withUnsafeBytes { payload in attachment.withUnsafeBytes { write(&writer, payload, $0) } }
            }
        }
        #expect(
            with { writer, payload, attachment in
                writer.writePush(key: "k", .default)
                writer.writeBody(payload: payload, attachment: attachment, encoding: .bytes)
            } == wire("7D 00 01 'k' 81 43 01 CC 02 AABB"))
        #expect(
            with { writer, payload, _ in
                writer.writePush(key: "k", ZenohQoS(priority: .realTime, blocks: true, isExpress: true))
                writer.writeBody(
                    payload: payload, attachment: nil, encoding: ZenohEncoding(number: 4, schema: "x"))
            } == wire("FD 00 01 'k' 21 19 41 09 01 'x' 02 AABB"))
        #expect(
            with { writer, payload, attachment in
                writer.writePush(key: "k", .default)
                writer.writeBody(payload: payload, attachment: attachment, encoding: .bytes, isDeletion: true)
            } == wire("7D 00 01 'k' 82 42 01 CC"))
        let clock = try #require(ZenohID([0xAB]))
        #expect(
            with { writer, payload, attachment in
                writer.writePush(key: "k", .default)
                writer.writeBody(
                    payload: payload, attachment: attachment, encoding: .bytes,
                    timestamp: ZenohTimestamp(time: 300, clock: clock))
            } == wire("7D 00 01 'k' A1 AC02 01 AB 43 01 CC 02 AABB"))
        var query = ZenohWriter.Query(key: "s", timeoutMilliseconds: 1000)
        query.target = .allComplete
        query.qos = .default
        query.consolidation = .none
        #expect(
            with { $0.writeRequest(id: 5, query, payload: $1, attachment: $2) }
                == wire("FC 05 00 01 's' B4 02 26 E807 A3 01 C3 03 00 AABB 45 01 CC"))
        query.parameters = "a=1"
        query.target = .bestMatching
        query.consolidation = .automatic
        #expect(
            Self.written { $0.writeRequest(id: 5, query, payload: nil, attachment: nil) }
                == wire("FC 05 00 01 's' 26 E807 43 03 'a=1'"))
        #expect(
            with { $0.writeReply(id: 5, key: "s", .service, payload: $1, attachment: $2) }
                == wire("FB 05 00 01 's' 21 1D 04 81 43 01 CC 02 AABB"))
        #expect(
            with { writer, payload, _ in writer.writeFailure(id: 5, key: "s", .service, payload: payload) }
                == wire("FB 05 00 01 's' 21 1D 05 02 AABB"))
        #expect(Self.written { $0.writeResponseFinal(id: 5) } == wire("1A 05"))
    }

    // MARK: What a router sends, as recorded from one

    @Test func `a publication with a timestamp`() throws {
        let (message, bytes) = try Self.read(
            "7D 00 07 'key/one' A1 A09FC896C4A4E2856B 10 4239EBC67E3B752C2E233BD20EDA52EC 43 03 'att' 05 'hello'")
        guard case .push(let key, let qos, let publication) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(String(decoding: bytes[key.suffix], as: UTF8.self) == "key/one" && key.alias == 0 && qos == .default)
        #expect(bytes[publication.payload].elementsEqual("hello".utf8))
        #expect(publication.attachment.map { Array(bytes[$0]) } == Array("att".utf8))
        // The recording was made in November 2026.
        #expect(publication.timestamp.map { $0.time >> 32 } == 1_795_918_116)
        #expect(publication.timestamp?.clock.description == "ec52da0ed23b232e2c753b7ec6eb3942")
    }

    @Test func `a deletion, an encoding, and a publication that is express`() throws {
        let (deletion, _) = try Self.read("7D 00 06 'wild/a' 02")
        guard case .push(_, _, let gone) = deletion else {
            Issue.record("\(deletion)")
            return
        }
        #expect(gone.isDeletion && gone.payload.isEmpty && gone.attachment == nil)
        let (message, bytes) = try Self.read("FD 00 01 'k' 21 11 41 09 01 'x' 01 FF")
        guard case .push(_, let qos, let publication) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(qos == ZenohQoS(priority: .realTime, isExpress: true))
        #expect(publication.encoding == 4 && bytes[publication.schema].elementsEqual("x".utf8))
        #expect(bytes[publication.payload].elementsEqual([0xFF]))
    }

    @Test func `a query with everything, and one with parameters`() throws {
        let (message, bytes) = try Self.read(
            "FC 01 00 07 'srv/one' A1 0D B4 02 26 E807 A3 01 C3 04 00 'req' 45 03 'xyz'")
        guard case .request(let request) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(request.id == 1 && request.target == 2 && request.timeoutMilliseconds == 1000)
        #expect(request.qos == ZenohQoS(blocks: true))
        #expect(request.payload.map { Array(bytes[$0]) } == Array("req".utf8))
        #expect(request.attachment.map { Array(bytes[$0]) } == Array("xyz".utf8))
        let (other, second) = try Self.read("FC 02 00 07 'srv/one' A1 0D 26 E807 63 03 05 'a=b;c'")
        guard case .request(let plain) = other else {
            Issue.record("\(other)")
            return
        }
        #expect(second[plain.parameters].elementsEqual("a=b;c".utf8) && plain.payload == nil && plain.target == 0)
    }

    @Test func `replies`() throws {
        let responder = "43 12 F0 141EF922DCB3F565CA0E03A99500C2F0 0C"
        let (value, bytes) = try Self.read("FB 05 00 05 'lib/q' \(responder) 04 81 43 02 'zz' 06 'answer'")
        guard case .response(5, _, .value(let publication)) = value else {
            Issue.record("\(value)")
            return
        }
        #expect(bytes[publication.payload].elementsEqual("answer".utf8))
        let (failure, others) = try Self.read("FB 05 00 05 'lib/q' \(responder) 05 03 'bad'")
        guard case .response(5, _, .failure(0, let payload)) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(others[payload].elementsEqual("bad".utf8))
        #expect(try Self.read("1A 06").0 == .responseFinal(id: 6))
    }

    @Test func `declarations of a router`() throws {
        let (token, bytes) = try Self.read("BE 07 21 08 66 00 00 05 'tok/a'")
        guard case .declare(7?, .token(0, let key)) = token else {
            Issue.record("\(token)")
            return
        }
        #expect(bytes[key.suffix].elementsEqual("tok/a".utf8))
        #expect(try Self.read("BE 07 21 08 1A").0 == .declare(interest: 7, .final))
        #expect(try Self.read("9E 21 08 87 02 5F 02 00 00").0 == .declare(interest: nil, .undeclareToken(id: 2, nil)))
        let (gone, text) = try Self.read("1E 87 02 5F 04 01 00 'ab'")
        guard case .declare(nil, .undeclareToken(2, let named?)) = gone else {
            Issue.record("\(gone)")
            return
        }
        #expect(text[named.suffix].elementsEqual("ab".utf8))
        let (alias, _) = try Self.read("1E 20 09 00 01 'a'")
        guard case .declare(nil, .alias(9, let whole)) = alias else {
            Issue.record("\(alias)")
            return
        }
        #expect(whole.alias == 0 && whole.suffix.count == 1)
        #expect(try Self.read("1E 01 09").0 == .declare(interest: nil, .undeclareAlias(id: 9)))
        let (queryable, _) = try Self.read("1E E4 02 00 01 's' 21 01")
        guard case .declare(nil, .queryable(2, _, isComplete: true)) = queryable else {
            Issue.record("\(queryable)")
            return
        }
        #expect(try Self.read("59 03 78 00 01 't'").0 == .interest(id: 3))
        #expect(try Self.read("19 03").0 == .interest(id: 3))
        #expect(try Self.read("5F 01 02 AABB").0 == .skipped)
    }

    // MARK: Extensions

    @Test func `unknown extensions are skipped, unknown mandatory ones are refused`() throws {
        // Of all three kinds, one after another, before and in the body.
        let (message, bytes) = try Self.read("FD 00 01 'k' 8E AE 7F CE 01 00 21 08 81 CE 02 0000 2E 05 01 AA")
        guard case .push(_, let qos, let publication) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(qos.blocks && bytes[publication.payload].elementsEqual([0xAA]))
        for text in ["FD 00 01 'k' 1E 01 00", "FD 00 01 'k' 3E 05 01 00", "7D 00 01 'k' 81 5E 00 00", "9E 1E 1A"] {
            var reader = ZenohReader(wire(text))
            #expect(throws: ZenohError.self, "\(text)") { try reader.readNetworkMessage() }
        }
    }

    @Test(arguments: [
        "FF", "7D", "7D 00 05 'k'", "7D 80 80 80 01 00", "7D 00 01 'k' 03", "7C 01 00 01 'k' 01", "1E 1F",
        "1B 01 00 01 'k' 04 07", "FD 00 01 'k' 61", "7D 00 01 'k' 01 FF FF FF FF 7F", "7D 00 01 'k' 21 01 11 0000",
    ])
    func `broken messages are errors`(text: String) {
        var reader = ZenohReader(wire(text))
        #expect(throws: ZenohError.self) { try reader.readNetworkMessage() }
    }
}
