import Companion
import Testing
import UAVLink

@Suite struct SteeringLeaseTests {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func steering(since: MonotonicTime) -> SteeringLease<Int> {
        var lease = SteeringLease<Int>(duration: .milliseconds(200))
        #expect(lease.renew(by: 1, isNeutral: true, at: since) == .granted)
        return lease
    }

    @Test func `nobody steers at first and nothing lapses`() {
        var lease = SteeringLease<Int>()
        #expect(lease.holder == nil)
        #expect(lease.deadline == nil)
        #expect(lease.lapse(at: start + .seconds(3600)) == nil)
    }

    @Test func `only a neutral setpoint begins`() {
        var lease = SteeringLease<Int>()
        #expect(lease.renew(by: 1, isNeutral: false, at: start) == .notBegun)
        #expect(lease.holder == nil)
        #expect(lease.renew(by: 1, isNeutral: true, at: start) == .granted)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .milliseconds(10)) == .granted)
    }

    @Test func `it lapses at its deadline, not before, and says so once`() {
        var lease = steering(since: start)
        #expect(lease.deadline == start + .milliseconds(200))
        #expect(lease.lapse(at: start + .nanoseconds(199_999_999)) == nil)
        #expect(lease.lapse(at: start + .milliseconds(200)) == 1)
        #expect(lease.lapse(at: start + .seconds(1)) == nil)
    }

    @Test func `a setpoint moves the deadline`() {
        var lease = steering(since: start)
        for step in 1...1000 {
            let now = start + .milliseconds(100 * step)
            #expect(lease.lapse(at: now) == nil)
            #expect(lease.renew(by: 1, isNeutral: false, at: now) == .granted)
        }
        #expect(lease.lapse(at: start + .milliseconds(100_199)) == nil)
        #expect(lease.lapse(at: start + .milliseconds(100_200)) == 1)
    }

    @Test func `after a lapse motion does not come back without a neutral setpoint`() {
        var lease = steering(since: start)
        #expect(lease.lapse(at: start + .milliseconds(300)) == 1)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .milliseconds(310)) == .notBegun)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .seconds(60)) == .notBegun)
        #expect(lease.renew(by: 1, isNeutral: true, at: start + .seconds(61)) == .granted)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .milliseconds(61_010)) == .granted)
    }

    @Test func `a setpoint after the deadline but before the hover does not save the lease`() {
        var lease = steering(since: start)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .milliseconds(201)) == .notBegun)
        #expect(lease.lapse(at: start + .milliseconds(202)) == 1)
    }

    @Test func `another may not steer while one does, but may after a lapse`() {
        var lease = steering(since: start)
        #expect(lease.renew(by: 2, isNeutral: true, at: start + .milliseconds(100)) == .heldByAnother)
        #expect(lease.holder == 1)
        #expect(lease.lapse(at: start + .milliseconds(200)) == 1)
        #expect(lease.renew(by: 2, isNeutral: true, at: start + .milliseconds(300)) == .granted)
        #expect(lease.holder == 2)
    }

    @Test func `a command that takes over ends it without a lapse, and late setpoints do not begin anew`() {
        var lease = steering(since: start)
        lease.end()
        #expect(lease.deadline == nil)
        #expect(lease.renew(by: 1, isNeutral: false, at: start + .milliseconds(5)) == .notBegun)
        #expect(lease.lapse(at: start + .seconds(1)) == nil)
    }
}
