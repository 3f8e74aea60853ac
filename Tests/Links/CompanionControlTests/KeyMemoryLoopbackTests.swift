#if canImport(Glibc)
    import CompanionControl
    import Foundation
    import IntegrationKit
    import Secrets
    import Testing
    import UAVLink
    import UAVTestKit

    /// What of a ticket's line stays in memory when a companion has answered with it over its control socket.
    @Suite(.timeLimit(.minutes(MachinePace.minutes(1)))) struct KeyMemoryLoopbackTests {
        @Test func `an answer's digits stand in memory as long as the answer is held, and then nowhere`() async throws {
            let folder = try TemporaryFolder()
            let runtime = try RuntimeDirectory(folder.path, environment: [:])
            let path = runtime.controlSocketPath(vehicle: "uav1")
            let search = try #require(MemorySearch(32))
            // Read only, on the server's thread, while this test holds the search.
            nonisolated(unsafe) let text = try #require(search.text("uavlink-channel 1 key=", " udp=7"))
            let server = try ControlServer(path: path) { _ throws(LinkError) in SecretBytes(text) }
            var answer = try ControlClient(path: path).ask(.ticket)
            #expect(answer?.count == text.count)
            // The server's thread releases what it has sent when the client may have it already.
            #expect(await eventually { search.countOfDigits() == 1 })
            answer = nil
            #expect(await eventually { search.countOfDigits() == 0 })
            server.stop()
        }
    }
#endif
