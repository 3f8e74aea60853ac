import FlightControl
import Testing
import UAVLink
import UAVTestKit

/// Why no telemetry comes, where the companion knows it.
@Suite struct SilenceReasonTests {
    private func reason(_ answer: LinkError?, over kind: LinkKind = .udp, fault: LinkError? = nil) async throws
        -> LinkError?
    {
        let link = FakeLink(kind: kind)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        link.survey.failure = answer
        var quality = LinkQuality(isConnected: true)
        quality.telemetryFault = fault
        link.setQuality(quality)
        let reason = await link.reasonOfSilence(within: .seconds(1))
        await link.close()
        return reason
    }

    @Test func `a companion that does not reach ROS says so`() async throws {
        let unreachable = LinkError(
            .rosMasterUnreachable, "cannot reach the ROS master at http://localhost:11311 (connection refused)",
            hint: "is roscore running on the vehicle?")
        #expect(try await reason(unreachable) == unreachable)
        #expect(try await reason(LinkError(.timedOut, "no answer")) == nil)
        #expect(try await reason(nil) == nil)
    }

    @Test func `a goto without a heading, and a take-off, say why nothing shows the vehicle`() async throws {
        let clock = FakeClock()
        let link = FakeLink(kind: .udp, clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        let unreachable = LinkError(.rosMasterUnreachable, "cannot reach the ROS master", hint: "is it running?")
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock))
        let goal = GoalInput(reference: .frame(.current), position: .zero)
        for reason in [unreachable, nil] {
            link.survey.failure = reason
            let steps: [@Sendable () async throws -> Void] = [
                { _ = try await flight.command(for: goal) }, { try await flight.armAndTakeOff() },
            ]
            for step in steps {
                do {
                    try await clock.run(through: step)
                    Issue.record("it went on")
                } catch FlightInteractor.Failure.link(let error) {
                    #expect(error.code == reason?.code ?? .timedOut)
                    #expect(error.what.hasSuffix(": cannot reach the ROS master") == (reason != nil), "\(error)")
                    #expect(reason == nil || error.hint == "is it running?", "\(error)")
                }
            }
        }
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `over SSH the link itself knows it, and nothing is asked`() async throws {
        let fault = LinkError(.serviceMissing, "no node publishes it", hint: "start it")
        #expect(try await reason(LinkError(.notConnected, "x"), over: .ssh, fault: fault) == fault)
        #expect(try await reason(LinkError(.notConnected, "x"), over: .ssh) == nil)
    }
}
