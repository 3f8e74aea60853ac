import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// Which setpoints are followed; a companion in front of the drone renews the lease by these.
@Suite("AR.Drone setpoints") struct ARDroneSetpointTests {
    @Test func `one that waits for the control loop is taken, and one that is dropped is not`() {
        var bench = FlightBench()
        bench.steer(0)
        #expect(!bench.core.tookSetpoint)
        bench.fly()
        bench.steer(0.5)
        #expect(!bench.core.tookSetpoint)
        bench.steer(0)
        #expect(bench.core.tookSetpoint)
        #expect(bench.steer(0.5) == false)
        #expect(bench.core.tookSetpoint)
    }

    @Test func `while it lands none is`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.perform(.land)
        bench.steer(0)
        #expect(!bench.core.tookSetpoint)
    }
}
