import MRS
import Testing

@testable import VehicleAccess

@Suite struct TopicLinesTests {
    @Test(arguments: [1, 2, 3, 7, 100]) func `lines come out of any split`(_ size: Int) {
        var lines = TopicLines()
        let bytes = Array("one\n\ntwo ü\nrest".utf8)
        var out: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            out += lines.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(out == ["one", "", "two ü"])
    }

    @Test func `a line that is too long is left out, and the next one is not`() {
        var lines = TopicLines()
        let longest = [UInt8](repeating: 0x61, count: TopicLimits.lineBytes)
        #expect(lines.take(longest + [0x0A]).map(\.utf8.count) == [TopicLimits.lineBytes])
        #expect(lines.take(longest + [0x61]).isEmpty)
        #expect(lines.take(longest).isEmpty)
        #expect(lines.take(Array("\nnext\n".utf8)) == ["next"])
    }
}
