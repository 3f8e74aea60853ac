import Statistics
import Testing

@Suite struct SequenceTests {
    @Test func `what comes in order is neither lost nor doubled nor overtaken`() {
        var counter = ArrivalCounter()
        for number in 0..<200 { counter.arrive(number) }
        #expect(counter.arrived == 200 && counter.duplicates == 0 && counter.reordered == 0)
        #expect(counter.lost(of: 200) == 0 && counter.lost(of: 203) == 3)
    }

    @Test func `a message that comes after a greater one was overtaken, and a second copy is a duplicate`() {
        var counter = ArrivalCounter()
        for number in [0, 2, 1, 1, 5, 3, 4, 5] { counter.arrive(number) }
        #expect(counter.arrived == 6 && counter.duplicates == 2 && counter.reordered == 3)
    }

    @Test func `a number below zero is none`() {
        var counter = ArrivalCounter()
        counter.arrive(-1)
        #expect(counter.arrived == 0)
    }

    @Test func `the running jitter is that of RFC 3550`() {
        var jitter = Jitter()
        for transit: Int64 in [100, 116, 100, 148] { jitter.arrive(transit: transit) }
        // 16/16 = 1; 1 + (16 - 1)/16 = 1.9375; 1.9375 + (48 - 1.9375)/16.
        #expect(jitter.rfc3550 == 1.9375 + (48 - 1.9375) / 16)
        #expect(jitter.delayVariation == [16, -16, 48])
    }

    @Test func `a constant delay has no jitter, whatever the clocks say`() {
        var jitter = Jitter()
        for _ in 0..<10 { jitter.arrive(transit: -5_000_000_000) }
        #expect(jitter.rfc3550 == 0)
    }
}
