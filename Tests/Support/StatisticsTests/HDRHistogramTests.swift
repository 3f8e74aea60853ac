import Testing

@testable import Statistics

@Suite struct HDRHistogramTests {
    @Test func `small values are exact`() {
        var histogram = HDRHistogram()
        for value: Int64 in 0...2047 { histogram.record(value) }
        #expect(histogram.value(at: .p50) == 1023 && histogram.largest == 2047 && histogram.total == 2048)
    }

    @Test func `every value is known within a thousandth`() {
        for value in FixedData.values(2000) + [1, 2048, 4095, 4096, HDRHistogram.hour] {
            var histogram = HDRHistogram()
            histogram.record(value)
            let read = histogram.value(at: .p50) ?? -1
            #expect(read >= value && Double(read - value) <= Double(value) / 1000, "\(value) reads as \(read)")
        }
    }

    @Test func `what is too great is counted as the greatest, and reported`() {
        var histogram = HDRHistogram(greatest: 10_000)
        histogram.record(20_000)
        histogram.record(-3)
        #expect(histogram.overflowCount == 1 && histogram.total == 2)
        #expect(histogram.value(at: .p90).map { $0 >= 10_000 && $0 < 10_010 } == true)
    }

    @Test func `an empty one has no percentile, and still an encoding`() {
        let histogram = HDRHistogram()
        #expect(histogram.value(at: .p50) == nil && histogram.largest == nil)
        #expect(histogram.encoded().count == 41)
    }

    @Test func `a log names what was measured and when`() {
        var histogram = HDRHistogram()
        histogram.record(5_000_000)
        let log = HDRLog(
            comments: ["one\ntwo"], startSeconds: 1_700_000_000.5,
            entries: [.init(tag: "udp, command", startSeconds: 0, lengthSeconds: 30, histogram: histogram)])
        let lines = log.text.split(separator: "\n")
        #expect(lines[0] == "#one two")
        #expect(lines[2] == "#[StartTime: 1700000000.500 (seconds since epoch)]")
        #expect(lines[4].hasPrefix("Tag=udp__command,0.000,30.000,5.001,HISTFAAA"))
    }
}
