import Statistics
import Testing
import UAVLink

@testable import Impairment

@Suite struct RelayQueueTests {
    @Test func `packets come out by their arrival, and at the same time in the order of sending`() {
        var queue = RelayQueue()
        var random = SeededRandom(seed: 5)
        var expected: [(at: Int64, order: Int)] = []
        for order in 0..<300 {
            let at = Int64.random(in: 0..<40, using: &random)
            queue.add([UInt8(order & 255), UInt8(order >> 8)], at: MonotonicTime(nanoseconds: at), flow: 0, isUp: true)
            expected.append((at, order))
        }
        expected.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        var found: [Int] = []
        while let packet = queue.pop(at: MonotonicTime(nanoseconds: 40)) {
            found.append(Int(packet.bytes[0]) | Int(packet.bytes[1]) << 8)
        }
        #expect(found == expected.map(\.order))
    }

    @Test func `nothing comes before its time, and what belonged to a client that left is forgotten`() {
        var queue = RelayQueue()
        queue.add([1], at: MonotonicTime(nanoseconds: 10), flow: 1, isUp: true)
        queue.add([2], at: MonotonicTime(nanoseconds: 20), flow: 2, isUp: false)
        let early = queue.pop(at: MonotonicTime(nanoseconds: 9))
        #expect(early.map(\.bytes) == nil)
        queue.forget(flow: 1)
        #expect(queue.next == MonotonicTime(nanoseconds: 20))
        let late = queue.pop(at: MonotonicTime(nanoseconds: 20))
        #expect(late?.bytes == [2])
    }
}
