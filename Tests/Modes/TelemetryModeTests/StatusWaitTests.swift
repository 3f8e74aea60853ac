import TelemetryMode
import Testing
import UAVLink
import UAVTestKit

@Suite("Telemetry: what a status waits for")
struct StatusWaitTests {
    private let clock = FakeClock()

    private func silentLink() async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        return link
    }

    /// How long it waits.
    private func wait(for link: FakeLink) async throws -> Duration {
        let clock = clock
        let begun = clock.now
        try await clock.run(through: {
            try await StatusReport.awaitTelemetry(of: link, within: .seconds(10), on: clock)
        })
        return clock.now - begun
    }

    @Test func `while there is nothing, the timeout counts`() async throws {
        let link = try await silentLink()
        #expect(try await wait(for: link) >= .seconds(10))
        await link.close()
    }

    @Test func `a part that the vehicle lacks is waited for three seconds, and nothing once all are there`()
        async throws
    {
        let link = try await silentLink()
        var telemetry = link.vehicle.telemetry(name: "uav1", now: clock.now)
        link.publish(telemetry)
        let waited = try await wait(for: link)
        #expect(waited >= .seconds(3) && waited < .seconds(4))
        telemetry.gnss = Sample(
            GNSSFix(quality: .fix, latitudeDegrees: 47, longitudeDegrees: 8, altitudeMetres: 340), at: clock.now)
        link.publish(telemetry)
        #expect(try await wait(for: link) < .milliseconds(10))
        await link.close()
    }
}
