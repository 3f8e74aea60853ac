import ROS2
import ROSMessages
import Synchronization
import Testing
import Zenoh

@testable import ROS2Node

/// What a callback was given.
final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}

@Suite("what is sent and what is refused")
struct SessionStateTests {
    private let events = Collected<ROS2Event>()
    private let name: ROS2Name
    private let sender: EndpointID

    init() throws {
        name = try ROS2Name("/uav1/control_manager/goto")
        sender = try #require(EndpointID((0..<16).map { UInt8($0) }))
    }

    private func state() -> SessionState {
        let events = events
        return SessionState(
            ROS2Configuration(zenoh: ZenohConfiguration(host: "127.0.0.1"), onEvent: { events.add($0) }))
    }

    private func attachment() throws -> [UInt8] {
        try #require(MessageAttachment(sequence: 7, sourceNanoseconds: 5, sender: sender)).bytes
    }

    /// The form before 0.2.4.
    private func older() throws -> [UInt8] {
        let bytes = try attachment()
        func named(_ name: String, _ value: ArraySlice<UInt8>) -> [UInt8] {
            [UInt8(name.utf8.count)] + Array(name.utf8) + value
        }
        return named("sequence_number", bytes[0..<8]) + named("source_timestamp", bytes[8..<16])
            + named("source_gid", bytes[16...])
    }

    @Test func `an attachment is checked before it is sent`() throws {
        let good = try attachment()
        try Outgoing.check(good)
        var bad = [[], Array(good.dropLast()), good + [0]]
        for place in [7, 15, 16] {
            var changed = good
            changed[place] = 0x80
            bad.append(changed)
        }
        for bytes in bad {
            let error = #expect(throws: ROSError.self) { try Outgoing.check(bytes) }
            #expect(error?.code == .misuse)
        }
        let attachment = try #require(MessageAttachment(good))
        var reused: [UInt8] = [1, 2, 3]
        try Outgoing.write(attachment, to: &reused)
        #expect(reused == good)
    }

    @Test func `what has no valid attachment is refused by name and counted`() throws {
        let state = state()
        let good = try attachment()
        #expect(state.attachment(good[...], on: name, from: .client)?.sequence == 7)
        for _ in 0..<5 { #expect(state.attachment(nil, on: name, from: .client) == nil) }
        #expect(state.attachment(good.dropLast()[...], on: name, from: .client) == nil)
        #expect(state.refused == [.missingAttachment: 5, .malformedAttachment: 1])
        let lines = events.all.map { "\($0)" }
        // The first, second and fourth of the one, the first of the other.
        #expect(lines.count == 4)
        #expect(lines.first == "/uav1/control_manager/goto: refused a message without an attachment (1 so far)")
        #expect(lines.last == "/uav1/control_manager/goto: refused a message with a malformed attachment (1 so far)")
    }

    @Test func `names that a peer invents are counted in all, and announced up to a bound`() {
        let state = state()
        for number in 0..<5000 { state.refuse(.deletion, on: "/n\(number)") }
        #expect(state.refused == [.deletion: 5000])
        #expect(events.all.count == 4096)
    }

    @Test func `malformed tokens and hashes are counted and do not stay in the graph`() throws {
        let state = state()
        state.take(.appeared("@ros2_lv/0/1/2"))
        #expect(state.graph.malformed == 1)
        #expect(state.graph.count == 0)
        let type = "mrs_msgs::srv::dds_::Vec4_"
        let token = "@ros2_lv/0/ab/1/2/SS/%/%uav1/hw_api/%uav1%goto/\(type)/RIHS01_xyz/::,10:,:,:,,"
        state.take(.appeared(token))
        #expect(state.refused == [.malformedHash: 1])
        state.take(.appeared(token.replacing("RIHS01_xyz", with: "TypeHashNotSupported")))
        #expect(state.refused == [.malformedHash: 1])
        #expect(events.all.count == 2)
        state.take(.vanished(token))
        #expect(state.graph.count == 1)
    }

    /// Nothing is sent to the session that sent something of the older form; everything else goes on.
    @Test func `an older session is known by its tokens, and nothing reaches it`() throws {
        let state = state()
        func token(_ session: String, _ role: LivelinessToken.Role, _ topic: String) throws -> LivelinessToken {
            let node = try LivelinessToken(
                domain: 0, session: [UInt8(session) ?? 0], nodeID: 1, node: ROS2NodeName(name: "n"))
            let type = try #require(ROS2TypeName("std_msgs/msg/String"))
            let endpoint = LivelinessToken.Endpoint(
                role: role, name: try ROS2Name(topic), type: EndpointType(type, TypeHash(1, 2, 3, 4)), quality: .usual)
            return LivelinessToken(of: endpoint, id: 2, node: node)
        }
        let tokens = [
            try token("1", .publisher, "/status"), try token("1", .subscriber, "/reference"),
            try token("2", .subscriber, "/other"),
        ]
        for token in tokens { state.take(.appeared(token.text)) }
        func reaches(_ index: Int) throws -> Bool {
            let end = try #require(tokens[index].endpoint)
            let endpoint = Endpoint(name: end.name, type: end.type, number: 9, token: tokens[index], key: "")
            return state.reachesOlder(endpoint, .subscriber)
        }
        #expect(try !reaches(1))
        #expect(state.attachment(try older()[...], on: try ROS2Name("/status"), from: .publisher)?.sequence == 7)
        #expect(state.olderSessions == ["1"])
        #expect(try reaches(1))
        #expect(try !reaches(2))
        // Once, however often it is heard; from nobody that has a token, not at all.
        _ = state.attachment(try older()[...], on: try ROS2Name("/status"), from: .publisher)
        _ = state.attachment(try older()[...], on: name, from: .client)
        #expect(events.all.count == 1)
    }

    @Test func `queries for kept publications say how many`() {
        #expect(PublicationCache.wanted("_anyke;_max=10") == 10)
        #expect(PublicationCache.wanted("_max=0") == 0)
        #expect(PublicationCache.wanted("") == .max)
        #expect(PublicationCache.wanted("_max=-1;_max=x;_sn=1..") == .max)
        #expect(PublicationCache.fixedPoint(1_500_000_000) == 0x1_8000_0000)
        #expect(PublicationCache.fixedPoint(-1) == 0)
    }

    @Test func `the quality of service decides what routers may drop`() {
        var quality = QualityOfService.usual
        #expect(quality.zenoh == ZenohQoS(blocks: false, isReliable: true))
        quality.history = .keepAll
        #expect(quality.zenoh == ZenohQoS(blocks: true, isReliable: true))
        quality.reliability = .bestEffort
        #expect(quality.zenoh == ZenohQoS(blocks: false, isReliable: false))
    }
}
