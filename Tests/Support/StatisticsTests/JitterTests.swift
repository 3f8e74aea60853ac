import Statistics
import Testing

@Suite struct JitterTests {
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
