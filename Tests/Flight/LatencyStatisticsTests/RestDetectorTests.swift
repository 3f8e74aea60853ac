import LatencyStatistics
import Statistics
import Testing

@Suite("A vehicle at rest") struct RestDetectorTests {
    /// 20 ms between two speeds, as before a push.
    private static func restSeconds(of speeds: (Double) -> Double) -> Double? {
        var detector = RestDetector()
        return stride(from: 0.0, to: 4, by: 0.02).first { detector.add(x: speeds($0), y: 0.2) }
    }

    @Test func `a constant speed is rest as soon as there are enough values`() throws {
        let seconds = try #require(Self.restSeconds { _ in 0.3 })
        #expect(abs(seconds - 0.02 * Double(RestDetector.window - 1)) < 1e-9)
    }

    /// The speed of a vehicle that brakes after the way back: with a push begun at once its falling speed is taken for
    /// the push, before the setpoint can have arrived.
    @Test func `a push waits for a vehicle that still brakes, whose speed would be taken for the push`() throws {
        func speed(_ seconds: Double) -> Double { max(0, 0.3 - 0.25 * seconds) }
        func onset(from start: Double) -> Bool {
            var onset = MotionOnset(rest: -speed(start))
            for step in 0..<25 { onset.takeRest(-speed(start + 0.02 * Double(step))) }
            // 80 ms later the vehicle has not yet heard of the push; then it moves.
            for step in 25..<50 {
                let at = start + 0.02 * Double(step)
                let pushed = step < 29 ? 0 : 0.05 * Double(step - 28)
                if onset.takeMotion(pushed - speed(at), at: Int64(step - 25) * 20) { break }
            }
            guard let seen = onset.onsetNanoseconds else { return false }
            return seen >= 80
        }
        #expect(!onset(from: 0.3))
        let rest = try #require(Self.restSeconds(of: speed))
        #expect(rest > 1)
        #expect(onset(from: rest))
    }

    @Test(arguments: [0.01, 0.05])
    func `noise is rest`(deviation: Double) throws {
        var random = SeededRandom(seed: 7)
        let seconds = try #require(Self.restSeconds { _ in deviation * random.normal() })
        #expect(seconds < 1)
    }

    @Test func `what is not a number is no rest`() {
        #expect(Self.restSeconds { _ in .nan } == nil)
    }
}
