import ChannelTestKit
import IntegrationKit
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// What a companion says that its vehicle can do, over real sockets.
@Suite("Capabilities over sockets", .timeLimit(.minutes(MachinePace.minutes(1)))) struct CapabilityLoopbackTests {
    @Test(arguments: LoopbackTests.carriers)
    func `what the vehicle lacks is not sent, what stops motion is`(_ carrier: SocketLink.Carrier) async throws {
        var capabilities = Samples.capabilities
        capabilities.commands = .takeoff
        let handler = RecordingHandler(vehicleCapabilities: capabilities)
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let link = try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in try server.issueTicket()
        }
        try await link.connect(within: .patient(seconds: 5))
        server.publish(Samples.telemetry(at: SystemMonotonicClock().now))
        #expect(await eventually { link.vehicleCapabilities == capabilities })
        let refused = await #expect(throws: LinkError.self) {
            try await link.perform(.land, within: .patient(seconds: 5))
        }
        #expect(refused?.code == .unsupported)
        #expect(refused?.what == "uav1: toy has no landing")
        let stops: [Command] = [.hover, .emergencyHover, .emergencyLand, .stopTrajectory]
        for stop in stops { _ = try await link.perform(stop, within: .patient(seconds: 5)) }
        #expect(handler.commands == stops)
        await link.close()
        await server.stop()
    }
}
