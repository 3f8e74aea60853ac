import LatencyStatistics
import Statistics
import Testing

@Suite("When a vehicle began to move") struct MotionOnsetTests {
    /// Odometry at 50 Hz: half a second of rest, then from `begin` on (milliseconds) 2 m/s2 up to 0.5 m/s.
    private func detected(
        noise: Double, drift: Double = 0, begin: Int? = 100, seed: UInt64 = 1
    ) -> (onset: Int64?, noise: Double) {
        var random = SeededRandom(seed: seed)
        var onset = MotionOnset(rest: 0)
        for _ in 0..<30 { onset.takeRest(drift + noise * random.normal()) }
        for at in stride(from: 0, to: 1500, by: 20) {
            let moved = begin.map { min(0.5, 0.002 * Double(max(0, at - $0))) } ?? 0
            if onset.takeMotion(drift + moved + noise * random.normal(), at: Int64(at)) { break }
        }
        return (onset.onsetNanoseconds, onset.noiseMetresPerSecond)
    }

    @Test(arguments: [0, 0.005, 0.02, 0.04])
    func `it is found near its beginning, whatever the noise and the drift`(noise: Double) throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let found = detected(noise: noise, drift: 0.05, seed: seed)
            let onset = try #require(found.onset, "noise \(noise)")
            #expect((60...240).contains(onset), "\(onset) ms at \(noise) m/s")
        }
    }

    @Test(arguments: [0, 0.01, 0.05])
    func `a vehicle that hovers does not move`(noise: Double) {
        for seed in 1...200 as ClosedRange<UInt64> {
            #expect(detected(noise: noise, begin: nil, seed: seed).onset == nil)
        }
    }

    /// Seen in a run: 2.7 ms after the setpoint, under a condition of 20 ms each way.
    @Test func `a slow drift that goes before the motion is not its beginning`() {
        var onset = MotionOnset(rest: 0)
        for _ in 0..<25 { onset.takeRest(0) }
        for at in stride(from: Int64(0), to: 400, by: 20) {
            let moved = min(0.5, 0.002 * Double(max(0, at - 100)))
            if onset.takeMotion(0.025 + moved, at: at) { break }
        }
        #expect(onset.onsetNanoseconds.map { (100...140).contains($0) } == true, "\(onset.onsetNanoseconds ?? -1)")
    }

    @Test func `the noise floor is that before the push`() {
        #expect(abs(detected(noise: 0.05).noise - 0.05) < 0.02)
        #expect(detected(noise: 0).noise == 0.005)
        var unknown = MotionOnset(rest: 0.3)
        unknown.takeRest(.nan)
        #expect(unknown.noiseMetresPerSecond == 0.03)
        #expect(!unknown.takeMotion(.infinity, at: 1) && unknown.onsetNanoseconds == nil)
        for at in 2...9 { unknown.takeMotion(0.6, at: Int64(at)) }
        #expect(unknown.onsetNanoseconds == 2)
    }
}
