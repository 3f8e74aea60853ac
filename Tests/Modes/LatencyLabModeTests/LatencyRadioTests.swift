import LatencyLabMode
import ModeKit
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
}
