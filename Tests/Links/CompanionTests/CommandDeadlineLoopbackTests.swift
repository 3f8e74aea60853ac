import IntegrationKit
import ChannelProtocol
import SocketTransport
import Testing
import UAVLink
import UAVTestKit

@testable import Companion

/// A command whose caller has given up, over the channel.
@Suite(.timeLimit(.minutes(MachinePace.minutes(1)))) struct CommandDeadlineLoopbackTests {
    private let log = CompanionLog { _ in }

    @Test func `over the channel its answer is kept, and the command not begun later`() async throws {
        let backend = FakeLink()
        let late = LateLink(backend)
        let companion = Companion(.init(vehicle: "uav1"), backend: late, log: log)
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: companion)
        let run = Task { await companion.run { _ in } }
        #expect(await eventually { late.isBeingReached })
        let link = try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in try server.issueTicket() }
        try await link.connect(within: .patient(seconds: 5))
        let error = await #expect(throws: LinkError.self) {
            try await link.perform(.takeoff, within: .milliseconds(80))
        }
        #expect(error?.code == .timedOut)
        late.open()
        _ = try await link.perform(.land, within: .patient(seconds: 10))
        #expect(backend.commands == [.land])
        // Counters are reported now and then.
        #expect(await eventually { server.counters.commandsBegun > 0 })
        await link.close()
        await server.stop()
        run.cancel()
    }
}
