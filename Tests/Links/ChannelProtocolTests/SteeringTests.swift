import ChannelTestKit
import Impairment
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("Steering between two sessions") struct SteeringTests {
    @Test func `a thousand setpoints a second arrive once each and in order`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(3)))
        ends.open()
        var number = 0.0
        try ends.run(for: .seconds(5)) {
            number += 1
            try ends.ground.steer(Samples.setpoint(x: number, at: ends.now), now: ends.now)
        }
        ends.run(for: .milliseconds(10))
        #expect(ends.setpoints.map(\.setpoint.velocityMetresPerSecond.x) == (1...5000).map(Double.init))
        #expect(ends.vehicle.setpoints == SetpointCounts(applied: 5000))
    }

    @Test func `an older setpoint never follows a newer one, whatever the network does`() throws {
        let ends = try TwoEnds(seed: 4, .bad)
        ends.open()
        var number = 0.0
        try ends.run(for: .seconds(10)) {
            number += 1
            try ends.ground.steer(Samples.setpoint(x: number, at: ends.now), now: ends.now)
        }
        let seen = ends.setpoints.map(\.setpoint.velocityMetresPerSecond.x)
        #expect(seen.count > 1000)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ends.vehicle.setpoints.superseded > 100)
    }

    @Test func `a setpoint is refused as soon as it may be too old`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(40)))
        ends.open()
        let bound = try #require(ends.vehicle.timing.estimate(now: ends.vehicleNow)).bound
        // One way 40 ms, and a bound of 40 ms and a little; 34 ms more, should a clock be slewed (12 % of 280 ms).
        #expect((40_000_000..<42_000_000).contains(bound))
        try ends.ground.steer(Samples.setpoint(x: 1, at: ends.now, validFor: .milliseconds(116)), now: ends.now)
        ends.run(for: .milliseconds(100))
        #expect(ends.setpoints.count == 1)
        try ends.ground.steer(Samples.setpoint(x: 2, at: ends.now, validFor: .milliseconds(79)), now: ends.now)
        ends.run(for: .milliseconds(100))
        #expect(ends.setpoints.count == 1)
        #expect(ends.vehicle.setpoints.stale == 1)
        ends.run(for: .milliseconds(300))
        #expect(ends.ground.setpoints.stale == 1)
    }

    /// Half of the round trip is the setpoint's way, the other half is in doubt about the clocks, and meanwhile these may be slewed.
    @Test(arguments: [(75, true), (90, false)])
    func `with a round trip of 150 ms every setpoint acts, and with 180 ms steering cannot begin`(
        oneWay: Int, acts: Bool
    ) throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(oneWay)))
        ends.open()
        var milliseconds = 0
        try ends.run(for: .seconds(3)) {
            milliseconds += 1
            guard milliseconds.isMultiple(of: 20) else { return }
            try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        }
        ends.run(for: .milliseconds(600))
        #expect(ends.setpoints.count == (acts ? 150 : 0))
        #expect(ends.vehicle.setpoints.stale == (acts ? 0 : 150))
        #expect(ends.ground.setpoints.stale == (acts ? 0 : 150), "the pilot sees it")
    }

    @Test func `before the clocks are known a setpoint is refused, and the first heartbeat makes them known`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(10)))
        ends.run(for: .milliseconds(21))
        #expect(ends.ground.phase == .open)
        ends.keepsFrames = true
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        // The heartbeat is under way already; this overtakes it, as on a network that changes the order.
        ends.network.isDark = true
        ends.flush()
        ends.network.isDark = false
        ends.deliver(try #require(ends.sentFrames.last).bytes, to: .vehicle)
        #expect(ends.setpoints.isEmpty && ends.vehicle.setpoints.stale == 1)
        ends.run(for: .milliseconds(10))
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.run(for: .milliseconds(11))
        #expect(ends.setpoints.count == 1)
    }

    @Test func `the times handed out are the vehicle's and never in its future`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(10)), offset: .seconds(-4000))
        ends.open()
        let meant = ends.now
        try ends.ground.steer(Samples.setpoint(at: meant), now: ends.now)
        ends.run(for: .milliseconds(20))
        let bound = try #require(ends.vehicle.timing.estimate(now: ends.vehicleNow)).bound
        let first = try #require(ends.setpoints.first)
        #expect(abs((first.setpoint.intendedAt - (meant + ends.offset)).nanoseconds) <= bound)

        try ends.ground.steer(Samples.setpoint(at: ends.now + .seconds(100)), now: ends.now)
        ends.run(for: .milliseconds(20))
        let last = try #require(ends.setpoints.last)
        #expect(last.setpoint.intendedAt == last.at)
    }

    @Test func `a setpoint that arrives after a later command does not act`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.keepsFrames = true
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.network.isDark = true
        ends.flush()
        let late = try #require(ends.sentFrames.last).bytes
        ends.network.isDark = false
        _ = try ends.ground.begin(.hover, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(5))
        #expect(ends.performed == [.hover])
        ends.deliver(late, to: .vehicle)
        #expect(ends.setpoints.isEmpty)
        #expect(ends.vehicle.setpoints.superseded == 1)
    }

    @Test func `a stop overtakes everything and drops the setpoint that waits`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.keepsFrames = true
        _ = try ends.ground.begin(.takeoff, deadline: ends.now + .seconds(1), now: ends.now)
        _ = try ends.ground.begin(
            .uploadTrajectory(Samples.trajectory(points: 1000)), deadline: ends.now + .seconds(9), now: ends.now)
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        _ = try ends.ground.begin(.emergencyHover, deadline: ends.now + .seconds(1), now: ends.now)
        ends.run(for: .milliseconds(3))
        #expect(ends.performed.first == .emergencyHover)
        #expect(ends.setpoints.isEmpty)
    }

    @Test func `what cannot leave is replaced by the newest`() throws {
        let ends = try TwoEnds()
        ends.open()
        for number in 1...50 {
            try ends.ground.steer(Samples.setpoint(x: Double(number), at: ends.now), now: ends.now)
        }
        ends.run(for: .milliseconds(5))
        #expect(ends.setpoints.map(\.setpoint.velocityMetresPerSecond.x) == [50])
        #expect(ends.ground.setpointsSent == 1)
    }

    @Test func `a setpoint that is not a number never becomes a frame, and a frame with one is dropped`() throws {
        #expect(throws: LinkError.self) {
            try Samples.setpoint(x: .nan, at: MonotonicTime(nanoseconds: 0)).validate()
        }
        let bytes = EncodedPayload.bytes(capacity: 200) { writer in
            Steering(number: 1, setpoint: Samples.setpoint(x: .infinity, at: MonotonicTime(nanoseconds: 0))).write(
                &writer)
        }
        #expect(throws: WireError.notFinite) {
            try EncodedPayload.read(bytes) { reader throws(WireError) in
                _ = try reader.integer(UInt8.self)
                return try Steering(&reader)
            }
        }
    }
}
