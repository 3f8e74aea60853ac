import ROS2
import ROSMessages
import Testing

@Suite struct GraphTests {
    private static let hash = TypeHash(1, 2, 3, 4)
    private static let other = TypeHash(1, 2, 3, 5)

    private static func endpoint(
        _ role: LivelinessToken.Role, _ name: String, id: UInt64 = 1, hash: TypeHash = hash, node: String = "hw_api",
        domain: UInt32 = 0
    ) throws -> String {
        let owner = LivelinessToken(
            domain: domain, session: [1], nodeID: 0, node: try ROS2NodeName(namespace: "/uav1", name: node))
        return LivelinessToken(
            of: .init(role: role, name: try ROS2Name(name), type: try type(hash), quality: .usual), id: id, node: owner
        ).text
    }

    private static func type(_ hash: TypeHash) throws -> EndpointType {
        EndpointType(try #require(ROS2TypeName("mrs_msgs/msg/HwApiStatus")), hash)
    }

    @Test func `nodes, topics and services are seen from their tokens`() throws {
        var graph = ROS2Graph()
        let status = try Self.endpoint(.publisher, "/uav1/hw_api/status")
        #expect(graph.insert(status) != nil)
        graph.insert(try Self.endpoint(.subscriber, "/uav1/hw_api/status", id: 2, node: "a"))
        graph.insert(try Self.endpoint(.server, "/uav1/hw_api/arming", id: 3))
        graph.insert(try Self.endpoint(.client, "/uav1/other", id: 4, node: "a"))
        let name = try ROS2Name("/uav1/hw_api/status")
        #expect(graph.nodes.map(\.text) == ["/uav1/a", "/uav1/hw_api"])
        #expect(graph.topics.keys.map(\.text) == ["/uav1/hw_api/status"])
        #expect(graph.services.keys.map(\.text) == ["/uav1/hw_api/arming"])
        #expect(graph.endpoints(.publisher, of: name).map(\.node.name) == ["hw_api"])
        #expect(graph.endpoints(.server, of: name).isEmpty)
        #expect(graph.endpoints(of: try ROS2NodeName(namespace: "/uav1", name: "a")).count == 2)
        // The same again changes nothing; gone is gone.
        #expect(graph.insert(status) == nil && graph.count == 4)
        #expect(graph.remove(status)?.text == status && graph.remove(status) == nil)
        #expect(graph.endpoints(.publisher, of: name).isEmpty && graph.count == 3)
        graph.removeAll()
        #expect(graph.count == 0 && graph.nodes.isEmpty && graph.endpoints(.subscriber, of: name).isEmpty)
    }

    @Test func `malformed tokens are counted, and those of other domains left out`() throws {
        var graph = ROS2Graph(domain: 3)
        #expect(graph.insert("@ros2_lv/3/nonsense") == nil)
        #expect(graph.malformed == 1 && graph.lastError?.code == .protocolViolation)
        graph.insert(try Self.endpoint(.publisher, "/a", domain: 0))
        #expect(graph.count == 0 && graph.malformed == 1)
        graph.insert(try Self.endpoint(.publisher, "/a", domain: 3))
        #expect(graph.count == 1)
    }

    @Test func `one that has another hash is named`() throws {
        var graph = ROS2Graph()
        let name = try ROS2Name("/uav1/hw_api/status")
        let ours = try Self.type(Self.hash)
        #expect(graph.agreement(on: name, .publisher, type: ours) == .absent)
        graph.insert(try Self.endpoint(.publisher, name.text))
        #expect(graph.agreement(on: name, .publisher, type: ours) == .agrees)
        #expect(graph.agreement(on: name, .subscriber, type: ours) == .absent)
        graph.insert(try Self.endpoint(.publisher, name.text, id: 2, hash: Self.other))
        #expect(graph.agreement(on: name, .publisher, type: ours) == .differs([try Self.type(Self.other)]))
    }
}
