import IntegrationKit
import ROS2
import ROS2Interfaces
import Testing
import Zenoh

@testable import ROS2Node

/// A router that stays open, and does not know any more what was declared.
@Suite("a forgetful router", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ForgetfulRouterPeerTests {
    private typealias Log = RclInterfaces.Log
    private typealias Lists = RclInterfaces.GetParameters

    private static func session(
        _ locator: String, _ events: Collected<ROS2Event> = Collected()
    ) async throws -> ROS2Session {
        let session = try ROS2Session(
            configuration: ROS2Configuration(
                zenoh: try ZenohConfiguration(locator: locator), onEvent: { events.add($0) }))
        try await session.waitForRouter(within: .seconds(20))
        return session
    }

    @Test func `nodes, services, subscriptions and watches are declared again`() async throws {
        try await ROS2Peer.with { peer in
            let relay = try await ZenohRelay(before: peer)
            let outcome: Result<Void, any Error>
            do {
                try await check(peer, relay)
                outcome = .success(())
            } catch { outcome = .failure(error) }
            await relay.stop()
            try outcome.get()
        }
    }

    private func check(_ peer: ROS2Peer, _ relay: ZenohRelay) async throws {
        let events = Collected<ROS2Event>()
        let session = try await Self.session(relay.locator, events)
        let other = try await Self.session(peer.locator)
        let node = try session.node(try ROS2NodeName(namespace: "/uav1", name: "ours"))
        let server = try node.serve("get", type: Lists.self) { _ in .init(values: []) }
        var quality = QualityOfService.usual
        quality.durability = .transientLocal
        let taken = Collected<String>()
        let subscription = try node.subscribe(to: "/rosout", type: Log.self, quality: quality) { log, _ in
            taken.add(log.msg)
        }
        _ = try await session.readGraph(within: .seconds(20))
        #expect(await eventually { other.graph.count == 3 })

        try await relay.become("swallow")
        try await relay.become("forget")
        #expect(await eventually { other.graph.count == 0 })
        // Neither is noticed: what is published meanwhile, and who joins.
        let kept = try other.node(try ROS2NodeName(name: "later")).publisher(
            of: "/rosout", type: Log.self, quality: quality)
        var line = Log()
        line.msg = "meanwhile"
        #expect(kept.publish(line) == .sent)
        _ = try await other.readGraph(within: .seconds(20))
        #expect(taken.all.isEmpty)

        try await relay.become("pass")
        #expect(await eventually(within: .seconds(60)) { other.graph.nodes.map(\.text).contains("/uav1/ours") })
        let client = try other.node(try ROS2NodeName(name: "caller")).client(of: "/uav1/get", type: Lists.self)
        let isServed = await eventually {
            (try? await client.call(.init(names: []), timeout: .seconds(10))) != nil
        }
        #expect(isServed)
        #expect(await eventually { taken.all == ["meanwhile"] })
        #expect(await eventually { session.graph.nodes.map(\.text).contains("/caller") })
        #expect(events.all.contains { "\($0)".contains("everything was declared again") })
        #expect(try await relay.report().connections == 1)
        withExtendedLifetime((server, subscription, kept)) {}
        await session.shutdown()
        await other.shutdown()
    }
}
