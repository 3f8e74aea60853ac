@testable import SSHTransport
import Testing
import UAVLink
import UAVTestKit

@Suite struct EndMarkerTests {
    @Test func `the mark is found in any split and its status read`() {
        let marker = EndMarker()
        let stream = Array("output without an end\(marker.text) 17\nrest".utf8)
        let expected = "output without an end".utf8.count
        for split in 1...stream.count {
            var (output, searched): ([UInt8], Int) = ([], 0)
            var found: Int?
            var rest = stream[...]
            while !rest.isEmpty {
                output += rest.prefix(split)
                rest = rest.dropFirst(split)
                found = found ?? marker.find(in: output, searched: &searched)
            }
            #expect(found == expected, "split \(split)")
            #expect(marker.status(in: output, at: expected) == 17)
        }
    }

    @Test func `no two marks are alike and a half is none`() {
        let marker = EndMarker()
        #expect(marker.text != EndMarker().text)
        var searched = 0
        #expect(marker.find(in: Array(marker.text.utf8.dropLast()), searched: &searched) == nil)
        let incomplete: Int32?? = marker.status(in: Array("\(marker.text) 1".utf8), at: 0)
        #expect(incomplete == nil)
    }
}

@Suite struct TurnQueueTests {
    @Test func `one waits for the other and a deadline or cancellation ends the wait`() async throws {
        let clock = FakeClock()
        let turns = TurnQueue(clock: clock)
        @Sendable func enter(within time: Duration) async throws {
            try await turns.enter(by: Deadline(at: clock.now + time))
        }
        try await enter(within: .seconds(1))
        let begun = clock.now
        await #expect(throws: LinkError.self) {
            try await clock.run(through: { try await enter(within: .milliseconds(20)) })
        }
        #expect(clock.now - begun == .milliseconds(20))
        let waiting = Task { try await enter(within: .seconds(60)) }
        waiting.cancel()
        await #expect(throws: LinkError.self) { try await waiting.value }
        let next = Task { try await enter(within: .seconds(60)) }
        await settle()
        turns.pass()
        try await next.value
        turns.pass()
        try await enter(within: .seconds(1))
    }
}

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
