import Testing

@testable import ROS1
import ROSMessages

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
}
