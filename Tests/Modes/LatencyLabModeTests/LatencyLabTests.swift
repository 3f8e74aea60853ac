import Impairment
import FlightControl
import LatencyLabMode
import LatencyMeasurement
import LatencyTestKit
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("The latency laboratory's screen")
struct LatencyLabTests {
    static let report = LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=5ms")

    // MARK: Choosing

    @Test func `lines are chosen and given back, and what is measured follows from them`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        #expect(bench.state.phase == .choosing && bench.state.setup.lines.count == 15)
        #expect(bench.state.setup.lines.filter { $0.isChosen == true }.count == 7)
        for title in ["ssh", "ssh-shell", "ssh-tunnel", "ros", "none", "delay=20ms,jitter=5ms,loss=2%"] {
            bench.go(to: title)
            bench.send(.take)
        }
        bench.go(to: "20 s")
        bench.send(.change(-1), .change(-1), .change(-1))
        bench.go(to: "100 Hz")
        bench.send(.change(1), .start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        let plan = bench.measuring.plans.first
        #expect(plan?.links == [.tcp, .udp] && plan?.duration == .seconds(3) && plan?.rateHertz == 200)
        #expect(plan?.conditions.map(\.text) == ["delay=20ms,jitter=5ms,loss=2%"])
        #expect(plan?.measuresMotion == false && plan?.command == .hover)
        #expect(
            plan?.commandLine
                == "uavlink latency --host vehicle.example --uav uav1 --links tcp,udp --impair delay=20ms,jitter=5ms,loss=2% "
                + "--for 3s --rate 200 --seed 1")
        bench.instance.detach()
    }

    @Test func `without a host, links over SSH cannot be chosen, and say why`() {
        let bench = LatencyLabBench(host: nil)
        #expect(bench.state.setup.lines.filter { $0.isChosen == true }.map(\.title) == ["tcp", "udp", "none"])
        bench.go(to: "ssh-tunnel")
        bench.send(.take)
        #expect(bench.state.setup.problem.contains("ssh-tunnel") && bench.state.setup.problem.contains("host"))
        #expect(bench.state.setup.lines.first { $0.title == "ssh-tunnel" }?.isChosen == false)
        bench.instance.detach()
    }

    @Test func `a condition is typed, what is wrong with it is said in place, and Del takes it away`() {
        let bench = LatencyLabBench()
        bench.send(.typeCondition, .answer("delay=20"))
        #expect(bench.state.prompt?.kind == .condition)
        #expect(bench.state.prompt?.note.contains("delay: '20' is not a time") == true)
        bench.send(.answer(" loss=7% "))
        #expect(bench.state.prompt == nil)
        let line = bench.state.setup.lines[bench.state.setup.selected]
        #expect(line.title == "loss=7%" && line.isChosen == true)
        // The same again is the same line.
        bench.send(.typeCondition, .answer("loss=7%"))
        #expect(bench.state.setup.lines.count == 16)
        bench.send(.remove)
        #expect(bench.state.setup.lines.count == 15)
        bench.send(.move(-100), .remove)
        #expect(bench.state.setup.lines.count == 15, "the usual ones stay")
        bench.instance.detach()
    }

    @Test(arguments: ["0", "86401", "ten", "", "-3", "2.5"])
    func `a length that makes no sense is refused in place`(_ text: String) {
        let bench = LatencyLabBench()
        bench.go(to: "20 s")
        bench.send(.take, .answer(text))
        #expect(bench.state.prompt?.note.contains("1 to 86400") == true)
        bench.send(.answer("86400"))
        #expect(bench.state.prompt == nil && bench.state.setup.lines.contains { $0.title == "24 h" })
        bench.instance.detach()
    }

    @Test(arguments: ["0.9", "1001", "nan", "many"])
    func `a rate that makes no sense is refused in place`(_ text: String) {
        let bench = LatencyLabBench()
        bench.go(to: "100 Hz")
        bench.send(.take, .answer(text))
        #expect(bench.state.prompt?.note.contains("1 to 1000") == true)
        bench.send(.cancelPrompt)
        #expect(bench.state.prompt == nil && bench.state.setup.lines.contains { $0.title == "100 Hz" })
        bench.instance.detach()
    }

    @Test func `nothing is measured without a link, a condition, or a vehicle that can be measured`() {
        let bench = LatencyLabBench(host: nil)
        for title in ["tcp", "udp"] {
            bench.go(to: title)
            bench.send(.take)
        }
        bench.send(.start)
        #expect(bench.state.setup.problem.contains("no link selected"))
        bench.send(.take)
        bench.go(to: "none")
        bench.send(.take, .start)
        #expect(bench.state.setup.problem.contains("no network condition selected"))
        #expect(bench.measuring.plans.isEmpty)
        bench.instance.detach()
        let simulated = LatencyLabBench(canMeasure: false)
        simulated.send(.start)
        #expect(simulated.state.setup.problem.contains("simulated in this program"))
        // What cannot be measured is not marked as chosen.
        let links = simulated.state.setup.lines.prefix(MeasuredLink.flown.count)
        #expect(!links.contains { $0.isChosen == true || $0.isPossible })
        simulated.instance.detach()
    }

    @Test func `on the built-in simulator it says at once that there is nothing to compare, and s says it again`() {
        let bench = LatencyLabBench(host: nil, canMeasure: false)
        let obstacle = bench.state.setup.obstacle
        #expect(obstacle?.contains("no links to compare") == true)
        for command in ["'uavlink latency --link sim'", "'uavlink sim'"] {
            #expect(obstacle?.contains(command) == true)
        }
        #expect(bench.state.setup.summary.isEmpty && bench.state.setup.problem.isEmpty)
        bench.send(.start)
        #expect(bench.state.setup.problem == obstacle && bench.stage.notices.last?.text == obstacle)
        bench.instance.detach()
        let real = LatencyLabBench()
        #expect(real.state.setup.obstacle == nil && !real.state.setup.summary.isEmpty)
        real.instance.detach()
    }

    // MARK: Safety

    @Test(arguments: [FlightState.takingOff, .landing, .emergency])
    func `it is not begun while a hover would break something off`(_ state: FlightState) async {
        let bench = LatencyLabBench()
        bench.vehicle(state)
        bench.send(.start)
        #expect(bench.state.phase == .choosing && bench.state.confirmation == nil && !bench.state.setup.problem.isEmpty)
        await settle()
        #expect(bench.measuring.plans.isEmpty)
        bench.instance.detach()
    }

    @Test(arguments: [FlightState.flying, .unknown])
    func `in flight, or where it is not known, it asks first and says what happens`(_ state: FlightState) async {
        let bench = LatencyLabBench()
        bench.vehicle(state)
        bench.send(.start)
        #expect(bench.state.confirmation?.findings.contains { $0.text.contains("hover") } == true)
        bench.send(.decline)
        #expect(bench.state.confirmation == nil && bench.state.phase == .choosing)
        bench.send(.start, .confirm)
        #expect(bench.state.phase == .measuring)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        await bench.timeSource.beat()
        #expect(bench.state.phase == .measuring, "who agreed is not asked again")
        bench.instance.detach()
    }

    @Test func `motion is off until it is chosen, and in flight the question says so`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.flying)
        bench.go(to: "move the vehicle")
        bench.send(.take, .start)
        #expect(bench.state.confirmation?.findings.contains { $0.text.contains("keep 1 m around it free") } == true)
        bench.send(.confirm)
        #expect(await becomesTrue { bench.measuring.plans.first?.measuresMotion == true })
        bench.instance.stopMotion(.terminalSilent)
        #expect(await becomesTrue { bench.measuring.cancellations == 1 }, "it moves, and no user is there")
        bench.instance.detach()
    }

    @Test(arguments: [FlightState.takingOff, .flying, .landing, .emergency])
    func `begun on the ground, it ends by itself when the vehicle flies or lands`(_ state: FlightState) async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(bench.state.phase == .measuring)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.vehicle(state)
        await bench.timeSource.beat()
        #expect(bench.measuring.cancellations == 1)
        #expect(await becomesTrue { bench.state.phase == .reading }, "what was measured stays")
        #expect(bench.stage.notices.contains { $0.text.contains("was ended") })
        bench.instance.detach()
    }

    @Test(arguments: [StopCause.user, .suspended, .otherVehicle])
    func `whatever stops the vehicle ends it`(_ cause: StopCause) async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.instance.stopMotion(.terminalSilent)
        #expect(bench.measuring.cancellations == 0, "neutral setpoints need no user at the keyboard")
        bench.instance.stopMotion(cause)
        #expect(bench.measuring.cancellations == 1 && bench.state.progress.isEnding)
        bench.instance.detach()
    }

    // MARK: Measuring

    @Test func `what happens is shown: opening, condition, round, time left, figures, and those before`() async throws {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.go(to: "delay=5ms")
        bench.send(.take, .start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.measuring.tell(.opening(.udp), .leftOut(.ros, reason: "no \u{1B}[31mmaster"))
        await bench.timeSource.beat()
        #expect(bench.state.progress.doing == "opening udp")
        #expect(bench.state.progress.notes.count == 1 && bench.state.progress.notes[0].contains("ros is not measured"))
        #expect(bench.state.progress.notes[0].contains("\u{1B}") == false)
        bench.measuring.tell(.condition(number: 1, count: 2, text: "none"))
        await bench.timeSource.beat()
        await bench.timeSource.beat(.seconds(5))
        let series = LatencyExamples.series(LatencyExamples.staircase(200))
        let figures = try #require(RunningFigures("udp", .steering, series))
        bench.measuring.tell(
            .round(number: 2, elapsed: .seconds(5), planned: .seconds(20)), .turn(.tcp), .figures([figures]))
        await settle()
        #expect(bench.state.progress.doing == "condition 1 of 2: none")
        #expect(bench.state.progress.time == "round 3, tcp, 5 of 20 s, about 39 s left")
        #expect(abs(bench.state.progress.fraction - 5.0 / 44) < 0.01)
        let table = try #require(bench.state.progress.tables.first)
        #expect(table.columns.map(\.title) == ["link", "p50", "p90", "p99", "Hz", "lost"])
        #expect(table.columns.map { $0.cells.first } == ["udp", "50.00", "90.00", "", "100.0", "0.0 %"])
        bench.measuring.tell(.condition(number: 2, count: 2, text: "delay=5ms"))
        await settle()
        await bench.timeSource.beat()
        #expect(bench.state.progress.tables.map(\.title) == ["none"], "what the condition before came to stays")
        bench.measuring.end(.success(Self.report))
        #expect(await becomesTrue { bench.state.phase == .reading })
        #expect(bench.stage.notices.last == Notice(.success, "measured in 42 s"))
        bench.instance.detach()
    }

    @Test func `Esc ends it, and what was measured until then is there`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.send(.stop, .stop)
        #expect(bench.measuring.cancellations == 1)
        #expect(await becomesTrue { bench.state.phase == .reading })
        #expect(bench.stage.notices.last?.text.contains("ended early") == true)
        bench.instance.detach()
    }

    @Test func `a failure goes back to the choices and says why`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        bench.measuring.end(.failure(LinkError(.unreachable, "no companion", hint: "start it")))
        #expect(await becomesTrue { bench.state.phase == .choosing })
        #expect(bench.state.setup.problem.contains("no companion"))
        // Links that failed one by one, and nothing besides.
        bench.send(.start)
        let failed = LinkRun(link: "udp", how: "", failure: "udp does not answer")
        bench.measuring.end(.success(LatencyExamples.report([failed])))
        #expect(await becomesTrue { bench.state.setup.problem.contains("udp does not answer") })
        // Ended before the first value.
        bench.send(.start)
        bench.measuring.end(.success(LatencyExamples.report([])))
        #expect(
            await becomesTrue { bench.stage.notices.last?.text.contains("before anything was measured") == true })
        #expect(bench.state.phase == .choosing && bench.state.setup.problem.isEmpty)
        bench.instance.detach()
    }

    // MARK: Leaving

    @Test func `a detached laboratory is let go of, and its measurement ends`() async {
        weak var presenter: LatencyLabPresenter?
        weak var view: FakeLatencyLabView?
        let timeSource: FakeTimeSource
        let measuring: FakeMeasuring
        do {
            let bench = LatencyLabBench()
            (presenter, view, timeSource, measuring) = (
                bench.view.presenter, bench.view, bench.timeSource, bench.measuring
            )
            bench.vehicle(.disarmed)
            bench.send(.start)
            await timeSource.beat()
            #expect(measuring.plans.count == 1 && timeSource.pauses == 1 && presenter != nil)
            #expect(bench.desk.isMeasuring)
            bench.instance.detach()
            #expect(await becomesTrue { bench.desk.shown != nil }, "what was measured is kept")
        }
        await settle()
        #expect(measuring.cancellations == 1 && timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(view == nil)
    }
}
