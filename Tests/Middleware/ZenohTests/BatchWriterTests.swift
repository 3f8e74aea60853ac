import Testing

@testable import Zenoh

@Suite struct BatchWriterTests {
    private static func push(_ writer: inout BatchWriter, _ size: Int, isReliable: Bool = true) {
        let payload = [UInt8](repeating: 7, count: size)
        writer.append(isReliable: isReliable) { message in
            message.writePush(key: "k", .default)
            payload.withUnsafeBytes { message.writeBody(payload: $0, attachment: nil, encoding: .bytes) }
        }
    }

    private static func batches(_ bytes: [UInt8]) -> [[UInt8]] {
        var assembler = BatchAssembler()
        bytes.withUnsafeBytes { assembler.append($0) }
        var found: [[UInt8]] = []
        while let batch = assembler.next() { found.append(Array(assembler.storage[batch])) }
        #expect(assembler.waiting == 0)
        return found
    }

    @Test func `messages of a channel share a frame`() {
        var writer = BatchWriter(batchSize: 1000, firstNumber: 5)
        Self.push(&writer, 1)
        Self.push(&writer, 2)
        Self.push(&writer, 1, isReliable: false)
        writer.finish()
        #expect(
            Self.batches(writer.output.bytes) == [
                wire("25 05 7D 00 01 'k' 01 01 07 7D 00 01 'k' 01 02 0707"), wire("05 05 7D 00 01 'k' 01 01 07"),
            ])
        writer.removeAll()
        Self.push(&writer, 0)
        writer.finish()
        #expect(Self.batches(writer.output.bytes) == [wire("25 06 7D 00 01 'k' 01 00")])
    }

    @Test func `no batch is larger than agreed, and all messages arrive`() throws {
        let sizes = [10, 100, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 500, 3, 100_000, 0, 128]
        var writer = BatchWriter(batchSize: 128, firstNumber: 0x0FFF_FFF0)
        for size in sizes { Self.push(&writer, size) }
        writer.finish()
        for batch in Self.batches(writer.output.bytes) { #expect(batch.count <= 128) }
        #expect(try Self.received(writer.output.bytes) == sizes)
    }

    /// The sizes of the payloads that the other end finds.
    private static func received(_ bytes: [UInt8]) throws -> [Int] {
        let now = Duration.zero
        var machine = SessionMachine(SessionMachine.Settings(id: identity([1])), now: now)
        let opening = batch("61 09 00 01 0A 00C0 00") + batch("62 0A F0FFFF7F")
        (opening + bytes).withUnsafeBytes { machine.receive($0, now: now) }
        var sizes: [Int] = []
        while let event = try machine.next(now: now) {
            if case .message(.push(_, _, let publication), _, _) = event { sizes.append(publication.payload.count) }
        }
        return sizes
    }
}
