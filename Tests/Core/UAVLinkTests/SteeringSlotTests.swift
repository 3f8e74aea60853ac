import Testing
import UAVLink

@Suite struct SteeringSlotTests {
    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private func setpoint(_ x: Double, at milliseconds: Int, validFor: Int = 200) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: x, y: 0, z: 0), intendedAt: at(milliseconds),
            validFor: .milliseconds(validFor))
    }

    @Test func `the newest wins and only one is under way`() {
        var slot = SteeringSlot()
        #expect(slot.offer(setpoint(1, at: 0)) == 1)
        #expect(slot.next(now: at(1))?.velocityMetresPerSecond.x == 1)
        #expect(slot.offer(setpoint(2, at: 10)) == 2)
        #expect(slot.offer(setpoint(3, at: 20)) == 3)
        #expect(slot.next(now: at(21)) == nil)
        slot.finished(accepted: true)
        #expect(slot.next(now: at(22))?.velocityMetresPerSecond.x == 3)
        slot.finished(accepted: false)
        #expect(slot.next(now: at(23)) == nil)
        #expect((slot.sent, slot.applied, slot.expired) == (2, 1, 0))
    }

    @Test func `one that has expired when its turn comes is dropped and counted`() {
        var slot = SteeringSlot()
        _ = slot.offer(setpoint(1, at: 0, validFor: 100))
        #expect(slot.next(now: at(100)) == nil)
        #expect(slot.expired == 1)
        _ = slot.offer(setpoint(1, at: 0, validFor: 100))
        #expect(slot.next(now: at(99)) != nil)
        #expect(slot.expired == 1)
    }

    @Test func `one that expires before it is sent was not sent, and the next one goes`() {
        var slot = SteeringSlot()
        _ = slot.offer(setpoint(1, at: 0))
        #expect(slot.next(now: at(1)) != nil)
        slot.expiredUnsent()
        #expect((slot.sent, slot.applied, slot.expired) == (0, 0, 1))
        _ = slot.offer(setpoint(2, at: 10))
        #expect(slot.next(now: at(11))?.velocityMetresPerSecond.x == 2)
    }

    @Test func `nothing goes while motion is being stopped and what waited is forgotten`() {
        var slot = SteeringSlot()
        _ = slot.offer(setpoint(1, at: 0))
        slot.commandBegins()
        #expect(slot.next(now: at(1)) == nil)
        slot.commandBegins()
        slot.commandEnds()
        _ = slot.offer(setpoint(2, at: 5))
        #expect(slot.next(now: at(6)) == nil)
        slot.commandEnds()
        #expect(slot.next(now: at(7))?.velocityMetresPerSecond.x == 2)
    }

    @Test func `percentiles are of the recent past`() {
        var window = RoundTripWindow()
        #expect(window.percentile(0.5) == nil)
        for value in 1...150 { window.add(.milliseconds(value), at: at(value)) }
        #expect(window.newest == .milliseconds(150) && window.newestAt == at(150))
        #expect(window.percentile(0.5) == .milliseconds(100))
        #expect(window.percentile(0.99) == .milliseconds(149))
        #expect(window.percentile(1) == .milliseconds(150))
        #expect(window.percentile(0) == .milliseconds(51))
    }
}
