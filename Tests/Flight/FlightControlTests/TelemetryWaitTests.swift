import FlightControl
import Testing
import UAVLink
import UAVTestKit

@Suite struct TelemetryWaitTests {
    private let clock = FakeClock()

    private func silentLink() async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        return link
    }

    private func telemetry(pilot: String) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let pilot = ControlStatus.Pilot(name: pilot, since: clock.now, isYou: false)
        telemetry.control = Sample(ControlStatus(pilot: pilot), at: clock.now)
        return telemetry
    }

    @Test func `what is looked for is given when it comes, or nothing after the timeout`() async throws {
        let link = try await silentLink()
        let clock = clock
        let waiting = Task {
            try await link.awaitTelemetry(within: .seconds(3), on: clock) { $0.control?.value.pilot?.name }
        }
        await clock.run(for: .seconds(1))
        link.publish(telemetry(pilot: "anna"))
        #expect(try await clock.run(through: { try await waiting.value }) == "anna")
        let begun = clock.now
        let missing = try await clock.run(through: {
            try await link.awaitTelemetry(within: .seconds(3), on: clock) { $0.pose }
        })
        #expect(missing == nil)
        #expect(clock.now - begun >= .seconds(3))
        await link.close()
    }

    @Test func `a control status from before the question is no answer to it`() async throws {
        let link = try await silentLink()
        let clock = clock
        link.publish(telemetry(pilot: "anna"))
        let asking = Task { try await ControlAuthorityClient.status(of: link, within: .seconds(3), clock: clock) }
        await clock.run(for: .milliseconds(50))
        link.publish(telemetry(pilot: "ben"))
        #expect(try await clock.run(through: { try await asking.value }).pilot?.name == "ben")
        let none = await #expect(throws: LinkError.self) {
            try await clock.run(through: {
                try await ControlAuthorityClient.status(of: link, within: .seconds(3), clock: clock)
            })
        }
        #expect(none?.code == .timedOut)
        await link.close()
    }
}
