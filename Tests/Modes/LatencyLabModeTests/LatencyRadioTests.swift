import FlightControl
@testable import LatencyLabMode
import LatencyMeasurement
import LatencyTestKit
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

extension LatencyLabTests {
    @Test func `a vehicle that is flown by radio is not measured, and a measurement ends when it is`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.armed, isByRadio: true)
        bench.send(.start)
        #expect(bench.state.phase == .choosing && bench.state.setup.problem == "the vehicle is flown by radio")
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.vehicle(.armed, isByRadio: true)
        await bench.timeSource.beat()
        #expect(bench.measuring.cancellations == 1)
        bench.instance.detach()
    }

    @Test(arguments: [(MeasuredLink.tcp, true), (.udp, true), (.sshTunnel, true), (.ssh, false), (.ros, false)])
    func `control is in the way of what is sent to the companion, and of nothing else`(
        link: MeasuredLink, isMeant: Bool
    ) {
        let pilot = ControlStatus.Pilot(name: "anna@laptop", since: MonotonicTime(nanoseconds: 1), isYou: false)
        #expect((LatencyLabTexts.obstacle(pilot, [link]) != nil) == isMeant)
        #expect(LatencyLabTexts.obstacle(ControlStatus.Pilot?.none, [link]) == nil)
    }

    /// Its own links are another pilot to the companion, which refuses their setpoints: taken for lost ones, they gave a verdict.
    @Test(arguments: [true, false])
    func `a vehicle that a pilot has control of is not measured over the channel`(isYou: Bool) async {
        let bench = LatencyLabBench()
        let pilot = ControlStatus.Pilot(name: "anna@laptop", since: bench.timeSource.clock.now, isYou: isYou)
        bench.vehicle(.disarmed, pilot: pilot)
        bench.send(.start)
        let problem = bench.state.setup.problem
        #expect(bench.state.phase == .choosing && bench.measuring.plans.isEmpty)
        #expect(problem.hasPrefix(isYou ? "you have control" : "anna@laptop has control"), "\(problem)")
        #expect(problem.contains("F12") == isYou)
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        bench.instance.detach()
    }

    @Test func `a measurement that another ground has ended is shown as ended early`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        #expect(await becomesTrue { bench.measuring.plans.count == 1 })
        var report = Self.report
        report.endedEarly = "ended early, since ben@laptop commanded land"
        bench.measuring.end(.success(report))
        #expect(await becomesTrue { bench.state.phase == .reading })
        #expect(bench.stage.notices.last == Notice(.warning, "ended early, since ben@laptop commanded land"))
        bench.instance.detach()
    }

    @Test func `a measurement that another ground ended before its first figure says so`() async {
        let bench = LatencyLabBench()
        bench.vehicle(.disarmed)
        bench.send(.start)
        var ended = LatencyExamples.report([])
        ended.end(early: "ben has control authority")
        bench.measuring.end(.success(ended))
        let why = "ended before anything was measured, since ben has control authority"
        #expect(await becomesTrue { bench.state.setup.problem == why })
        #expect(bench.state.phase == .choosing)
        bench.instance.detach()
    }
}
