import ROS2
import ROSMessages
import Testing

@Suite struct TokenTests {
    private static let hash = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    private static let talker =
        "@ros2_lv/2/8b20917502ee955ac4476e0266340d5c/0/10/MP/%/%/talker/%chatter/std_msgs::msg::dds_::String_/\(hash)/::,7:,:,:,,"

    @Test func `the token of a publisher is read`() throws {
        let token = try LivelinessToken(Self.talker)
        #expect(token.domain == 2 && token.session == "8b20917502ee955ac4476e0266340d5c")
        #expect(token.nodeID == "0" && token.entityID == "10" && token.enclave == "/" && token.node.text == "/talker")
        let endpoint = try #require(token.endpoint)
        #expect(endpoint.role == .publisher && endpoint.name.text == "/chatter" && endpoint.quality.depth == 7)
        #expect(endpoint.type.typeName?.text == "std_msgs/msg/String" && endpoint.type.typeHash?.text == Self.hash)
        #expect(token.text == Self.talker)
        #expect(token.key?.text == "2/chatter/std_msgs::msg::dds_::String_/\(Self.hash)")
    }

    @Test func `the token of a node is read`() throws {
        let text = "@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%uav1%a/listener"
        let token = try LivelinessToken(text)
        #expect(token.endpoint == nil && token.key == nil && token.node.text == "/uav1/a/listener")
        #expect(token.text == text)
    }

    @Test func `tokens of ours are those of rmw_zenoh`() throws {
        let node = LivelinessToken(
            domain: 0, session: [0x5c, 0x0d, 0x34, 0x06], nodeID: 0,
            node: try ROS2NodeName(namespace: "/uav1", name: "uavlink"))
        #expect(node.text == "@ros2_lv/0/6340d5c/0/0/NN/%/%uav1/uavlink")
        let type = EndpointType(
            try #require(ROS2TypeName("std_srvs/srv/Trigger")), try #require(TypeHash(Self.hash)))
        let client = LivelinessToken(
            of: .init(
                role: .client, name: try ROS2Name("/uav1/uav_manager/takeoff"), type: type, quality: .usual),
            id: 3, node: node)
        #expect(
            client.text == "@ros2_lv/0/6340d5c/0/3/SC/%/%uav1/uavlink/%uav1%uav_manager%takeoff/"
                + "std_srvs::srv::dds_::Trigger_/\(Self.hash)/::,10:,:,:,,")
        #expect(try LivelinessToken(client.text) == client)
        #expect(client.key?.text == "0/uav1/uav_manager/takeoff/std_srvs::srv::dds_::Trigger_/\(Self.hash)")
        #expect(LivelinessToken.all(domain: 7) == "@ros2_lv/7/**")
    }

    @Test func `parts of later versions and types without a hash are taken`() throws {
        let later = try LivelinessToken(Self.talker + "/more")
        #expect(later.endpoint?.name.text == "/chatter")
        let humble = try LivelinessToken(Self.talker.replacing(Self.hash, with: "TypeHashNotSupported"))
        #expect(humble.endpoint?.type.typeHash == nil && humble.endpoint?.type.hash == "TypeHashNotSupported")
    }

    @Test(arguments: [
        "", "@ros2_lv", "@ros2_lv/0/a/0/0/NN/%/%", "@other/0/a/0/0/NN/%/%/n", "@ros2_lv/x/a/0/0/NN/%/%/n",
        "@ros2_lv/0//0/0/NN/%/%/n", "@ros2_lv/0/a/0/0/XX/%/%/n", "@ros2_lv/0/a/0/0/MP/%/%/n",
        "@ros2_lv/0/a/0/0/NN/%/%/n n", "@ros2_lv/0/a/0/0/NN/%/uav1/n",
        "@ros2_lv/0/a/0/0/MP/%/%/n/chatter/t/h/::,:,:,:,,", "@ros2_lv/0/a/0/0/MP/%/%/n/%chatter/t/h/::,:,:,",
        "@ros2_lv/-1/a/0/0/NN/%/%/n", "@ros2_lv/4294967296/a/0/0/NN/%/%/n",
    ])
    func `what is no token is refused`(text: String) {
        #expect(throws: ROSError.self) { try LivelinessToken(text) }
    }

    @Test func `a token is bounded`() {
        let part = String(repeating: "t", count: LivelinessToken.maximumLength)
        #expect(throws: ROSError.self) { try LivelinessToken(Self.talker + "/" + part) }
    }

    @Test(arguments: [
        ("::,10:,:,:,,", ROS2.QualityOfService.usual), ("2::,5:,:,:,,", .sensors), ("::,:,:,:,,", .init()),
    ])
    func `qualities have texts`(text: String, quality: ROS2.QualityOfService) {
        #expect(quality.text == text)
        #expect(QualityOfService(text) == quality)
    }

    @Test func `all of a quality is read and written`() throws {
        let text = "2:1:2,3:4,5:6,7:3,8,9"
        let quality = try #require(QualityOfService(text))
        #expect(quality.text == text)
        #expect(quality.reliability == .bestEffort && quality.durability == .transientLocal)
        #expect(quality.history == .keepAll && quality.depth == 3 && quality.liveliness == .manualByTopic)
        #expect(quality.deadline == .init(seconds: 4, nanoseconds: 5) && quality.lease.nanoseconds == 9)
        for other in ["", "::", "9::,:,:,:,,", "x::,:,:,:,,", "::,-1:,:,:,,", "::1:,:,:,,", ":::,:,:,,", "::,:,:,:,"] {
            #expect(QualityOfService(other) == nil, "\(other)")
        }
    }

    @Test func `keys are read`() throws {
        let text = "0/uav1/hw_api/status/mrs_msgs::msg::dds_::HwApiStatus_/\(Self.hash)"
        let key = try #require(ROS2Key(text))
        #expect(key.text == text && key.name.text == "/uav1/hw_api/status" && key.domain == 0)
        let type = try #require(ROS2TypeName("mrs_msgs/msg/HwApiStatus"))
        #expect(ROS2Key(domain: 0, name: key.name, type: type, hash: try #require(TypeHash(Self.hash))) == key)
        for other in ["", "0/a", "0/mrs_msgs::msg::dds_::A_/x", "x/a/mrs_msgs::msg::dds_::A_/x", "0/a/b/c", "0/a//x/y"]
        {
            #expect(ROS2Key(other) == nil, "\(other)")
        }
    }

    @Test func `names are resolved as in ROS`() throws {
        let node = try ROS2NodeName(namespace: "/uav1", name: "control_manager")
        #expect(try ROS2Name("goto", node: node).text == "/uav1/goto")
        #expect(try ROS2Name("/tf", node: node).text == "/tf")
        #expect(try ROS2Name("~/goto", node: node).text == "/uav1/control_manager/goto")
        #expect(try ROS2Name("a", node: ROS2NodeName(name: "n")).text == "/a")
        for other in ["", "/", "a", "//a", "/a/", "/1a", "/a-b", "/" + String(repeating: "a", count: 247)] {
            #expect(throws: ROSError.self, "\(other)") { try ROS2Name(other) }
        }
        for (namespace, name) in [("uav1", "n"), ("/", ""), ("/", "a/b"), ("/a/", "n")] {
            #expect(throws: ROSError.self) { try ROS2NodeName(namespace: namespace, name: name) }
        }
    }
}
