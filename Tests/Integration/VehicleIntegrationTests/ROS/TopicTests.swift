import IntegrationKit
import ROS1
import ROSMessages
import Testing
import XMLRPC

@Suite struct TopicTests {
    private static let talker = """
        import sys, rospy
        from std_msgs.msg import String
        rospy.init_node('talker')
        \(answersWhenReady)
        publisher = rospy.Publisher('/from_python', String, queue_size=100, latch=len(sys.argv) > 1)
        if len(sys.argv) > 1:
            publisher.publish(String(sys.argv[1]))
        ready.set()
        print('ready', flush=True)
        for line in sys.stdin:
            publisher.publish(String(line.rstrip('\\n')))
        """

    private static let listener = """
        import rospy
        from std_msgs.msg import String
        rospy.init_node('listener')
        rospy.Subscriber('/from_swift', String, lambda message: print('got ' + message.data, flush=True), tcp_nodelay=True)
        print('ready', flush=True)
        rospy.spin()
        """

    @Test func `messages of a rospy publisher arrive in order`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let texts = Collected<String>()
                let raw = Collected<ConnectionHeader>()
                let subscription = try node.subscribe("from_python", type: Text.self) { texts.append($0.data) }
                let rawSubscription = try node.subscribeRaw("/from_python") { _, header in raw.append(header) }
                let talker = try master.python(Self.talker, ["latched"])
                try await talker.line(containing: "ready")
                #expect(await eventually { texts.all == ["latched"] })
                for number in 0..<100 { talker.send(line: "\(number)") }
                #expect(await eventually { texts.all.count == 101 })
                #expect(texts.all == ["latched"] + (0..<100).map { "\($0)" })
                #expect(await eventually { raw.all.count == 101 })
                #expect(raw.all.first?.type == "std_msgs/String")
                #expect(raw.all.first?.md5 == Text.md5)
                #expect(raw.all.first?.isLatching == true)
                #expect(raw.all.first?.messageDefinition.contains("string data") == true)
                await talker.stop()
                withExtendedLifetime((subscription, rawSubscription)) {}
            }
        }
    }

    @Test func `a rospy subscriber gets the latched message and then all others in order`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let publisher = try node.advertise("from_swift", type: Text.self, latching: true, queue: 200)
                publisher.publish(Text("first"))
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let listener = try master.python(Self.listener)
                try await listener.line(containing: "got first")
                #expect(publisher.subscriberCount == 1)
                for number in 0..<100 { publisher.publish(Text("\(number)")) }
                try await listener.line(containing: "got 99")
                let got = listener.output.split(separator: "\n").filter { $0.hasPrefix("got ") }
                #expect(got == ["got first"] + (0..<100).map { "got \($0)" })
                await listener.stop()
                #expect(await eventually { publisher.subscriberCount == 0 })
            }
        }
    }

    @Test func `the tools of ROS see topics types and nodes`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master, arguments: ["from_swift:=/moved", "_gain:=2.5"]) { node in
                let publisher = try node.advertise("from_swift", type: Text.self, latching: true)
                publisher.publish(Text("hello"))
                #expect(publisher.topic == "/moved")
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let echo = try await master.tool("rostopic", "echo", "-n", "1", "/moved")
                #expect(echo.output.contains("hello"), "\(echo.errors)")
                let info = try await master.tool("rosnode", "info", "/swift")
                #expect(info.output.contains("/moved [std_msgs/String]"), "\(info.output) \(info.errors)")
                let ping = try await master.tool("rosnode", "ping", "-c", "1", "/swift")
                #expect(ping.output.contains("xmlrpc reply"), "\(ping.output)")
                #expect(
                    await eventually {
                        (try? await master.tool("rosparam", "get", "/swift/gain"))?.output.contains("2.5") == true
                    })
            }
        }
    }

    @Test func `two nodes of ours speak to each other and a node to itself`() async throws {
        try await withROSMaster { master in
            try await withNode("one", on: master) { one in
                try await withNode("two", on: master) { two in
                    let there = Collected<Int64>()
                    let here = Collected<Int64>()
                    let subscriptions = [
                        try two.subscribe("numbers", type: Number.self) { there.append($0.data) },
                        try one.subscribe("numbers", type: Number.self) { here.append($0.data) },
                    ]
                    let publisher = try one.advertise("numbers", type: Number.self, queue: 1000)
                    #expect(await eventually { publisher.subscriberCount == 2 })
                    for number in Int64(0)..<1000 { publisher.publish(Number(number)) }
                    #expect(await eventually { there.all.count == 1000 && here.all.count == 1000 })
                    #expect(there.all == Array(0..<1000))
                    #expect(here.all == Array(0..<1000))
                    withExtendedLifetime(subscriptions) {}
                }
            }
        }
    }
}
