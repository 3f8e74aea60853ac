import ChannelTestKit
import Impairment
import Testing
import UAVLink
import UAVTestKit

@testable import ChannelProtocol

@Suite("Two sessions in memory") struct SessionTests {
    @Test func `a session opens and both ends know the other's clock`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(20)), offset: .seconds(-77))
        ends.run(for: .milliseconds(300))
        #expect(ends.ground.phase == .open && ends.vehicle.phase == .open)
        let seen = try #require(ends.ground.timing.estimate(now: ends.now))
        let back = try #require(ends.vehicle.timing.estimate(now: ends.vehicleNow))
        #expect(abs(seen.offset + 77_000_000_000) <= seen.bound)
        #expect(abs(back.offset - 77_000_000_000) <= back.bound)
        #expect(seen.bound < 25_000_000)
    }

    @Test func `the clock's bound holds when the delay is all one way`() throws {
        let ends = try TwoEnds(offset: .seconds(5))
        // 60 ms up and nothing down.
        var late = ImpairedNetwork<TwoEnds.End>(seed: 1, Impairment(delay: .milliseconds(60)))
        let frame = FrameBuffer()
        for _ in 0..<400 {
            ends.now = ends.now + .milliseconds(1)
            while case let length = ends.ground.nextFrame(into: frame.bytes, now: ends.now), length > 0 {
                late.send(Array(frame.bytes[..<length]), to: .vehicle, now: ends.now)
            }
            for (to, bytes) in late.arrivals(at: ends.now) { ends.deliver(bytes, to: to) }
            while case let length = ends.vehicle.nextFrame(
                into: frame.bytes, now: ends.vehicleNow, telemetry: nil, messages: MessageLog()), length > 0
            {
                ends.deliver(Array(frame.bytes[..<length]), to: .ground)
            }
        }
        for (estimate, truth) in [
            (ends.ground.timing.estimate(now: ends.now), 5_000_000_000),
            (ends.vehicle.timing.estimate(now: ends.vehicleNow), -5_000_000_000),
        ] as [(ClockEstimate?, Int64)] {
            let estimate = try #require(estimate)
            #expect(abs(estimate.offset - truth) <= estimate.bound)
            // The error is real: half the asymmetry.
            #expect(abs(estimate.offset - truth) > 25_000_000)
        }
    }

    @Test func `a companion of another version is named and opens nothing`() throws {
        let ends = try TwoEnds(vehicleVersion: 2)
        ends.run(for: .milliseconds(50))
        #expect(ends.groundEvents == ["refused: versionMismatch"])
        #expect(ends.vehicle.phase == .waiting)
        #expect(ends.ground.phase == .ended)
    }

    @Test func `a repeated hello is the same bytes, since its nonce is the same`() throws {
        let ends = try TwoEnds()
        ends.network.isDark = true
        ends.keepsFrames = true
        ends.run(for: .seconds(3))
        #expect(ends.sentFrames.count >= 4)
        #expect(Set(ends.sentFrames.map(\.bytes)).count == 1)
    }

    @Test func `an unused ticket is void after a minute and not a moment before`() throws {
        let ends = try TwoEnds()
        let start = ends.vehicleNow
        #expect(ends.vehicle.tick(now: start + .seconds(60)) == .nothing)
        #expect(ends.vehicle.tick(now: start + .seconds(60) + .nanoseconds(1)) == .ended)
        ends.now = ends.now + .seconds(61)
        ends.run(for: .seconds(2))
        #expect(ends.vehicleEvents.isEmpty && ends.ground.phase == .opening)
        #expect(ends.vehicle.drops.unknownSession > 0)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `every command is executed exactly once on a bad network`(seed: UInt64) throws {
        let ends = try TwoEnds(seed: seed, .bad)
        ends.open()
        ends.workTime = { _ in .milliseconds(50) }
        var ids: [UInt64] = []
        for step in 0..<60 {
            ids.append(
                try ends.ground.begin(.altitude(metres: Double(step)), deadline: ends.now + .seconds(20), now: ends.now)
            )
            ends.run(for: .milliseconds(40))
        }
        ends.run(for: .seconds(8))
        #expect(ends.performed.count == 60)
        #expect(Set(ends.performed).count == 60)
        for id in ids {
            #expect(ends.answers[id].flatMap { try? $0.get().message } == "done \(id)")
        }
    }

    /// While a command's datagrams are lost again and again, hundreds of others are answered: its own answer must be kept.
    @Test func `of a thousand commands, as many as may be at a time, none is lost on a bad network`() throws {
        let ends = try TwoEnds(seed: 12, Impairment(jitter: .milliseconds(50), loss: 0.3, duplication: 0.05))
        ends.open()
        var begun = 0
        var waiting: Set<UInt64> = []
        try ends.run(for: .seconds(60)) {
            waiting = waiting.filter { ends.answers[$0] == nil }
            while begun < 1000, waiting.count < ChannelLimits.commandsInFlight {
                let command = Command.altitude(metres: Double(begun))
                waiting.insert(try ends.ground.begin(command, deadline: ends.now + .seconds(60), now: ends.now))
                begun += 1
            }
        }
        #expect(waiting.isEmpty, "\(waiting.count) of \(begun)")
        #expect(begun == 1000 && ends.answers.values.allSatisfy { (try? $0.get().accepted) == true })
        #expect(ends.performed.count == 1000 && Set(ends.performed).count == 1000)
    }

    @Test func `what the network loses is seen as loss`() throws {
        let ends = try TwoEnds(seed: 3, Impairment(delay: .milliseconds(5), loss: 0.2))
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.open()
        try ends.run(for: .seconds(12)) {
            try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        }
        let up = try #require(ends.ground.timing.outgoing.loss)
        let down = try #require(ends.ground.timing.incoming.loss)
        #expect(abs(up - 0.2) < 0.03)
        #expect(abs(down - 0.2) < 0.08)
    }

    @Test func `a lost link is seen, comes back by itself, and brings no setpoint with it`() throws {
        let ends = try TwoEnds(Impairment(delay: .milliseconds(5)))
        ends.open()
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.run(for: .milliseconds(50))
        #expect(ends.setpoints.count == 1)
        ends.network.isDark = true
        try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now)
        ends.run(for: .seconds(3))
        #expect(ends.ground.isLost(now: ends.now))
        #expect(ends.vehicleEvents.last == "linkLost")
        #expect(throws: LinkError.self) { try ends.ground.steer(Samples.setpoint(at: ends.now), now: ends.now) }
        ends.network.isDark = false
        ends.run(for: .seconds(1))
        #expect(!ends.ground.isLost(now: ends.now))
        #expect(ends.vehicleEvents.last == "linkRestored")
        #expect(ends.setpoints.count == 1)
    }

    @Test func `goodbye ends the session at both ends`() throws {
        let ends = try TwoEnds()
        ends.open()
        ends.ground.end()
        ends.run(for: .milliseconds(10))
        #expect(ends.vehicleEvents.last == "ended by the ground" && ends.vehicle.phase == .ended)

        let other = try TwoEnds()
        other.open()
        other.vehicle.end()
        other.run(for: .milliseconds(10))
        #expect(other.groundEvents.last == "ended by the companion")
    }

    @Test func `telemetry comes whole with its ages over a bad network`() throws {
        let ends = try TwoEnds(seed: 5, .bad)
        let measured = ends.vehicleNow
        ends.telemetry = Samples.telemetry(at: measured)
        ends.messages.update(Samples.telemetry(at: measured).messages)
        ends.open()
        ends.run(for: .seconds(3))
        let seen = ends.ground.telemetry
        let truth = Samples.telemetry(at: measured)
        #expect(seen.pose?.value == truth.pose?.value)
        #expect(seen.tracker?.value == truth.tracker?.value)
        #expect(seen.messages.map(\.value) == truth.messages.map(\.value))
        let at = try #require(seen.pose?.at)
        let bound = try #require(ends.ground.timing.estimate(now: ends.now)).bound
        #expect(abs((at - (measured - ends.offset)).nanoseconds) <= bound + 2000)
    }

    /// By a timer a pose lay up to a whole period on the companion before it was sent.
    @Test(arguments: [0, 3, 7, 13, 18]) func `a pose is sent when it has come`(_ phase: Int) throws {
        let ends = try TwoEnds()
        ends.telemetry = Samples.telemetry(at: ends.vehicleNow)
        ends.open()
        var seen = ends.ground.telemetry.pose?.at
        var ages: [Duration] = []
        var step = 0
        ends.run(for: .seconds(1)) {
            // 50 Hz, out of step with when the session began.
            if step % 20 == phase { ends.telemetry = Samples.telemetry(at: ends.vehicleNow) }
            step += 1
            if let pose = ends.ground.telemetry.pose, pose.at != seen {
                seen = pose.at
                ages.append(ends.now - pose.at)
            }
        }
        #expect((47...51).contains(ages.count), "\(ages.count)")
        // The simulated ends look each millisecond.
        #expect(ages.dropFirst(6).allSatisfy { $0 <= .milliseconds(2) }, "\(ages)")
    }

    @Test func `a large command crosses a bad network and delays no small frame`() throws {
        let ends = try TwoEnds(seed: 9, Impairment(delay: .milliseconds(10), jitter: .milliseconds(10), loss: 0.1))
        ends.open()
        let trajectory = Samples.trajectory(points: 20_000)
        let id = try ends.ground.begin(.uploadTrajectory(trajectory), deadline: ends.now + .seconds(60), now: ends.now)
        var latest = 0.0
        for _ in 0..<60_000 where ends.answers[id] == nil {
            latest += 1
            try ends.ground.steer(Samples.setpoint(x: latest, at: ends.now), now: ends.now)
            ends.run(for: .milliseconds(1))
        }
        #expect(ends.performed == [.uploadTrajectory(trajectory)])
        #expect(ends.answers[id].flatMap { try? $0.get().accepted } == true)
        #expect(ends.setpoints.count > 10)
        for (setpoint, at) in ends.setpoints { #expect((at - setpoint.intendedAt) < .milliseconds(40)) }
    }
}
