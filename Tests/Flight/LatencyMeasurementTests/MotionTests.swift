@testable import FlightControl
@testable import FlightRecorder
@testable import LatencyMeasurement
import Impairment
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@Suite("Motion on request", .timeLimit(.minutes(1))) struct MotionTests {
    private static let hoursAway: Duration = .seconds(3600)
    private let clock = FakeClock()

    @Test func `a movement that is interrupted ends with a hover and is no loss`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        let moving = Task { () -> Measured in
            var notes = MotionMeasurement(MotionBounds(), timeout: Self.hoursAway, resting: .zero)
            _ = await notes.push(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        }
        #expect(await becomesTrue { link.setpoints.contains { $0.velocityMetresPerSecond.x > 0 } })
        moving.cancel()
        guard case .absent = await moving.value else {
            Issue.record("an interrupted movement was noted")
            return
        }
        #expect(link.commands == [.hover])
        await link.close()
    }

    @Test func `telemetry that ends delays nothing`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        let measured = try await clock.run(through: {
            var notes = MotionMeasurement(MotionBounds(), timeout: .zero)
            _ = await notes.push(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        })
        guard case .series(let series) = measured else {
            Issue.record("a movement that was not seen was not noted")
            return
        }
        #expect(series.samples.map(\.nanoseconds) == [nil])
        #expect(link.commands == [.hover])
        await link.close()
    }

    @Test func `a vehicle that begins to land in a push is neither stopped nor flown back`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        var landing = try #require(link.latestTelemetry)
        landing.flight?.value.state = .landing
        link.onSteer { [landing, weak link] in link?.publish(landing) }
        let clock = clock
        let isPushed = try await clock.run(through: {
            var notes = MotionMeasurement(MotionBounds(), timeout: .zero)
            guard let home = await notes.push(over: link, clock: clock, wait: NoWait()) else { return false }
            await notes.goBack(to: home, over: link, clock: clock)
            return true
        })
        #expect(isPushed && !link.setpoints.isEmpty)
        #expect(link.commands.isEmpty)
        await link.close()
    }

    // MARK: The limits

    @Test func `a vehicle that leaves the limits after its motion was seen is pushed no more, and hovers`() async throws
    {
        let link = try await FakeLink.flying(clock: clock)
        let clock = clock
        let pushing = Task { () -> Pose? in
            var notes = MotionMeasurement(MotionBounds())
            return await notes.push(over: link, clock: clock, wait: ClockWait(clock: clock))
        }
        #expect(await clock.run { link.setpoints.contains { $0.velocityMetresPerSecond.x > 0 } })
        await clock.run(for: .milliseconds(50))
        var telemetry = try #require(link.latestTelemetry)
        telemetry.velocityMetresPerSecond?.value.x += 0.2
        link.publish(telemetry)
        await settle()
        telemetry.pose?.value.positionMetres.x += 1.01
        link.publish(telemetry)
        await settle()
        #expect(link.commands.isEmpty)
        // The one that was already waited for may still come.
        let most = link.setpoints.count + 1
        try await clock.run(through: { _ = await pushing.value })
        #expect(link.setpoints.count <= most)
        #expect(link.commands == [.hover])
        await link.close()
    }

    enum Moment: CaseIterable { case unanswered, underWay, settling }

    /// No time passes between its leaving and the hover.
    @Test(arguments: Moment.allCases)
    func `a vehicle that leaves the limits on its way back hovers at once`(when moment: Moment) async throws {
        let link = try await FakeLink.flying(clock: clock)
        var telemetry = try #require(link.latestTelemetry)
        let home = try #require(telemetry.pose?.value)
        let box = MotionBounds()
        #expect(box.begin(at: home) == home)
        link.script(moment == .unanswered ? .silence : .reply(CommandReply(accepted: true, message: "reference set")))
        if moment != .settling { telemetry.pose?.value.positionMetres.x += 0.5 }
        link.publish(telemetry)
        let clock = clock
        let way = Task { await MotionMeasurement(box).goBack(to: home, over: link, clock: clock) }
        #expect(await becomesTrue { link.commands.count == 1 })
        await clock.run(for: .milliseconds(120))
        #expect(link.commands.count == 1)
        telemetry.pose?.value = home
        telemetry.pose?.value.positionMetres.x += 1.01
        link.publish(telemetry)
        #expect(await becomesTrue { link.commands.last == .hover })
        await way.value
        #expect(link.commands.count == 2)
        await link.close()
    }

    @Test func `a vehicle that is outside the limits is not flown back`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        var telemetry = try #require(link.latestTelemetry)
        let home = try #require(telemetry.pose?.value)
        let box = MotionBounds()
        #expect(box.begin(at: home) == home)
        telemetry.pose?.value.positionMetres.x += 1.01
        link.publish(telemetry)
        await MotionMeasurement(box).goBack(to: home, over: link, clock: clock)
        #expect(link.commands == [.hover])
        await link.close()
    }

    // MARK: Back

    /// A link to a vehicle that flies and moves with the clock.
    private func moving() async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        for command in [Command.arm(true), .enableOutput(true), .offboard, .takeoff] {
            _ = try await link.perform(command, within: .seconds(1))
        }
        #expect(await clock.run { link.vehicle.state == .flying })
        await clock.run(for: .seconds(1))
        return link
    }

    @Test func `each push is followed by the way back, and none ends farther than the box`() async throws {
        let link = try await moving()
        let home = link.vehicle.position
        let box = MotionBounds()
        var (farthest, iterator) = (0.0, link.telemetry().makeAsyncIterator())
        let watch = Task { () -> Double in
            while let telemetry = await iterator.next() {
                guard let pose = telemetry.pose?.value else { continue }
                farthest = max(farthest, (pose.positionMetres - home).length)
            }
            return farthest
        }
        for _ in 0..<6 {
            let (clock, probe) = (clock, MovingProbe(link, box, clock: clock))
            try await clock.run(through: {
                await MotionTurns(clock: clock, drain: .milliseconds(300)).take([probe], under: .none)
            })
            #expect((link.vehicle.position - home).length < 0.1)
        }
        #expect(link.commands.count { if case .goTo = $0 { true } else { false } } == 6)
        await link.close()
        let reached = await watch.value
        #expect(reached > 0.2 && reached < MotionBounds.reachMetres)
    }

    @Test func `the way back is without the condition, and the next push under it again`() async throws {
        let link = try await moving()
        let condition = try Impairment("delay=20ms")
        let probes = [MovingProbe(link, MotionBounds(), clock: clock), MovingProbe(link, MotionBounds(), clock: clock)]
        for probe in probes { probe.relays.impair(condition) }
        let clock = clock
        try await clock.run(through: {
            await MotionTurns(clock: clock, drain: .milliseconds(300)).take(probes, under: condition)
        })
        for probe in probes {
            #expect(await probe.seen == [condition, .none])
            #expect(probe.relays.impairment == condition)
        }
        await link.close()
    }

    @Test func `pushes go forward and backward in turn, and each is seen and flown back`() async throws {
        let link = try await moving()
        let (clock, probe, home) = (clock, MovingProbe(link, MotionBounds(), clock: clock), link.vehicle.position)
        try await clock.run(through: {
            await MotionTurns(clock: clock, drain: .milliseconds(300), pushes: 4).take([probe], under: .none)
        })
        let speeds = link.setpoints.map(\.velocityMetresPerSecond.x).filter { $0 != 0 }
        var signs: [Double] = []
        for speed in speeds where signs.last != speed { signs.append(speed) }
        #expect(signs == [0.5, -0.5, 0.5, -0.5])
        let series = try #require(await probe.measured.series)
        #expect(series.samples.map(\.round) == [0, 1, 2, 3])
        // From the setpoint to the first change of speed; the box was never needed.
        #expect(series.samples.allSatisfy { $0.nanoseconds.map { (0...300_000_000).contains($0) } ?? false })
        #expect((link.vehicle.position - home).length < 0.1 && !link.commands.isEmpty)
        await link.close()
    }

    @Test func `the box that was confirmed is the one that is kept`() throws {
        var pose = Pose(frame: FrameName("uav1/world"), positionMetres: .zero, headingRadians: 0)
        let box = MotionBounds(reachMetres: 2)
        #expect(box.begin(at: pose) == pose)
        pose.positionMetres.x = 1.9
        #expect(box.holds(pose))
        pose.positionMetres.x = 2.1
        #expect(!box.holds(pose))
        var plan = MeasuringPlan()
        #expect(plan.motionWarning.contains("20 times") && plan.motionWarning.contains("keep 1 m around it free"))
        (plan.pushes, plan.boxMetres) = (1, 2.5)
        #expect(plan.motionWarning.contains("pushed forward at") && plan.motionWarning.contains("keep 2.5 m around it"))
    }

    @Test func `a vehicle that is not where it was is not pushed`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        let box = MotionBounds()
        let start = try #require(link.latestTelemetry?.pose?.value)
        #expect(box.begin(at: start) == start)
        var telemetry = try #require(link.latestTelemetry)
        telemetry.pose?.value.positionMetres.x += 0.31
        link.publish(telemetry)
        var notes = MotionMeasurement(box, resting: .zero)
        #expect(await notes.push(over: link, clock: clock, wait: NoWait()) == nil)
        #expect(link.setpoints.isEmpty && link.commands.isEmpty)
        guard case .absent(let reason) = notes.measured(since: clock.now) else {
            Issue.record("a push that was left out was noted")
            return
        }
        #expect(reason == "the vehicle was too far from the start of the push")
        telemetry.pose?.value = start
        telemetry.pose?.value.frame = FrameName("uav1/other_origin")
        link.publish(telemetry)
        #expect(await notes.push(over: link, clock: clock, wait: NoWait()) == nil, "its position is not known")
        await link.close()
    }

    @Test func `where the vehicle takes no goal it hovers`() async throws {
        let link = try await FakeLink.flying(clock: clock)
        let home = try #require(link.latestTelemetry?.pose?.value)
        link.script(.reply(CommandReply(accepted: false, message: "can not set the reference")))
        await MotionMeasurement(MotionBounds()).goBack(to: home, over: link, clock: clock)
        #expect(link.commands.last == .hover)
        await link.close()
    }
}

/// A probe that only moves, over a fake link.
private actor MovingProbe: Probe {
    nonisolated let link = MeasuredLink.udp
    nonisolated let relays = RelaySet(seed: 1)
    private let fake: FakeLink
    private let clock: FakeClock
    private var notes: MotionMeasurement
    /// What the network did at each push and way back.
    var seen: [Impairment] = []

    init(_ fake: FakeLink, _ box: MotionBounds, clock: FakeClock) {
        self.fake = fake
        self.clock = clock
        notes = MotionMeasurement(box)
    }

    func push() async -> Pose? {
        seen.append(relays.impairment)
        var notes = notes
        let home = await notes.push(over: fake, clock: clock, wait: ClockWait(clock: clock))
        self.notes = notes
        return home
    }

    func goBack(to home: Pose) async {
        seen.append(relays.impairment)
        await notes.goBack(to: home, over: fake, clock: clock)
    }

    var measured: Measured { notes.measured(since: MonotonicTime(nanoseconds: 0)) }

    func open() async throws(LinkError) {}
    func begin(at start: MonotonicTime, recording: RunRecording?) {}
    func take(_ turn: Turn) async {}
    func soFar() async -> LinkRun { LinkRun(link: "udp", how: "") }
    func finish() async -> LinkRun { LinkRun(link: "udp", how: "") }
    func recorded(in recording: RunRecording) async -> [RecordingEntry] { [] }
    func close() async {}
}

/// Waits for the fake clock on the thread that steers.
private struct ClockWait: InstantWaiting {
    let clock: FakeClock
    func wait(until instant: MonotonicTime) { clock.block(until: instant) }
}
