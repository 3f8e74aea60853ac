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

    @Test func `over SSH the link itself knows it, and nothing is asked`() async throws {
        let fault = LinkError(.serviceMissing, "no node publishes it", hint: "start it")
        #expect(try await reason(LinkError(.notConnected, "x"), over: .ssh, fault: fault) == fault)
        #expect(try await reason(LinkError(.notConnected, "x"), over: .ssh) == nil)
    }
}
