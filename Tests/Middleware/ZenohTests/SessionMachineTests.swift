import Testing

@testable import Zenoh

/// Sessions of which the test plays the router, byte by byte.
@Suite struct SessionMachineTests {
    private static let start = Duration.seconds(100)
    private static let id = identity(Array(1...16))
    private static let initAck = batch("61 09 F0 100F0E0D0C0B0A090807060504030201 0A 00C0 03 C0FFEE")
    private static let openAck = batch("62 0A D987B91E")

    private static func feed(
        _ machine: inout SessionMachine, _ bytes: [UInt8], at now: Duration = start
    ) throws -> [SessionMachine.Event] {
        bytes.withUnsafeBytes { machine.receive($0, now: now) }
        var events: [SessionMachine.Event] = []
        while let event = try machine.next(now: now) { events.append(event) }
        return events
    }

    /// A session that is open, and expects the frame D987B91E of both channels next.
    private static func open(_ settings: SessionMachine.Settings? = nil) throws -> SessionMachine {
        var machine = SessionMachine(settings ?? SessionMachine.Settings(id: id), now: start)
        _ = try feed(&machine, initAck + openAck)
        _ = machine.takeOutput()
        return machine
    }

    /// The keys and payloads of publications.
    private static func publications(_ events: [SessionMachine.Event]) -> [String] {
        events.compactMap { event in
            guard case .message(.push(_, _, let publication), let key?, let bytes) = event else { return nil }
            return key.text(in: bytes) + "=" + String(decoding: bytes[publication.payload], as: UTF8.self)
        }
    }

    @Test(arguments: [1, 3, 1000])
    func `it opens in any split of the bytes`(step: Int) throws {
        var settings = SessionMachine.Settings(id: Self.id)
        settings.firstNumber = 5
        var machine = SessionMachine(settings, now: Self.start)
        #expect(machine.takeOutput() == batch("C1 09 F2 0102030405060708090A0B0C0D0E0F10 0A FFFF 01"))
        var events: [SessionMachine.Event] = []
        let bytes = Self.initAck + Self.openAck + batch("25 D987B91E 7D 00 01 'k' 01 01 'v'")
        for begin in stride(from: 0, to: bytes.count, by: step) {
            events += try Self.feed(&machine, Array(bytes[begin..<min(bytes.count, begin + step)]))
        }
        #expect(machine.takeOutput() == batch("42 0A 05 03 C0FFEE"))
        guard case .opened(let router, let batchSize)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(router.description == "102030405060708090a0b0c0d0e0f10" && batchSize == 0xC000)
        #expect(Self.publications(events) == ["k=v"])
    }

    @Test func `a sign of life every quarter of our lease, and none from the router for its lease`() throws {
        var machine = try Self.open()
        #expect(machine.deadline == Self.start + .seconds(2.5))
        try machine.deadlinePassed(now: Self.start + .seconds(2.4))
        #expect(!machine.hasOutput)
        try machine.deadlinePassed(now: Self.start + .seconds(2.5))
        #expect(machine.takeOutput() == batch("04"))
        #expect(machine.deadline == Self.start + .seconds(5))
        #expect(try Self.feed(&machine, batch("04"), at: Self.start + .seconds(9)).isEmpty)
        try machine.deadlinePassed(now: Self.start + .seconds(18.9))
        let error = #expect(throws: ZenohError.self) { try machine.deadlinePassed(now: Self.start + .seconds(19)) }
        #expect(error?.code == .connectionLost)
    }

    @Test func `a router that does not answer, or drips, is given up`() throws {
        var machine = SessionMachine(SessionMachine.Settings(id: Self.id), now: Self.start)
        _ = try Self.feed(&machine, Array(Self.initAck.prefix(5)), at: Self.start + .seconds(9))
        #expect(machine.deadline == Self.start + .seconds(10))
        let error = #expect(throws: ZenohError.self) { try machine.deadlinePassed(now: Self.start + .seconds(10)) }
        #expect(error?.code == .timedOut)
    }

    @Test func `several messages in a frame, several frames in a batch, both channels`() throws {
        var machine = try Self.open()
        let frame = "7D 00 01 'a' 01 01 '1' 7D 00 01 'b' 01 01 '2'"
        let events = try Self.feed(
            &machine,
            batch("25 D987B91E \(frame) 04 05 D987B91E 7D 00 01 'c' 01 01 '3' 25 DA87B91E 7D 00 01 'd' 01 01 '4'"))
        #expect(Self.publications(events) == ["a=1", "b=2", "c=3", "d=4"])
    }

    @Test func `frames that come twice or late are discarded, gaps are not`() throws {
        var machine = try Self.open()
        let first = batch("25 D987B91E 7D 00 01 'a' 01 01 '1'")
        let third = batch("25 DB87B91E 7D 00 01 'a' 01 01 '3'")
        let second = batch("25 DA87B91E 7D 00 01 'a' 01 01 '2'")
        #expect(Self.publications(try Self.feed(&machine, first + first + third + second)) == ["a=1", "a=3"])
        #expect(machine.repeatedFrames == 2)
    }

    @Test func `the numbers of frames are a circle of 28 bits`() {
        var number = SequenceNumber(next: 0x0FFF_FFFF)
        var sent = number
        #expect(sent.take() == 0x0FFF_FFFF && sent.take() == 0)
        #expect(number.accept(0x0FFF_FFFF) && number.accept(0) && !number.accept(0x0FFF_FFFF) && number.accept(7))
        #expect(!number.accept(0x1000_0000) && !number.accept(.max) && number.next == 8)
    }

    @Test func `agreed priorities have numbers and fragments of their own`() throws {
        var machine = SessionMachine(SessionMachine.Settings(id: Self.id), now: Self.start)
        let initAck = batch("E1 09 F0 100F0E0D0C0B0A090807060504030201 0A 00C0 03 C0FFEE 01")
        _ = try Self.feed(&machine, initAck + Self.openAck)
        let frames =
            batch("25 D987B91E 7D 00 01 'a' 01 01 '1'") + batch("A5 D987B91E 31 01 7D 00 01 'b' 01 01 '2'")
            + batch("E6 DA87B91E B1 01 02 7D 00 01 'c' 01") + batch("25 DA87B91E 7D 00 01 'd' 01 01 '3'")
            + batch("A6 DB87B91E 31 01 01 '4'")
        #expect(Self.publications(try Self.feed(&machine, frames)) == ["a=1", "b=2", "d=3", "c=4"])
        #expect(machine.repeatedFrames == 0)
    }

    // MARK: Aliases

    @Test func `aliases of the router stand for their keys, alone, with a text, and in other aliases`() throws {
        var machine = try Self.open()
        let declared = "1E 20 01 00 03 'a/b' 1E 20 02 01 02 '/c'"
        let used = "5D 01 01 01 '1' 7D 01 02 '/x' 01 01 '2' 5D 02 01 01 '3'"
        let events = try Self.feed(&machine, batch("25 D987B91E \(declared) \(used)"))
        #expect(Self.publications(events) == ["a/b=1", "a/b/x=2", "a/b/c=3"])
        let again = try Self.feed(&machine, batch("25 DA87B91E 1E 20 01 00 01 'z' 5D 01 01 01 '4'"))
        #expect(Self.publications(again) == ["z=4"])
        #expect(throws: ZenohError.self) { try Self.feed(&machine, batch("25 DB87B91E 1E 01 01 5D 01 01 01 '5'")) }
    }

    @Test(arguments: ["5D 09 01 00", "1D 01 01 00", "1E 20 00 00 01 'a'", "1E 00 01 00", "1E 20 01 09 01 'a'"])
    func `unknown aliases, ours of which there are none, and empty ones are errors`(text: String) throws {
        var machine = try Self.open()
        let error = #expect(throws: ZenohError.self) { try Self.feed(&machine, batch("25 D987B91E " + text)) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `aliases that grow by each other are bounded`() throws {
        var machine = try Self.open()
        var failure: ZenohError?
        var number: UInt32 = 0x03CE_43D9
        let long = String(repeating: "x", count: 4000)
        for alias in UInt8(1)...127 {
            var writer = ZenohWriter()
            writer.writeUInt16(0)
            writer.writeFrame(isReliable: true, number: number)
            number += 1
            for part in 1...14 {
                writer.writeRaw([0x1E, 0x20])
                writer.writeNumber(Int(alias) * 14 + part)
                writer.writeNumber(0)
                writer.writeText(long)
            }
            writer.replaceUInt16(at: 0, with: UInt16(writer.count - 2))
            do { _ = try Self.feed(&machine, writer.bytes) } catch { failure = error as? ZenohError }
            if failure != nil { break }
        }
        #expect(failure?.code == .tooLarge)
    }

    // MARK: Fragments

    @Test func `fragments of both channels are joined, with and without marks of their beginning`() throws {
        var machine = try Self.open()
        let events = try Self.feed(
            &machine,
            batch("E6 D987B91E 02 7D 00 01") + batch("46 D987B91E 7D 00 01 'b'") + batch("66 DA87B91E 'a' 01 04")
                + batch("06 DA87B91E 01 01 '2'") + batch("26 DB87B91E 'long'"))
        #expect(Self.publications(events) == ["b=2", "a=long"])
        let next = try Self.feed(&machine, batch("25 DC87B91E 7D 00 01 'c' 01 01 '3'"))
        #expect(Self.publications(next) == ["c=3"])
    }

    @Test func `a message of which a fragment is missing is dropped, the next one is not`() throws {
        var machine = try Self.open()
        let broken = batch("66 D987B91E 7D 00 01 'a' 01") + batch("66 DB87B91E 04 'lo'") + batch("26 DC87B91E 'ng'")
        #expect(Self.publications(try Self.feed(&machine, broken)).isEmpty)
        let dropped = batch("66 DD87B91E 7D 00") + batch("A6 DE87B91E 03")
        #expect(Self.publications(try Self.feed(&machine, dropped)).isEmpty)
        let whole = batch("66 DF87B91E 7D 00 01 'a' 01") + batch("26 E087B91E 02 'ok'")
        #expect(Self.publications(try Self.feed(&machine, whole)) == ["a=ok"])
    }

    @Test func `a message in fragments is bounded`() throws {
        var settings = SessionMachine.Settings(id: Self.id)
        settings.maximumMessageBytes = 11
        var machine = try Self.open(settings)
        let fits = batch("66 D987B91E 7D 00 01 'a' 01 05") + batch("26 DA87B91E 'exact'")
        #expect(Self.publications(try Self.feed(&machine, fits)) == ["a=exact"])
        _ = try Self.feed(&machine, batch("66 DB87B91E 7D 00 01 'a' 01 06"))
        let error = #expect(throws: ZenohError.self) { try Self.feed(&machine, batch("26 DC87B91E 'longer'")) }
        #expect(error?.code == .tooLarge)
    }

    // MARK: Refusals

    @Test(arguments: [
        "61 08 F0 100F0E0D0C0B0A090807060504030201 0A 00C0 00", "61 09 F0 100F0E0D0C0B0A090807060504030201 05 00C0 00",
        "61 09 F0 100F0E0D0C0B0A090807060504030201 0A 1000 00", "62 0A 00", "25 00", "04", "03 03", "61 09 F0 10",
        "41 09 F2 0102030405060708090A0B0C0D0E0F10 0A FFFF", "E1 09 00 0A 0A 00C0 00 1E", "1F", "07",
    ])
    func `what does not open a session is an error`(text: String) {
        var machine = SessionMachine(SessionMachine.Settings(id: Self.id), now: Self.start)
        #expect(throws: ZenohError.self) { try Self.feed(&machine, batch(text)) }
    }

    @Test(arguments: [
        "03 05", "23 00", "7D 00 01 'k' 01 00", "25 DA87B91E FF", "62 0A 00", "A5 DA87B91E 31 02", "A5 DA87B91E 1E",
        "60",
    ])
    func `what ends a session`(text: String) throws {
        var machine = try Self.open()
        let error = #expect(throws: ZenohError.self) { try Self.feed(&machine, batch(text)) }
        #expect(error?.code == .refused || error?.code == .protocolViolation)
    }

    @Test func `the priority that all frames have may be named`() throws {
        var machine = try Self.open()
        let events = try Self.feed(&machine, batch("A5 D987B91E 31 05 7D 00 01 'k' 01 01 'v'"))
        #expect(Self.publications(events) == ["k=v"])
    }

    @Test(arguments: 0..<40)
    func `any bytes are an error or nothing`(seed: UInt64) throws {
        var generator = Lehmer(seed: seed)
        for _ in 0..<200 {
            var machine = try Self.open()
            var bytes = wire(
                "25 D987B91E 1E 20 01 00 03 'a/b' 5D 01 21 00 A1 01 01 02 43 01 'a' 01 '1' 7C 01 00 01 'k' 63 00 00")
            bytes += wire("BE 07 21 08 66 00 00 05 'tok/a' FB 05 00 01 'q' 43 01 00 04 81 43 01 'z' 01 'a' 1A 05")
            for _ in 0..<(generator.next() % 6 + 1) {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            bytes.removeLast(Int(generator.next() % 8))
            let framed = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
            do { _ = try Self.feed(&machine, framed) } catch { #expect(error is ZenohError) }
        }
    }
}

/// A generator whose numbers are the same in every run.
private struct Lehmer: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
