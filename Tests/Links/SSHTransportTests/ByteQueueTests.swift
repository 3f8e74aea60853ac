@testable import SSHTransport
import Testing

@Suite struct ByteQueueTests {
    @Test func `bytes come out in the order in which they went in`() {
        var queue = ByteQueue()
        var random = SystemRandomNumberGenerator()
        var (pushed, popped): (UInt64, UInt64) = (0, 0)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...700, using: &random)).map {
                UInt8(truncatingIfNeeded: pushed + UInt64($0))
            }
            queue.append(bytes)
            pushed += UInt64(bytes.count)
            for byte in queue.take(upTo: Int.random(in: 0...700, using: &random)) {
                guard byte == UInt8(truncatingIfNeeded: popped) else { return #expect(Bool(false), "at \(popped)") }
                popped += 1
            }
            #expect(queue.count == Int(pushed - popped))
        }
        #expect(queue.takeAll().count == Int(pushed - popped))
        #expect(queue.isEmpty)
    }
}
