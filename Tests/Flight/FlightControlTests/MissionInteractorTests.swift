import FlightControl
import ReportKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite struct MissionInteractorTests {
    private let clock = FakeClock()

    @Test func `a mission is flown whole and measured`() async throws {
        let link = FakeLink(clock: clock, speed: 20)
        try await link.connect(within: .seconds(1))
        var plan = MissionInteractor.Plan(for: .sim)
        plan.steeringSeconds = 0.3
        plan.timedCommands = 5
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock), plan: plan)
        let report = try await clock.run(within: .seconds(600), through: { await mission.fly() })
        #expect(report.failure == nil)
        #expect(report.isComplete)
        #expect(report.commandRoundTrips.count == 5)
        #expect(try #require(report.goalErrorMetres) < 0.5)
        #expect(try #require(report.steeredMetres) > 0.5)
        #expect(link.latestTelemetry?.flight?.value.state == .disarmed)
        await link.close()
    }

    @Test func `a vehicle whose flight fails half-way is commanded to land`() async throws {
        let link = FakeLink(clock: clock, speed: 20)
        try await link.connect(within: .seconds(1))
        var limits = FlightInteractor.Limits()
        limits.goal = .milliseconds(1)
        limits.goalFlagTimeout = .milliseconds(500)
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock), limits: limits)
        let report = try await clock.run(within: .seconds(600), through: { await mission.fly() })
        #expect(report.tookOff)
        #expect(report.landed)
        #expect(report.failure?.contains("goto") == true)
        #expect(!report.isComplete)
        await link.close()
    }

    /// It is that pilot's vehicle now: a landing would end what he does.
    @Test func `a vehicle that another pilot has stopped is left alone`() async throws {
        let link = FakeLink(clock: clock, speed: 20)
        try await link.connect(within: .seconds(1))
        // The steps of the take-off are answered by the vehicle, the goto by the companion.
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .delay(.zero), .reply(.overruled(by: "hover by ben")))
        let said = Mutex<[String]>([])
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock))
        let report = try await clock.run(
            within: .seconds(600), through: { await mission.fly { line in said.withLock { $0.append(line) } } })
        #expect(report.tookOff && !report.landed)
        #expect(report.failure?.contains("hover by ben is newer") == true)
        #expect(link.commands.last?.name == "goto" && !link.commands.contains(.land))
        #expect(said.withLock { $0.last }?.hasPrefix("not landed: another pilot") == true)
        await link.close()
    }

    @Test func `a vehicle whose companion was started anew is landed`() async throws {
        let link = FakeLink(clock: clock, speed: 20)
        try await link.connect(within: .seconds(1))
        let started = CommandReply.overruled(by: "the start of this companion")
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .delay(.zero), .reply(started))
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock))
        let report = try await clock.run(within: .seconds(600), through: { await mission.fly() })
        #expect(report.tookOff && report.landed && link.commands.contains(.land))
        await link.close()
    }

    /// Ctrl-C: nobody else looks after the vehicle.
    @Test(arguments: ["taking off", "in the air", "flying ", "timing ", "steering "])
    func `an interrupted mission is landed`(step: String) async throws {
        let link = FakeLink(clock: clock, speed: 5)
        try await link.connect(within: .seconds(1))
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock))
        let said = Mutex<[String]>([])
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let flown = Task {
            await mission.fly { line in
                said.withLock { $0.append(line) }
                if line.hasPrefix(step) { isReached.yield() }
            }
        }
        let interrupt = Task {
            for await _ in reached { break }
            flown.cancel()
        }
        let report = try await clock.run(within: .seconds(600), through: { await flown.value })
        await interrupt.value
        #expect(report.tookOff && report.landed && !report.isComplete, "\(said.withLock { $0 })")
        #expect(link.commands.last == .land)
        #expect(said.withLock { $0.contains("interrupted: landing, so wait") })
        #expect(link.latestTelemetry?.flight?.value.state.isAirborne == false)
        await link.close()
    }

    /// Another pilot has taken off meanwhile, which may be why: it is that pilot's flight.
    @Test func `a mission whose take-off is refused lands nobody`() async throws {
        let link = FakeLink(clock: clock, speed: 20)
        try await link.connect(within: .seconds(1))
        link.script(
            .delay(.zero), .delay(.zero), .delay(.zero),
            .reply(CommandReply(accepted: false, message: "can not takeoff, 'MpcTracker' is active")))
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock))
        let report = try await clock.run(
            within: .seconds(600),
            through: {
                await mission.fly { line in
                    guard line == "taking off" else { return }
                    link.setVehicleSilent(true)
                    var telemetry = link.latestTelemetry ?? Telemetry(vehicle: "uav1")
                    telemetry.flight?.value.state = .takingOff
                    link.publish(telemetry)
                }
            })
        #expect(report.failure != nil && !report.tookOff)
        #expect(!link.commands.contains(.land), "\(link.commands)")
        await link.close()
    }

    @Test func `a vehicle that sends no telemetry is commanded nothing`() async throws {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        let mission = MissionInteractor(FlightDependency(link: link, clock: clock))
        let report = try await clock.run(through: { await mission.fly() })
        #expect(report.failure?.hasPrefix("no telemetry received from the vehicle") == true)
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `the summary has the keys that scripts rely on`() {
        var report = MissionReport(link: .udp)
        report.tookOff = true
        report.landed = true
        report.commandRoundTrips = [.milliseconds(3), .milliseconds(1), .milliseconds(2)]
        report.steeringHertz = 99.5
        let text = MissionSummary([report]).json.text
        let start = #"{"ok": true, "links": [{"link": "udp", "took_off": true, "landed": true, "command_ms_median": 2,"#
        #expect(text.hasPrefix(start))
        #expect(text.contains(#""steering_hz": 99.5"#))
        #expect(!MissionSummary([]).isComplete)
        report.failure = "x"
        #expect(!MissionSummary([report]).isComplete)
    }

    @Test func `a long failure stands below the table, whole`() {
        var failed = MissionReport(link: .ssh)
        let failure = String(repeating: "the vehicle did not answer; ", count: 8) + "the end\u{1B}[2J"
        failed.failure = failure
        let summary = MissionSummary([MissionReport(link: .udp), failed])
        let lines = summary.table.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.dropLast().allSatisfy { $0.count <= 80 })
        #expect(lines.last.map { $0.hasPrefix("ssh failed: the vehicle") && $0.contains("the end") } == true)
        #expect(!summary.table.contains("\u{1B}"))
        #expect(summary.json.text.contains("the end"))
    }
}
