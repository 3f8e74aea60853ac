@testable import LatencyMeasurement
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A stop of another ground ends a measurement: above 2 m no telemetry shows that the vehicle is about to land.
@Suite(.timeLimit(.minutes(1))) struct StopsOfOthersTests {
    private let clock = FakeClock()

    private func attempts(over link: CompanionLink, _ others: StopsOfOthers) async -> [CommandAttempt] {
        let run = ScheduledCommands(clock: clock, wait: NoWait(), command: .hover, timeout: .zero, others: others)
        let schedule = FixedSchedule(start: clock.now, period: .milliseconds(20), count: 20)
        return await run.run(schedule, over: link, isStopped: StopFlag())
    }

    @Test func `no hover follows a stop that another ground gave`() async {
        let (link, others) = (CompanionLink(), StopsOfOthers())
        others.watch(link)
        link.stop(after: 3)
        #expect(await attempts(over: link, others).count == 3)
        let ending = others.ending()
        #expect(ending == "another ground has stopped the vehicle, or got control authority")
        #expect(await attempts(over: link, others).isEmpty, "nor does one in the next turn")
        #expect(link.commandCount == 3)
    }

    @Test func `its own hovers are no stops of others`() async {
        let (link, others) = (CompanionLink(), StopsOfOthers())
        others.watch(link)
        #expect(await attempts(over: link, others).count == 20)
        #expect(others.ending(over: link) == nil)
    }

    /// With many commands under way, the count is known a round trip later.
    @Test func `a stop that ends control authority is known before it is counted, and by whom`() {
        let (link, others) = (CompanionLink(), StopsOfOthers())
        others.watch(link)
        for _ in 0..<5 { others.expect(.hover, over: link) }
        link.tell(ControlStatus(lastEndReason: "carl@hangar commanded hover"))
        let before = others.ending(over: link)
        link.tell(ControlStatus(pilot: .init(name: "anna", since: clock.now, isYou: true)))
        let meanwhile = others.ending(over: link)
        link.tell(ControlStatus(lastEndReason: "link loss"))
        let lost = others.ending(over: link)
        link.tell(ControlStatus(lastEndReason: "ben@laptop commanded land"))
        let stopped = others.ending(over: link)
        #expect(before == nil && meanwhile == nil && lost == nil)
        #expect(stopped == "ben@laptop commanded land" && others.ending() == stopped)
    }

    @Test func `control authority is not requested again after another's stop`() async throws {
        let (link, others) = (FakeLink(clock: clock), StopsOfOthers())
        try await link.connect(within: .seconds(1))
        link.setKnownStops(7)
        others.watch(link)
        await others.takeControl(of: link, within: .seconds(1))
        #expect(link.knownStops == 8 && others.ending(over: link) == nil)
        link.setKnownStops(9)
        await others.takeControl(of: link, within: .seconds(1))
        #expect(link.knownStops == 9 && others.ending(over: link) != nil)
        await link.close()
    }

    /// A single link takes turn after turn, faster than a new control status arrives.
    @Test func `a grant after a release is its own, whatever an older status says`() async {
        let (link, others) = (CompanionLink(), StopsOfOthers())
        others.watch(link)
        await others.takeControl(of: link, within: .seconds(1))
        link.tell(ControlStatus(pilot: .init(name: "anna", since: clock.now, isYou: true)))
        for turn in 0..<3 {
            await others.releaseControl(of: link)
            await others.takeControl(of: link, within: .seconds(1))
            #expect(link.knownStops == UInt64(9 + turn) && others.ending(over: link) == nil)
        }
        // Without a release there is no new grant, and none is expected.
        await others.takeControl(of: link, within: .seconds(1))
        #expect(link.knownStops == 11 && others.ending(over: link) == nil)
        link.stop()
        #expect(others.ending(over: link) != nil)
    }

    @Test func `a release of one link says nothing of the control authority of another`() async {
        let (first, second, others) = (CompanionLink(), CompanionLink(), StopsOfOthers())
        others.watch(first)
        await others.takeControl(of: first, within: .seconds(1))
        first.tell(ControlStatus(pilot: .init(name: "anna", since: clock.now, isYou: true)))
        // The release of the first is lost; the second has released what it never had.
        await others.releaseControl(of: second)
        await others.takeControl(of: first, within: .seconds(1))
        #expect(first.knownStops == 8 && others.ending(over: first) == nil)
        first.stop()
        #expect(others.ending(over: first) != nil)
    }

    // MARK: Motion

    private func flying() async throws -> FakeLink {
        let link = try await FakeLink.flying(clock: clock)
        link.setKnownStops(7)
        return link
    }

    @Test func `a push ends with another's stop, without a hover, and none follows`() async throws {
        let link = try await flying()
        let others = StopsOfOthers()
        others.watch(link)
        link.onSteer { [weak link] in link?.setKnownStops(8) }
        let clock = clock
        let measured = try await clock.run(through: {
            var notes = MotionMeasurement(MotionBounds(), others: others, timeout: .zero)
            _ = await notes.push(over: link, clock: clock, wait: NoWait())
            _ = await notes.push(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        })
        #expect(measured.series == nil)
        #expect(link.setpoints.count == 1 && link.commands.isEmpty)
        await link.close()
    }

    @Test(arguments: [false, true])
    func `a vehicle that another has stopped is neither flown back nor stopped`(isUnderWay: Bool) async throws {
        let link = try await flying()
        let others = StopsOfOthers()
        others.watch(link)
        let telemetry = try #require(link.latestTelemetry)
        let home = try #require(telemetry.pose?.value)
        let box = MotionBounds()
        #expect(box.begin(at: home) == home)
        var away = telemetry
        away.pose?.value.positionMetres.x += 0.3
        link.publish(away)
        link.script(.reply(CommandReply(accepted: true, message: "reference set")))
        if !isUnderWay { link.setKnownStops(8) }
        let clock = clock
        let way = Task {
            await MotionMeasurement(box, others: others).goBack(to: home, over: link, clock: clock)
        }
        await clock.run(for: .milliseconds(120))
        link.setKnownStops(8)
        await clock.run(for: .seconds(1))
        await way.value
        #expect(link.commands.count == (isUnderWay ? 1 : 0) && !link.commands.contains(.hover))
        await link.close()
    }

    // MARK: What the report says

    @Test func `a run that was to measure motion says why it did not`() async throws {
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        let clock = clock
        let measured = try await clock.run(through: {
            var notes = MotionMeasurement(MotionBounds())
            _ = await notes.push(over: link, clock: clock, wait: NoWait())
            return notes.measured(since: MonotonicTime(nanoseconds: 0))
        })
        var run = LinkRun(link: "udp", how: "")
        run.motion = measured
        var report = LatencyReport(
            vehicle: "uav1", commandLine: "", beganSeconds: 0, lengthSeconds: 0, seed: 1,
            conditions: [ConditionRun(impairment: "none", links: [LinkRun(link: "ssh", how: ""), run])])
        report.noteMissingMotion()
        #expect(report.notes == ["motion was requested and not measured: the vehicle was not flying"])
        await link.close()
    }
}

/// A link to a companion that counts each hover, and whose vehicle another ground stops after some of them.
private final class CompanionLink: CallbackFake, ControlledLink {
    private struct State {
        var stops: UInt64 = 7
        var commands = 0
        var last = Int.max
        var control: ControlStatus?
        var isGranted = false
    }

    private let state = Mutex(State())

    var capabilities: LinkCapabilities { LinkCapabilities(callbacks: self, control: self) }
    var knownStops: UInt64? { state.withLock { $0.stops } }
    var commandCount: Int { state.withLock { $0.commands } }

    func stop() { state.withLock { $0.stops += 1 } }
    func stop(after commands: Int) { state.withLock { $0.last = commands } }
    func tell(_ status: ControlStatus) { state.withLock { $0.control = status } }

    var latestTelemetry: Telemetry? {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.control = state.withLock { $0.control }.map { Sample($0, at: MonotonicTime(nanoseconds: 0)) }
        return telemetry
    }

    func control(_ request: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError) -> CommandReply {
        state.withLock { state in
            if case .release = request {
                state.isGranted = false
            } else if !state.isGranted {
                (state.isGranted, state.stops) = (true, state.stops + 1)
            }
        }
        return CommandReply(accepted: true, message: "")
    }

    func perform(
        _ command: Command, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        state.withLock { state in
            state.commands += 1
            state.stops += state.commands == state.last ? 2 : 1
        }
        answer(.success(CommandReply(accepted: true, message: "")))
    }
}
