import IntegrationKit
import ROSMessages
import Testing
import XMLRPC

@testable import ROS1

@Suite struct ParameterTests {
    @Test func `parameters of every kind go both ways`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let tree = XMLRPCValue.structure([
                    "number": .int(-5), "truth": .bool(true), "ratio": .double(0.25),
                    "text": .string("<&> \u{e9} \"quoted\""),
                    "list": .array([.int(1), .string("two"), .array([])]), "bytes": .binary([0, 1, 254, 255]),
                ])
                try await node.parameters.set("tree", to: tree)
                #expect(try await value(of: "/tree", at: master) == tree)
                #expect(try await value(of: "/tree/ratio", at: master) == .double(0.25))
                let tool = try await master.tool("rosparam", "get", "/tree/text")
                #expect(tool.output.contains("<&> \\xE9"), "\(tool.output)")
                #expect(try await node.parameters.text(of: "/tree/text") == "<&> \u{e9} \"quoted\"")
                #expect(try await node.parameters.text(of: "/tree/number") == nil)
                #expect(try await node.parameters.text(of: "/tree/none") == nil)
                try await node.parameters.remove("/tree/text")
                try await node.parameters.remove("/tree/text")
                #expect(try await node.parameters.text(of: "/tree/text") == nil)
                let set = try await master.tool("rosparam", "set", "/from_tool", "{a: 1, b: [true, 2.5, x]}")
                #expect(set.status == 0)
                #expect(
                    try await value(of: "/from_tool", at: master)
                        == .structure(["a": .int(1), "b": .array([.bool(true), .double(2.5), .string("x")])]))
            }
        }
    }

    /// What the master has, as this program reads it.
    private func value(of name: String, at master: ROSMasterProcess) async throws -> XMLRPCValue {
        try await ROSMaster(uri: master.uri).ask("getParam", [.string(name)], within: .patient(seconds: 30))
    }

    @Test func `the master's questions are answered`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let publisher = try node.advertise("topic", type: Text.self)
                let subscription = try node.subscribe("other", type: Number.self) { _ in }
                let server = try node.advertiseService("switch", type: SetBool.self) { .init($0.data, "") }
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let lone = try ROSMaster(uri: master.uri)
                #expect(try await lone.pid() > 0)
                #expect(try await lone.ownURI().hasPrefix("http://"))
                let nodeURI = try await lone.nodeURI(of: "/swift")
                #expect(try await lone.pid(ofNodeAt: nodeURI) == Int(ProcessIdentity.own))
                #expect(try await lone.publishedTopics()["/topic"] == "std_msgs/String")
                let state = try await lone.systemState()
                #expect(state.publishers["/topic"] == ["/swift"])
                #expect(state.subscribers["/other"] == ["/swift"])
                #expect(state.services["/switch"] == ["/swift"])
                #expect(try await lone.serviceURI(of: "/switch").hasPrefix("rosrpc://127.0.0.1:"))
                await node.shutdown()
                #expect(node.isShutDown)
                let left = try await lone.systemState()
                #expect(left.publishers["/topic"] == nil)
                #expect(left.subscribers["/other"] == nil)
                #expect(left.services["/switch"] == nil)
                withExtendedLifetime((publisher, subscription, server)) {}
            }
        }
    }

    @Test func `time follows the clock topic when the parameter says so`() async throws {
        try await withROSMaster { master in
            let set = try await master.tool("rosparam", "set", "/use_sim_time", "true")
            #expect(set.status == 0)
            try await withNode("swift", on: master) { node in
                #expect(await eventually { node.time.isSimulated })
                #expect(node.time.now == ROSTime())
                let clock = try master.python(
                    """
                    import rospy
                    from rosgraph_msgs.msg import Clock
                    rospy.init_node('clock')
                    publisher = rospy.Publisher('/clock', Clock, queue_size=1, latch=True)
                    publisher.publish(Clock(rospy.Time(12, 34)))
                    rospy.spin()
                    """)
                #expect(await eventually { node.time.now == ROSTime(seconds: 12, nanoseconds: 34) })
                await clock.stop()
            }
        }
    }

    @Test func `a master that is not there is named with a hint`() async throws {
        let port = try freePort()
        let configuration = try ROSConfiguration(
            name: "swift", environment: ["ROS_MASTER_URI": "http://127.0.0.1:\(port)", "ROS_IP": "127.0.0.1"])
        let node = try ROSNode(configuration: configuration)
        // Long enough that the connection has been refused before.
        let error = await #expect(throws: ROSError.self) {
            try await node.waitForMaster(within: .seconds(4) * MachinePace.factor)
        }
        #expect(error?.code == .masterUnreachable)
        #expect(
            error?.description
                == "cannot reach the ROS master at http://127.0.0.1:\(port) (connection refused); "
                + "is roscore running on the vehicle?")
        let asked = await #expect(throws: ROSError.self) { try await node.parameters.set("x", to: .int(1)) }
        #expect(asked?.code == .masterUnreachable)
        await node.shutdown()
        let closed = await #expect(throws: ROSError.self) { try await node.parameters.set("x", to: .int(1)) }
        #expect(closed?.code == .closed)
    }
}
