import Foundation
import IntegrationKit
import Synchronization
import Testing

@testable import Zenoh

/// The router and the client of the eclipse-zenoh package, in another process.
private struct ZenohPeer {
    let process: ChildProcess
    let port: UInt16

    /// The Python with packages from PyPI, which scripts/setup --tests makes.
    private static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"

    /// Why it cannot be run here; `nil` if it can.
    static let missing: String? = {
        let folder = BuiltPrograms.repository + "/.build/peers/lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = versions.map { "\(folder)/\($0)/site-packages/zenoh/__init__.py" }
        return files.contains { FileManager.default.fileExists(atPath: $0) }
            ? nil : "eclipse-zenoh is missing: scripts/setup --tests gets it"
    }()

    /// Runs `body` with a router and with a client of ours that has a session.
    static func with(_ body: (ZenohPeer, ZenohClient) async throws -> Void) async throws {
        if let missing { return print("skipped: \(missing)") }
        let port = try freePort()
        let process = try ChildProcess([python, BuiltPrograms.repository + "/Tests/Peers/zenoh_peer.py", "\(port)"])
        let client = try ZenohClient(configuration: ZenohConfiguration(locator: "tcp/127.0.0.1:\(port)"))
        do {
            try await process.line(containing: "ready")
            try await client.waitForSession(within: .patient(seconds: 20))
            try await body(ZenohPeer(process: process, port: port), client)
        } catch {
            await client.shutdown()
            await process.stop()
            throw error
        }
        await client.shutdown()
        await process.stop()
    }

    /// Sends a command and waits until it is done.
    func run(_ command: String) async throws {
        let word = command.split(separator: " ").first ?? ""
        let before = process.output.split(separator: "\n").filter { $0 == "done \(word)" }.count
        process.send(line: command)
        try await process.line(containing: "done \(word)", skipping: before)
    }
}

/// What a callback was given.
private final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}

@Suite("a router of eclipse-zenoh", .serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct ZenohPeerTests {
    private struct Received: Sendable, Equatable {
        var key: String
        var payload: [UInt8]
        var attachment: [UInt8]?
        var isDeletion = false
    }

    private static func subscribe(
        _ client: ZenohClient, to key: String, _ collected: Collected<Received>
    ) throws -> ZenohDeclaration {
        try client.subscribe(to: key) { sample in
            collected.add(
                Received(
                    key: sample.key, payload: Array(sample.payload), attachment: sample.attachment.map { Array($0) },
                    isDeletion: sample.isDeletion))
        }
    }

    /// Publications, whole and in fragments, with attachments, in both directions; queries in both directions; tokens
    /// in both directions; and everything again after the router has restarted.
    @Test func `it carries all that a client does, and again after its restart`() async throws {
        try await ZenohPeer.with { peer, client in
            let received = Collected<Received>()
            let exact = try Self.subscribe(client, to: "0/uav1/status", received)
            let wild = try Self.subscribe(client, to: "0/wild/**", received)
            let service = try client.serve("0/ours") { query in
                if query.payload.map(Array.init) == Array("fail".utf8) {
                    query.fail(Array("refused".utf8))
                } else {
                    query.reply(payload: query.payload?.reversed() ?? [], attachment: query.attachment.map(Array.init))
                }
            }
            let token = try client.declareToken("@ros2_lv/0/ours")
            let changes = Collected<ZenohTokenChange>()
            let watch = try client.watchTokens(matching: "@ros2_lv/0/**") { changes.add($0) }
            _ = try await client.tokens(matching: "@ros2_lv/**", timeout: .patient(seconds: 10))

            try await publications(peer, client, received)
            try await queries(peer, client)
            try await tokens(peer, client, changes)

            try await peer.run("stop")
            #expect(await eventually { !client.isConnected })
            let publisher = try client.publisher(of: "0/up/one")
            #expect(publisher.put([1]) == .notConnected)
            let question = ZenohQuestion(key: "0/theirs")
            await #expect(throws: ZenohError.self) { try await client.query(question, timeout: .seconds(1)) }
            peer.process.send(line: "start")
            try await peer.process.line(containing: "ready", skipping: 1)
            try await client.waitForSession(within: .patient(seconds: 20))
            _ = try await client.tokens(matching: "@ros2_lv/**", timeout: .patient(seconds: 10))
            #expect(await eventually { changes.all.contains(.vanished("@ros2_lv/0/theirs")) })
            let before = received.all.count
            try await publications(peer, client, received, skipping: before)
            try await queries(peer, client)
            withExtendedLifetime((exact, wild, service, token, watch)) {}
        }
    }

    private func publications(
        _ peer: ZenohPeer, _ client: ZenohClient, _ received: Collected<Received>, skipping: Int = 0
    ) async throws {
        try await peer.run("put 0/uav1/status 010203 aabb")
        try await peer.run("put 0/wild/a/b - -")
        try await peer.run("delete 0/wild/a")
        try await peer.run("put 0/other 00 -")
        try await peer.run("big 0/wild/big 300000")
        #expect(await eventually { received.all.count - skipping >= 4 })
        let big = (0..<300_000).map { UInt8($0 % 251) }
        #expect(
            received.all.dropFirst(skipping) == [
                Received(key: "0/uav1/status", payload: [1, 2, 3], attachment: [0xAA, 0xBB]),
                Received(key: "0/wild/a/b", payload: []), Received(key: "0/wild/a", payload: [], isDeletion: true),
                Received(key: "0/wild/big", payload: big),
            ])

        try await peer.run("subscribe 0/up/**")
        let lines = peer.process.output.split(separator: "\n").filter { $0.hasPrefix("sample 0/up/") }.count
        let reliable = try client.publisher(of: "0/up/one", qos: ZenohQoS(priority: .realTime, blocks: true))
        let unreliable = try client.publisher(of: "0/up/two", qos: ZenohQoS(isExpress: true, isReliable: false))
        // A router matches publishers and subscribers when the publication arrives; the subscriber is in another
        // session.
        let isHeard = await eventually {
            reliable.put([9], attachment: [7])
            return peer.process.output.split(separator: "\n").filter { $0.hasPrefix("sample 0/up/one") }.count > lines
        }
        #expect(isHeard)
        // A router may drop it: so again, until it is heard.
        let heard = peer.process.output.split(separator: "\n").filter { $0.hasPrefix("sample 0/up/two") }.count
        let isSecondHeard = await eventually {
            unreliable.put([1, 2], attachment: [3])
            return peer.process.output.split(separator: "\n").filter { $0 == "sample 0/up/two put 0102 03 zenoh/bytes" }
                .count > heard
        }
        #expect(isSecondHeard)
        #expect(reliable.put(big) == .sent)
        let digits = big.prefix(64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let line = try await peer.process.line(containing: "sample 0/up/one put " + digits)
        #expect(line.split(separator: " ").dropFirst(3).first?.count == 600_000)
        reliable.delete()
        try await peer.process.line(containing: "sample 0/up/one delete")
    }

    private func queries(_ peer: ZenohPeer, _ client: ZenohClient) async throws {
        try await peer.run("serve 0/theirs")
        var question = ZenohQuestion(key: "0/theirs")
        question.target = .allComplete
        question.consolidation = .none
        question.payload = [1, 2, 3]
        question.attachment = [4, 5]
        var replies: [ZenohReply] = []
        // The router knows of the queryable a moment later.
        let isServed = try await eventually {
            replies = try await client.query(question, timeout: .patient(seconds: 10))
            return !replies.isEmpty
        }
        #expect(isServed)
        let reply = try #require(replies.first?.sample)
        #expect(replies.count == 1 && reply.key == "0/theirs")
        #expect(Array(reply.payload) == [3, 2, 1] && reply.attachment.map(Array.init) == [4, 5])
        question.payload = Array("fail".utf8)
        let failures = try await client.query(question, timeout: .patient(seconds: 10))
        guard case .failure(let bytes)? = failures.first else {
            Issue.record("\(failures)")
            return
        }
        #expect(bytes == Array("refused".utf8))
        let nobody = try await client.query(ZenohQuestion(key: "0/nobody"), timeout: .patient(seconds: 10))
        #expect(nobody.isEmpty)

        let before = peer.process.output.split(separator: "\n").filter { $0 == "replied" }.count
        try await peer.run("get 0/ours 0a0b0c 11")
        try await peer.process.line(containing: "replied", skipping: before)
        #expect(peer.process.output.contains("reply 0/ours 0c0b0a 11\nreplied"))
        try await peer.run("get 0/ours \(Array("fail".utf8).map { String($0, radix: 16) }.joined()) -")
        #expect(peer.process.output.contains("failure 72656675736564\nreplied"))
    }

    private func tokens(
        _ peer: ZenohPeer, _ client: ZenohClient, _ changes: Collected<ZenohTokenChange>
    ) async throws {
        try await peer.run("watch @ros2_lv/0/ours")
        try await peer.process.line(containing: "token came @ros2_lv/0/ours")
        let second = try client.declareToken("@ros2_lv/0/second")
        try await peer.run("token @ros2_lv/0/theirs")
        try await peer.run("token @ros2_lv/0/theirs/two")
        #expect(await eventually { changes.all.contains(.appeared("@ros2_lv/0/theirs/two")) })
        let all = try await client.tokens(matching: "@ros2_lv/0/**", timeout: .patient(seconds: 10))
        #expect(
            all.sorted() == [
                "@ros2_lv/0/ours", "@ros2_lv/0/second", "@ros2_lv/0/theirs", "@ros2_lv/0/theirs/two",
            ])
        try await peer.run("untoken @ros2_lv/0/theirs/two")
        #expect(await eventually { changes.all.contains(.vanished("@ros2_lv/0/theirs/two")) })
        second.cancel()
        #expect(await eventually { changes.all.contains(.vanished("@ros2_lv/0/second")) })
    }

    /// A router that had to drop something for a session without priorities marks it as congested, and drops all that may be
    /// dropped from then on.
    @Test func `what may be dropped comes again after a flood that was not read`() async throws {
        try await ZenohPeer.with { peer, client in try await flood(peer, client) }
    }

    private final class Flood: Sendable {
        let isRead = Atomic<Bool>(false)
        let count = Atomic<Int>(0)
        let later = Atomic<Int>(0)
    }

    private func flood(_ peer: ZenohPeer, _ client: ZenohClient) async throws {
        let flood = Flood()
        // The I/O thread never waits for ever.
        defer { flood.isRead.store(true, ordering: .relaxed) }
        let first = try client.subscribe(to: "0/flood") { _ in
            while !flood.isRead.load(ordering: .relaxed) { usleep(1000) }
            flood.count.wrappingAdd(1, ordering: .relaxed)
        }
        let second = try client.subscribe(to: "0/later") { _ in flood.later.wrappingAdd(1, ordering: .relaxed) }
        _ = try await client.tokens(matching: "@ros2_lv/**", timeout: .patient(seconds: 10))
        let sent = 30_000
        try await peer.run("flood 0/flood \(sent) 1000")
        flood.isRead.store(true, ordering: .relaxed)
        let isHeard = try await eventually {
            try await peer.run("flood 0/later 1 10")
            return flood.later.load(ordering: .relaxed) > 0
        }
        #expect(isHeard)
        // Otherwise nothing was dropped, and nothing is shown.
        #expect(flood.count.load(ordering: .relaxed) < sent)
        withExtendedLifetime((first, second)) {}
    }

    /// Nobody listens, or something else does.
    @Test func `a router that is none is named`() async throws {
        let port = try freePort()
        let client = try ZenohClient(configuration: ZenohConfiguration(host: "127.0.0.1", port: port))
        await #expect(throws: ZenohError.self) { try await client.waitForSession(within: .milliseconds(300)) }
        let question = ZenohQuestion(key: "a")
        let failure = await #expect(throws: ZenohError.self) { try await client.query(question, timeout: .seconds(1)) }
        #expect(failure?.code == .notConnected)
        await client.shutdown()
        await #expect(throws: ZenohError.self) { try await client.waitForSession(within: .seconds(1)) }
        #expect(throws: ZenohError.self) { try client.declareToken("a") }
    }
}
