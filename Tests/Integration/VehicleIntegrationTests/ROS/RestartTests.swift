import IntegrationKit
import ROS1
import ROSMessages
import Testing

@Suite struct RestartTests {
    private static let peer = """
        import sys, rospy
        from std_msgs.msg import String
        from std_srvs.srv import SetBool, SetBoolResponse
        rospy.init_node('peer', disable_signals=True)
        \(answersWhenReady)
        publisher = rospy.Publisher('/peer/says', String, queue_size=10, latch=True)
        publisher.publish(String(sys.argv[1]))
        ready.set()
        service = rospy.Service('/peer/switch', SetBool, lambda request: SetBoolResponse(True, sys.argv[1]))
        print('ready', flush=True)
        rospy.spin()
        """

    @Test func `everything is registered anew after roscore was killed and restarted`() async throws {
        let master = try ROSMasterProcess()
        do {
            try await master.start()
            let events = Collected<ROSEvent>()
            try await withNode("swift", on: master, events: events) { node in
                let texts = Collected<String>()
                let publisher = try node.advertise("swift_says", type: Text.self, latching: true)
                publisher.publish(Text("hello"))
                let subscription = try node.subscribe("/peer/says", type: Text.self) { texts.append($0.data) }
                let server = try node.advertiseService("switch", type: SetBool.self) { .init($0.data, "here") }
                try await node.waitForRegistration(within: .patient(seconds: 30))

                await master.kill()
                #expect(
                    await eventually { events.all.contains { if case .masterLost = $0 { true } else { false } } })
                try await master.start()
                #expect(
                    await eventually {
                        events.all.contains { if case .masterFound(_, again: true) = $0 { true } else { false } }
                    })
                try await node.waitForRegistration(within: .patient(seconds: 30))

                // A peer that knows only the new master gets and gives everything.
                let peer = try master.python(Self.peer, ["new"])
                try await peer.line(containing: "ready")
                #expect(await eventually { texts.all == ["new"] })
                let echo = try await master.tool("rostopic", "echo", "-n", "1", "/swift_says")
                #expect(echo.output.contains("hello"), "\(echo.errors)")
                let call = try await master.tool("rosservice", "call", "/switch", "true")
                #expect(call.output.contains("here"), "\(call.errors)")
                await peer.stop()
                withExtendedLifetime((publisher, subscription, server)) {}
            }
            await master.stop()
        } catch {
            await master.stop()
            throw error
        }
    }

    @Test func `a master that restarted between two looks is noticed too`() async throws {
        let master = try ROSMasterProcess()
        do {
            try await master.start()
            try await withNode("swift", on: master) { node in
                let server = try node.advertiseService("switch", type: SetBool.self) { .init($0.data, "here") }
                try await node.waitForRegistration(within: .patient(seconds: 30))
                for _ in 0..<3 {
                    await master.kill()
                    try await master.start()
                    #expect(
                        await eventually { (try? await node.master.serviceURI(of: "/switch")) != nil },
                        "not registered anew")
                }
                withExtendedLifetime(server) {}
            }
            await master.stop()
        } catch {
            await master.stop()
            throw error
        }
    }

    @Test func `subscriptions and service clients survive that their peer is killed and restarted`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let texts = Collected<String>()
                let subscription = try node.subscribe("/peer/says", type: Text.self) { texts.append($0.data) }
                let client = try node.serviceClient("/peer/switch", type: SetBool.self)
                for round in ["one", "two", "three"] {
                    let peer = try master.python(Self.peer, [round])
                    try await peer.line(containing: "ready")
                    #expect(await eventually { texts.all.last == round })
                    #expect(try await client.call(.init(true), within: .patient(seconds: 30)).message == round)
                    peer.signal(9)
                    await peer.stop()
                    #expect(await eventually { !client.isConnected })
                    // Its registration is still there, its port is not.
                    let error = await #expect(throws: ROSError.self) {
                        try await client.call(.init(true), within: .patient(seconds: 30))
                    }
                    #expect(error?.code == .unreachable)
                }
                withExtendedLifetime(subscription) {}
            }
        }
    }

    @Test func `a publisher that a new master does not know is heard as long as it sends`() async throws {
        try await withROSMaster { master in
            let events = Collected<ROSEvent>()
            try await withNode("swift", on: master, events: events) { node in
                let peer = try master.python(Self.counter)
                let texts = Collected<String>()
                let subscription = try node.subscribe("/peer/counts", type: Text.self) { texts.append($0.data) }
                #expect(await eventually { texts.all.count > 2 })
                await master.kill()
                try await master.start()
                #expect(
                    await eventually {
                        events.all.contains { if case .masterFound(_, again: true) = $0 { true } else { false } }
                    })
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let before = texts.all.count
                #expect(await eventually { texts.all.count > before + 20 }, "not heard any more")
                // The next of its name is found through the master, and the first one is forgotten.
                peer.signal(9)
                await peer.stop()
                let next = try master.python(Self.counter)
                let end = texts.all.count
                #expect(await eventually { texts.all.count > end + 2 })
                await next.stop()
                withExtendedLifetime(subscription) {}
            }
        }
    }

    private static let counter = """
        import rospy
        from std_msgs.msg import String
        rospy.init_node('peer', disable_signals=True)
        publisher = rospy.Publisher('/peer/counts', String, queue_size=10)
        number = 0
        while True:
            publisher.publish(String(str(number)))
            number += 1
            rospy.rostime.wallsleep(0.02)
        """

    @Test func `a service is still called where it was, when the master is gone or was started anew`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let peer = try master.python(Self.peer, ["there"])
                try await peer.line(containing: "ready")
                // Each call of this one asks the master where the service is.
                let client = try node.serviceClient("/peer/switch", type: SetBool.self, persistent: false)
                #expect(try await client.call(.init(true), within: .patient(seconds: 30)).message == "there")
                await master.kill()
                #expect(try await client.call(.init(true), within: .patient(seconds: 30)).message == "there")
                try await master.start()
                // rospy does not register again.
                await #expect(throws: ROSError.self) { try await node.master.serviceURI(of: "/peer/switch") }
                #expect(try await client.call(.init(true), within: .patient(seconds: 30)).message == "there")
                peer.signal(9)
                await peer.stop()
                let error = await #expect(throws: ROSError.self) {
                    try await client.call(.init(true), within: .patient(seconds: 30))
                }
                #expect(error?.code == .noProvider, "\(error as Any)")
            }
        }
    }

    @Test func `a node whose name another takes is notified and ends`() async throws {
        try await withROSMaster { master in
            let events = Collected<ROSEvent>()
            try await withNode("twin", on: master, events: events) { first in
                let publisher = try first.advertise("topic", type: Text.self)
                try await first.waitForRegistration(within: .patient(seconds: 30))
                try await withNode("twin", on: master) { second in
                    let other = try second.advertise("topic", type: Text.self)
                    try await second.waitForRegistration(within: .patient(seconds: 30))
                    #expect(await eventually { first.isShutDown })
                    #expect(events.all.contains { if case .shutdownRequested = $0 { true } else { false } })
                    withExtendedLifetime(other) {}
                }
                withExtendedLifetime(publisher) {}
            }
        }
    }
}
