import IntegrationKit
import ROSMessages
import Testing

@testable import ROS1
@testable import SystemIO

/// Those who wait for a master that is not there.
@Suite struct MasterWaitingLoopbackTests {
    /// Nobody listens on port 1.
    private func node() throws -> ROSNode {
        try ROSNode(
            configuration: ROSConfiguration(
                name: "waiter", environment: ["ROS_MASTER_URI": "http://127.0.0.1:1/", "ROS_IP": "127.0.0.1"]))
    }

    @Test func `a wait that has timed out leaves nothing behind`() async throws {
        let node = try node()
        for _ in 0..<5 {
            await #expect(throws: ROSError.self) { try await node.waitForMaster(within: .milliseconds(2)) }
            await #expect(throws: ROSError.self) { try await node.waitForRegistration(within: .milliseconds(2)) }
        }
        let left = await withCheckedContinuation { continuation in
            node.withCore { node, core in
                continuation.resume(returning: [core.onStop.count, node.session.waiterCount])
            }
        }
        // What the node itself does at its end.
        #expect(left == [1, 0])
        await node.shutdown()
    }

    @Test func `a wait ends with the node, and one after that at once`() async throws {
        let node = try node()
        let waiting = Task { try await node.waitForRegistration(within: .seconds(600)) }
        let isWaiting = await eventually {
            await withCheckedContinuation { continuation in
                node.withCore { node, _ in continuation.resume(returning: node.session.waiterCount == 1) }
            }
        }
        #expect(isWaiting)
        await node.shutdown()
        let error = await #expect(throws: ROSError.self) { try await waiting.value }
        #expect(error?.code == .closed)
        let late = await #expect(throws: ROSError.self) { try await node.waitForMaster(within: .seconds(600)) }
        #expect(late?.code == .closed)
    }
}
