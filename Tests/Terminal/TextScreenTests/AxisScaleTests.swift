import Testing
import TextScreen

@Suite("Scales of axes")
struct AxisScaleTests {
    @Test(
        "ends are round and contain the values",
        arguments: [
            ([0, 9.7], 1, 0, 10, "10"), ([2.9, 3.1], 0.5, 2.6, 3.4, "3.4"), ([15.9], 0.5, 15.6, 16.2, "16.2"),
            ([-3, 4], 1, -4, 4, "4"), ([100, 1234], 1, 0, 1500, "1500"), ([0.01, 0.018], 0, 0.01, 0.018, "0.018"),
        ] as [([Double], Double, Double, Double, String)])
    func round(_ values: [Double], _ span: Double, _ low: Double, _ high: Double, _ label: String) throws {
        let scale = try #require(AxisScale(values, minimumSpan: span))
        #expect(abs(scale.low - low) < 1e-9 && abs(scale.high - high) < 1e-9, "\(scale.low) to \(scale.high)")
        #expect(scale.label(scale.high) == label)
        for value in values { #expect((0...1).contains(scale.share(of: value))) }
    }

    @Test("nothing known, nothing finite and nothing possible has no scale, and no value breaks one")
    func extremes() {
        #expect(AxisScale([], minimumSpan: 1) == nil)
        #expect(AxisScale([.nan, .infinity, 1e300], minimumSpan: 1) == nil)
        for value in [0, 1e12, -1e12, 1e-300, Double.leastNonzeroMagnitude] {
            let scale = AxisScale([value], minimumSpan: 0)
            #expect(scale.map { $0.high > $0.low && (0...1).contains($0.share(of: value)) } == true, "\(value)")
        }
        #expect(AxisScale([-1e12, 1e12], minimumSpan: 0).map { $0.high > $0.low } == true)
    }
}
