@testable import LatencyMeasurement
import UAVLink
import UAVTestKit

/// Every instant has come.
struct NoWait: InstantWaiting {
    func wait(until instant: MonotonicTime) {}
}

extension FakeLink {
    /// A link to a vehicle in the air that has sent telemetry, and does so no more.
    static func flying(clock: FakeClock) async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        var telemetry = FakeVehicle().telemetry(name: "uav1", now: clock.now)
        telemetry.flight?.value.state = .flying
        link.publish(telemetry)
        return link
    }
}
