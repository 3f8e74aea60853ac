import IntegrationKit
import ROS2
import ROS2Interfaces
import ROSMessages
import Testing
import Zenoh

@testable import ROS2Node

/// Against a router of eclipse-zenoh and a client of it that makes and reads tokens, attachments and CDR by itself.
@Suite("nodes behind a router", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ROS2NodePeerTests {
    private typealias Log = RclInterfaces.Log
    private typealias Lists = RclInterfaces.GetParameters

    private static let logKey = "0/rosout/rcl_interfaces::msg::dds_::Log_/\(Log.ros2TypeHash)"

    private static func line(_ text: String) -> Log {
        var log = Log()
        log.msg = text
        return log
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Runs `body` with a peer and a session of ours.
    private static func with(
        _ body: (ROS2Peer, ROS2Session, Collected<ROS2Event>) async throws -> Void
    ) async throws {
        try await ROS2Peer.with { peer in
            let events = Collected<ROS2Event>()
            let session = try ROS2Session(
                configuration: ROS2Configuration(
                    zenoh: try ZenohConfiguration(locator: peer.locator), onEvent: { events.add($0) }))
            do {
                try await session.waitForRouter(within: .patient(seconds: 20))
                try await body(peer, session, events)
            } catch {
                await session.shutdown()
                throw error
            }
            await session.shutdown()
        }
    }

    /// Everything that was declared has reached the router.
    private static func settle(_ session: ROS2Session) async throws {
        _ = try await session.readGraph(within: .patient(seconds: 20))
    }

    @Test func `nodes and endpoints are seen, and others' are`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(namespace: "/uav1", name: "ours"))
            let publisher = try node.publisher(of: "status", type: Log.self)
            let server = try node.serve("~/get", type: Lists.self) { _ in Lists.Response() }
            try await Self.settle(session)
            let seen = try await peer.run("graph")
            #expect(seen.contains(["node", "/uav1/ours"]))
            let topic = seen.first { $0.contains("/uav1/status") }
            #expect(
                topic == [
                    "endpoint", "MP", "/uav1/ours", "/uav1/status", "rcl_interfaces::msg::dds_::Log_",
                    Log.ros2TypeHash.text, "::,10:,:,:,,",
                ])
            #expect(seen.contains { $0.contains("SS") && $0.contains("/uav1/ours/get") })

            let type = "rcl_interfaces::msg::dds_::Log_/\(Log.ros2TypeHash)"
            let theirs = "@ros2_lv/0/abc/1/2/MS/%/%gcs/monitor/%uav1%status/\(type)/::,10:,:,:,,"
            try await peer.run("token \(theirs)")
            #expect(await eventually { publisher.subscriberCount == 1 })
            #expect(session.graph.nodes.map(\.text) == ["/gcs/monitor", "/uav1/ours"])
            #expect(try await session.readGraph(within: .patient(seconds: 20)).count == session.graph.count)
            try await peer.run("untoken \(theirs)")
            #expect(await eventually { publisher.subscriberCount == 0 })
            withExtendedLifetime(server) {}
        }
    }

    @Test func `publications carry valid attachments, and only valid ones are delivered`() async throws {
        try await Self.with { peer, session, events in
            let node = try session.node(try ROS2NodeName(name: "ours"))
            let publisher = try node.publisher(of: "/up", type: Log.self)
            let taken = Collected<String>()
            let numbers = Collected<Int64>()
            let subscription = try node.subscribe(to: "/rosout", type: Log.self) { log, attachment in
                taken.add(log.msg)
                numbers.add(attachment.sequence)
            }
            try await Self.settle(session)
            #expect(try await peer.run("subscribe /up") == [["subscribed", "/up"]])
            let isHeard = try await eventually {
                publisher.publish(Self.line("up"))
                return try await peer.run("topic /up").first?[2] != "0"
            }
            #expect(isHeard)
            let last = try #require(try await peer.run("topic /up").first)
            #expect(last[3] == "0")
            #expect(last[4] == Self.hexadecimal(Self.line("up").cdr))

            let payload = Self.hexadecimal(Self.line("down").cdr)
            for kind in ["missing", "short", "negative", "good", "old", "good"] {
                try await peer.run("put \(Self.logKey) \(payload) \(kind)")
            }
            try await peer.run("put \(Self.logKey) 0001000001 good")
            try await peer.run("put 0/rosout/** \(payload) good")
            try await peer.run("delete \(Self.logKey)")
            #expect(await eventually { session.refused[.deletion] == 1 })
            // That of the older form is read, too.
            #expect(taken.all == ["down", "down", "down"])
            #expect(numbers.all == numbers.all.sorted())
            #expect(
                session.refused == [
                    .missingAttachment: 1, .malformedAttachment: 2, .undecodable: 1, .wildcard: 1, .deletion: 1,
                ])
            #expect(events.all.contains { "\($0)".contains("/rosout: refused a message without an attachment") })
            // Nobody with a token sent it: everybody else is still served.
            #expect(publisher.publish(Self.line("up")) == .sent)
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func `what an older session subscribes is not published any more`() async throws {
        try await Self.with { peer, session, events in
            let node = try session.node(try ROS2NodeName(name: "ours"))
            let publisher = try node.publisher(of: "/up", type: Log.self)
            let subscription = try node.subscribe(to: "/rosout", type: Log.self) { _, _ in }
            let end = "rcl_interfaces::msg::dds_::Log_/\(Log.ros2TypeHash)/::,10:,:,:,,"
            try await peer.run("token @ros2_lv/0/abc/1/2/MP/%/%/old/%rosout/\(end)")
            try await peer.run("token @ros2_lv/0/abc/1/3/MS/%/%/old/%up/\(end)")
            #expect(await eventually { publisher.subscriberCount == 1 })
            #expect(publisher.publish(Self.line("up")) == .sent)
            try await peer.run("put \(Self.logKey) \(Self.hexadecimal(Self.line("x").cdr)) old")
            #expect(await eventually { session.olderSessions == ["abc"] })
            #expect(publisher.publish(Self.line("up")) == .refused)
            #expect(events.all.contains { "\($0)".contains("rmw_zenoh before 0.2.4") })
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func `a service is called, and a reply is checked`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(name: "ours"))
            let client = try node.client(of: "/theirs", type: Lists.self)
            let type = "rcl_interfaces::srv::dds_::GetParameters_"
            let key = "0/theirs/\(type)/\(Lists.ros2TypeHash)"
            func code(_ request: Lists.Request = .init(names: ["a"])) async -> ROSError.Code? {
                do throws(ROSError) {
                    _ = try await client.call(request, timeout: .patient(seconds: 10))
                    return nil
                } catch { return error.code }
            }
            #expect(await code() == .noProvider)
            // The hash of another version: another key, and nothing but the token says why.
            let token =
                "@ros2_lv/0/abc/1/2/SS/%/%/n/%theirs/\(type)/RIHS01_\(String(repeating: "ab", count: 32))/::,:,:,:,,"
            try await peer.run("token \(token)")
            #expect(await eventually { client.agreement != .absent })
            let error = await #expect(throws: ROSError.self) {
                try await client.call(.init(names: ["a"]), timeout: .patient(seconds: 10))
            }
            #expect(error?.code == .typeMismatch)
            #expect(error?.what.contains("RIHS01_abab") == true)

            let answer = Lists.Response(values: [.init(.integer(42))])
            func serve(_ payload: [UInt8], _ kind: String) async throws {
                try await peer.run("serve \(key) \(Self.hexadecimal(payload)) \(kind)")
            }
            try await serve(answer.cdr, "good")
            #expect(try await client.call(.init(names: ["a"]), timeout: .patient(seconds: 10)) == answer)
            for kind in ["missing", "short", "other"] {
                try await serve(answer.cdr, kind)
                #expect(await code() == .protocolViolation)
            }
            try await serve([0, 1, 0, 0, 9], "good")
            #expect(await code() == .protocolViolation)
            #expect(
                session.refused == [
                    .missingAttachment: 1, .malformedAttachment: 1, .foreignReply: 1, .undecodable: 1,
                ])
        }
    }

    /// A router answers for one that ends after the request has reached it as for one that was never there.
    @Test func `a server that ends without a reply may have executed the request`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(name: "ours"))
            let client = try node.client(of: "/theirs", type: Lists.self)
            let type = "rcl_interfaces::srv::dds_::GetParameters_/\(Lists.ros2TypeHash)"
            try await peer.run("token @ros2_lv/0/abc/1/2/SS/%/%/n/%theirs/\(type)/::,:,:,:,,")
            #expect(await eventually { client.agreement == .agrees })
            let error = await #expect(throws: ROSError.self) {
                try await client.call(.init(names: ["a"]), timeout: .seconds(10))
            }
            #expect(error?.code == .connectionLost, "\(error as Any)")
        }
    }

    @Test func `a server executes only what asks for it alone with a valid attachment`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(namespace: "/uav1", name: "ours"))
            let executed = Collected<[String]>()
            let server = try node.serve("get", type: Lists.self) { request in
                executed.add(request.names)
                return Lists.Response()
            }
            let late = try node.serve("late", type: Lists.self, asyncHandler: { _ in Lists.Response() })
            let described = try node.serveTypeDescriptions()
            try await Self.settle(session)
            for kind in ["missing", "short", "negative", "old"] {
                let answer = try await peer.run("faulty /uav1/get \(kind)")
                #expect(answer.first?.prefix(3) == ["answer", "failure", "refused"])
            }
            #expect(try await peer.run("wild").isEmpty)
            #expect(executed.all.isEmpty)
            #expect(session.refused[.wildcard] == 3)
            #expect(session.refused[.olderAttachment] == 1)
            // A request that is too short for its type.
            let short = try await peer.run("trigger /uav1/get")
            #expect(short.first?.prefix(2) == ["answer", "failure"])

            let describe = "describe /uav1/ours/get_type_description rcl_interfaces/srv/GetParameters"
            #expect(try await peer.run("\(describe) \(Lists.ros2TypeHash)") == [["answer", "True"]])
            #expect(try await peer.run("\(describe) RIHS01_0").first?.prefix(2) == ["answer", "False"])
            withExtendedLifetime((server, late, described)) {}
        }
    }

    /// In both directions, against the advanced publishers and subscribers that rmw_zenoh uses.
    @Test func `what is kept for later subscribers arrives once`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(name: "ours"))
            var quality = QualityOfService.usual
            quality.durability = .transientLocal
            quality.depth = 2
            let publisher = try node.publisher(of: "/kept", type: Log.self, quality: quality)
            for text in ["a", "b", "c"] { publisher.publish(Self.line(text)) }
            try await Self.settle(session)
            let late = try await peer.run("late /kept 2")
            #expect(late.map { $0[2] } == ["2", "3"])
            #expect(late.last?[3] == Self.hexadecimal(Self.line("c").cdr))

            let payloads = ["x", "y"].map { Self.hexadecimal(Self.line($0).cdr) }.joined(separator: " ")
            try await peer.run("keep \(Self.logKey) \(payloads)")
            let taken = Collected<String>()
            let subscription = try node.subscribe(to: "/rosout", type: Log.self, quality: quality) { log, _ in
                taken.add(log.msg)
            }
            #expect(await eventually { taken.all.count >= 2 })
            try await Self.settle(session)
            #expect(taken.all == ["x", "y"])
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func `everything is declared again after the router has restarted`() async throws {
        try await Self.with { peer, session, _ in
            let node = try session.node(try ROS2NodeName(namespace: "/uav1", name: "ours"))
            var quality = QualityOfService.usual
            quality.durability = .transientLocal
            let publisher = try node.publisher(of: "kept", type: Log.self, quality: quality)
            let taken = Collected<String>()
            let subscription = try node.subscribe(to: "/rosout", type: Log.self, quality: quality) { log, _ in
                taken.add(log.msg)
            }
            let server = try node.serve("get", type: Lists.self) { _ in .init(values: []) }
            publisher.publish(Self.line("before"))
            try await peer.run("stop")
            #expect(await eventually { !session.zenoh.isConnected })
            #expect(publisher.publish(Self.line("between")) == .notConnected)
            try await peer.run("start")
            try await session.waitForRouter(within: .patient(seconds: 30))
            try await Self.settle(session)
            let seen = try await peer.run("graph")
            #expect(seen.filter { $0.first == "endpoint" }.count == 3)
            let late = try await peer.run("late /uav1/kept 2")
            #expect(late.map { $0[2] } == ["1", "2"])
            try await peer.run("keep \(Self.logKey) \(Self.hexadecimal(Self.line("again").cdr))")
            #expect(await eventually { taken.all == ["again"] })
            withExtendedLifetime((subscription, server)) {}
        }
    }
}
