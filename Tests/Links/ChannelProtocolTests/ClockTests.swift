import ChannelTestKit
import Statistics
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

/// What an end knows of the other's clock when one of the two is slewed: chrony at its limit makes a clock 10 % faster.
@Suite("Clocks that are slewed") struct ClockTests {
    private func exchange(offset: Duration, roundTrip: Duration, now: MonotonicTime) -> ClockExchange? {
        let half = roundTrip.nanoseconds / 2
        let there = now.nanoseconds + offset.nanoseconds - half
        return ClockExchange(
            sent: now.nanoseconds - 2 * half, receivedThere: there, sentThere: there, received: now.nanoseconds)
    }

    @Test func `an estimate that a newer exchange contradicts is dropped`() throws {
        var timing = PeerTiming()
        let now = MonotonicTime(nanoseconds: 10_000_000_000)
        timing.add(exchange(offset: .zero, roundTrip: .milliseconds(2), now: now), now: now)
        let later = now + .seconds(1)
        // Wider, and in no doubt about the old one: 30 to 70 ms.
        timing.add(exchange(offset: .milliseconds(50), roundTrip: .milliseconds(40), now: later), now: later)
        #expect(try #require(timing.estimate(now: later)).offset == 50_000_000)
        // A wider one that agrees changes nothing.
        timing.add(exchange(offset: .milliseconds(80), roundTrip: .milliseconds(60), now: later), now: later)
        #expect(try #require(timing.estimate(now: later)).offset == 50_000_000)
    }

    @Test(arguments: [0.1, -0.1, 0.0005, 0.0]) func `no setpoint acts beyond its validity, whatever the slew`(
        _ slew: Double
    ) throws {
        var random = SeededRandom(seed: 11)
        var timing = PeerTiming()
        var gate = SteeringGate()
        let validity = Duration.milliseconds(200)
        /// What the vehicle's clock shows at an instant of the ground's, in nanoseconds: slewed from 10 s on.
        func vehicle(_ ground: Int64) -> Int64 {
            ground + 5_000_000_000 + Int64(Double(max(0, ground - 10_000_000_000)) * slew)
        }
        func delay() -> Int64 { Int64.random(in: 2_000_000...175_000_000, using: &random) }
        var passed = 0
        for step in 1...1200 {
            // A heartbeat's exchange as the vehicle sees it, the newest that there can be.
            let arrived = Int64(step) * 100_000_000
            let left = arrived - delay()
            let came = left - Int64.random(in: 0...100_000_000, using: &random)
            let sent = came - delay()
            let now = MonotonicTime(nanoseconds: vehicle(arrived))
            timing.add(
                ClockExchange(
                    sent: vehicle(sent), receivedThere: came, sentThere: left, received: now.nanoseconds), now: now)
            for part in 0..<5 {
                let judged = arrived + Int64(part) * 20_000_000
                let intended = judged - Int64.random(in: 0...400_000_000, using: &random)
                let steering = Steering(
                    number: UInt64(step * 10 + part),
                    setpoint: Samples.setpoint(at: MonotonicTime(nanoseconds: intended), validFor: validity))
                let instant = MonotonicTime(nanoseconds: vehicle(judged))
                guard case .accepted = gate.judge(steering, timing: timing, now: instant) else { continue }
                passed += 1
                let age = Duration.nanoseconds(vehicle(judged) - vehicle(intended))
                #expect(age <= validity, "step \(step): \(age)")
            }
        }
        // It does let some through.
        #expect(passed > 500, "\(passed)")
    }

    @Test func `a setpoint whose age no number holds is too old`() throws {
        var timing = PeerTiming()
        let now = MonotonicTime(nanoseconds: 10_000_000_000)
        timing.add(exchange(offset: .zero, roundTrip: .milliseconds(2), now: now), now: now)
        var gate = SteeringGate()
        let steering = Steering(number: 1, setpoint: Samples.setpoint(at: MonotonicTime(nanoseconds: .min)))
        #expect(gate.judge(steering, timing: timing, now: now) == .stale)
        #expect(gate.counts.stale == 1)
    }
}
