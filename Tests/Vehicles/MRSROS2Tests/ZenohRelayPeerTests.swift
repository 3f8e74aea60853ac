import IntegrationKit
import ROS2Node
import Testing
import Zenoh

/// The program that looks at our attachments in the tests of vehicles in ROS 2 sees wrong ones.
@Suite("a relay that looks at attachments", .timeLimit(.minutes(MachinePace.minutes(2))))
struct ZenohRelayPeerTests {
    /// What a publisher sends: a number, nanoseconds since 1970, and who it is.
    private static func attachment(_ number: Int64, at time: Int64? = nil, from sender: UInt8 = 7) throws -> [UInt8] {
        let now = try ROS2Configuration(router: nil, domain: 0, environment: [:]).clock()
        func bytes(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        return bytes(number) + bytes(time ?? now) + [16] + Array(repeating: sender, count: 16)
    }

    private func withRelay(_ body: (ZenohRelay, ZenohClient) async throws -> Void) async throws {
        try await ROS2Peer.with { peer in
            let relay = try await ZenohRelay(before: peer)
            let client = try ZenohClient(configuration: ZenohConfiguration(locator: relay.locator))
            let outcome: Result<Void, any Error>
            do {
                try await client.waitForSession(within: .patient(seconds: 20))
                outcome = .success(try await body(relay, client))
            } catch { outcome = .failure(error) }
            await client.shutdown()
            await relay.stop()
            try outcome.get()
        }
    }

    /// What the relay has counted once it has seen so many publications.
    private func faults(_ relay: ZenohRelay, after publications: Int) async throws -> ZenohRelay.Report {
        var report = try await relay.report()
        let deadline = ContinuousClock.now + .patient(seconds: 20)
        while report.publications < publications, ContinuousClock.now < deadline { report = try await relay.report() }
        #expect(report.publications == publications)
        return report
    }

    @Test func `right attachments are no fault, with gaps in their numbers and a sender for each topic`() async throws {
        try await withRelay { relay, client in
            let (one, two) = (try client.publisher(of: "0/a/t"), try client.publisher(of: "0/b/t"))
            for number in [1, 2, 5] { _ = one.put([1], attachment: try Self.attachment(Int64(number))) }
            _ = two.put([1], attachment: try Self.attachment(1, from: 8))
            let report = try await faults(relay, after: 4)
            #expect(report.faults == 0, "\(report.lines)")
        }
    }

    @Test func `each wrong attachment is a fault`() async throws {
        try await withRelay { relay, client in
            let (one, two) = (try client.publisher(of: "0/a/t"), try client.publisher(of: "0/b/t"))
            _ = one.put([1], attachment: try Self.attachment(3))
            var wrongLength = try Self.attachment(4)
            wrongLength[16] = 15
            let wrong: [[UInt8]?] = [
                nil, [], try Self.attachment(4).dropLast(), wrongLength, try Self.attachment(0),
                try Self.attachment(-1), try Self.attachment(3), try Self.attachment(2), try Self.attachment(4, at: 0),
                try Self.attachment(4, from: 0),
            ]
            for bytes in wrong { _ = one.put([1], attachment: bytes) }
            // The sender of another topic.
            _ = two.put([1], attachment: try Self.attachment(9))
            let report = try await faults(relay, after: wrong.count + 2)
            #expect(report.faults == wrong.count + 1, "\(report.lines)")
        }
    }
}
