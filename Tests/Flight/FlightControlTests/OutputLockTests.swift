@testable import FlightControl
import Testing
import UAVLink

@Suite("The control output after an emergency landing")
struct OutputLockTests {
    /// Whether it is locked after these states, a second apart.
    private func isLocked(_ states: [(FlightState, hasOutput: Bool)], silence: Double = 1) -> Bool {
        var lock = OutputLock()
        for (number, state) in states.enumerated() {
            let status = FlightStatus(
                state: state.0, isArmed: state.0 != .disarmed, isOffboard: false, isOutputEnabled: state.hasOutput,
                isFlyingNormally: false)
            let seconds = Double(number) * silence
            lock.take(Sample(status, at: MonotonicTime(nanoseconds: Int64(seconds * 1e9))))
        }
        return lock.isLocked
    }

    @Test func `it stays off after an emergency landing, and not after another one or before a flight`() {
        #expect(!isLocked([(.disarmed, false)]))
        #expect(!isLocked([(.flying, true), (.landing, true), (.disarmed, false)]))
        #expect(!isLocked([(.flying, true), (.emergency, true)]))
        #expect(isLocked([(.flying, true), (.emergency, true), (.disarmed, false)]))
        #expect(
            isLocked([(.flying, true), (.emergency, true), (.armed, true), (.disarmed, false), (.disarmed, false)]))
        // An emergency hover that ended with a landing.
        #expect(!isLocked([(.emergency, true), (.landing, true), (.disarmed, false)]))
    }

    @Test func `a restart ends it: the output is on again, or nothing was heard for a while`() {
        let landed: [(FlightState, hasOutput: Bool)] = [(.emergency, true), (.disarmed, false)]
        #expect(isLocked(landed))
        #expect(!isLocked(landed + [(.armed, true)]))
        #expect(!isLocked(landed + [(.armed, true), (.armed, false)]))
        #expect(!isLocked(landed + [(.disarmed, false)], silence: 6))
    }
}
