import IntegrationKit
import ROS1
import ROSMessages
import Testing

/// Peers that are wrong, half there or up to no good, as Python programs with bare sockets.
@Suite struct HostilePeerTests {
    @Test func `a node refuses every wrong caller with a reason and goes on`() async throws {
        try await withROSMaster { master in
            let events = Collected<ROSEvent>()
            try await withNode("swift", on: master, events: events) { node in
                let publisher = try node.advertise("swift_says", type: Text.self, latching: true)
                publisher.publish(Text("still here"))
                let server = try node.advertiseService("switch", type: SetBool.self) { .init($0.data, "still here") }
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let attacker = try master.python(Self.attacker, [master.uri, "\(5 * MachinePace.factor)"])
                try await attacker.line(containing: "done", within: .seconds(40))
                let said = Dictionary(
                    attacker.output.split(separator: "\n").map { line in
                        let parts = line.split(separator: " ", maxSplits: 1)
                        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                    }, uniquingKeysWith: { first, _ in first })
                #expect(said["topic"]?.contains("error=md5sums do not match") == true, "\(said)")
                #expect(said["unknown"]?.contains("error=/nothing is not published") == true)
                #expect(said["neither"]?.contains("error=") == true)
                #expect(said["service"]?.contains("error=md5sums do not match") == true)
                #expect(said["nosum"]?.contains("error=") == true)
                #expect(said["probe"]?.contains("md5sum=\(SetBool.md5)") == true)
                #expect(said["short"]?.contains("the request cannot be read") == true)
                #expect(said["long"]?.contains("still open") == false)
                #expect(said["trailing"]?.contains("still here") == true)
                #expect(said["hugeheader"] == "b''")
                #expect(said["garbage"] == "b''")
                #expect(said["xml"]?.contains("not an XML-RPC document") == true)
                #expect(said["get"]?.contains("501") == true)
                #expect(said["notHTTP"]?.contains("400") == true)
                #expect(said["method"]?.contains("is not supported") == true)
                // With a hundred idle connections of the attacker still open:
                let call = try await master.tool("rosservice", "call", "/switch", "true")
                #expect(call.output.contains("still here"), "\(call.errors)")
                let echo = try await master.tool("rostopic", "echo", "-n", "1", "/swift_says")
                #expect(echo.output.contains("still here"), "\(echo.errors)")
                #expect(
                    events.all.contains { event in
                        if case .peerRefused(_, let error) = event { error.code == .typeMismatch } else { false }
                    })
                await attacker.stop()
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test(arguments: [
        ("silent", ROSError.Code.timedOut, ROSError.Code.timedOut), ("wrong-sum", .typeMismatch, .typeMismatch),
        ("error", .refused, .refused), ("huge-header", .tooLarge, .tooLarge), ("huge-message", .tooLarge, .tooLarge),
        ("cut", .connectionLost, .connectionLost), ("hang-up", .connectionLost, .unreachable),
    ])
    func `wrong publishers and providers each give their own error`(
        mode: String, topicCode: ROSError.Code, serviceCode: ROSError.Code
    ) async throws {
        try await withROSMaster { master in
            let impostor = try master.python(Self.impostor, [master.uri, mode])
            try await impostor.line(containing: "ready")
            let events = Collected<ROSEvent>()
            try await withNode("swift", on: master, events: events) { node in
                let texts = Collected<String>()
                let subscription = try node.subscribe("/impostor_says", type: Text.self) { texts.append($0.data) }
                let client = try node.serviceClient("/impostor_switch", type: SetBool.self)
                let error = await #expect(throws: ROSError.self) {
                    try await client.call(
                        .init(true), within: serviceCode == .timedOut ? .seconds(1) : .patient(seconds: 30))
                }
                #expect(error?.code == serviceCode, "\(String(describing: error))")
                #expect(error?.description.contains("\u{1B}") == false)
                #expect(
                    await eventually {
                        events.all.contains { event in
                            if case .publisherLost(_, _, let error) = event { error.code == topicCode } else { false }
                        }
                    }, "\(events.all)")
                #expect(texts.all.isEmpty)
                withExtendedLifetime(subscription) {}
            }
            await impostor.stop()
        }
    }

    @Test func `messages that come byte by byte are read and broken ones passed over`() async throws {
        for (mode, expected) in [("bytewise", "slow"), ("broken-text", "good")] {
            try await withROSMaster { master in
                let impostor = try master.python(Self.impostor, [master.uri, mode])
                try await impostor.line(containing: "ready")
                let events = Collected<ROSEvent>()
                try await withNode("swift", on: master, events: events) { node in
                    let texts = Collected<String>()
                    let subscription = try node.subscribe("/impostor_says", type: Text.self) { texts.append($0.data) }
                    #expect(await eventually { texts.all == [expected] })
                    let client = try node.serviceClient("/impostor_switch", type: SetBool.self)
                    if mode == "bytewise" {
                        #expect(
                            try await client.call(.init(true), within: .patient(seconds: 30)) == .init(true, "slow"))
                    } else {
                        let error = await #expect(throws: ROSError.self) {
                            try await client.call(.init(true), within: .patient(seconds: 30))
                        }
                        #expect(error?.code == .protocolViolation)
                        #expect(events.all.contains { if case .undecodable = $0 { true } else { false } })
                    }
                    // Both ends ask for what makes small messages quick.
                    try await impostor.line(containing: "tcp_nodelay=1")
                    withExtendedLifetime(subscription) {}
                }
                await impostor.stop()
            }
        }
    }

    @Test func `a rospy peer of another definition is refused by both ends`() async throws {
        try await withROSMaster { master in
            let peer = try master.python(
                """
                import rospy
                from std_msgs.msg import String
                from std_srvs.srv import SetBool, SetBoolResponse
                rospy.init_node('peer')
                publisher = rospy.Publisher('/peer_says', String, queue_size=1, latch=True)
                publisher.publish(String('x'))
                rospy.Service('/peer_switch', SetBool, lambda request: SetBoolResponse(True, 'x'))
                rospy.Subscriber('/swift_says', String, lambda message: print('got', message.data, flush=True))
                print('ready', flush=True)
                rospy.spin()
                """)
            try await peer.line(containing: "ready")
            let events = Collected<ROSEvent>()
            try await withNode("swift", on: master, events: events) { node in
                let publisher = try node.advertise("swift_says", type: OtherText.self, latching: true)
                publisher.publish(OtherText())
                let subscription = try node.subscribe("/peer_says", type: OtherText.self) { _ in }
                let client = try node.serviceClient("/peer_switch", type: OtherSetBool.self)
                let error = await #expect(throws: ROSError.self) {
                    try await client.call(.init(true), within: .patient(seconds: 30))
                }
                #expect(error?.code == .typeMismatch, "\(String(describing: error))")
                #expect(
                    await eventually {
                        let lost = events.all.contains { event in
                            if case .publisherLost(_, _, let error) = event {
                                error.code == .typeMismatch
                            } else {
                                false
                            }
                        }
                        let refused = events.all.contains { event in
                            if case .peerRefused(_, let error) = event { error.code == .typeMismatch } else { false }
                        }
                        return lost && refused
                    }, "\(events.all)")
                #expect(!peer.output.contains("got"))
                withExtendedLifetime(subscription) {}
            }
            await peer.stop()
        }
    }

    @Test func `a subscriber that does not read loses the oldest and delays no other`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let publisher = try node.advertise("swift_says", type: Text.self, queue: 3)
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let sleeper = try master.python(
                    """
                    import socket, struct, sys, time, xmlrpc.client
                    master = xmlrpc.client.ServerProxy(sys.argv[1])
                    slave = master.lookupNode('/sleeper', '/swift')[2]
                    where = xmlrpc.client.ServerProxy(slave).requestTopic('/sleeper', '/swift_says', [['TCPROS']])[2]
                    fields = b''.join(struct.pack('<I', len(f)) + f for f in
                                      (b'callerid=/sleeper', b'topic=/swift_says', b'type=*', b'md5sum=*'))
                    s = socket.create_connection((where[1], where[2]))
                    s.sendall(struct.pack('<I', len(fields)) + fields)
                    print('connected', flush=True)
                    sys.stdin.readline()
                    def take():
                        size = struct.unpack('<I', s.recv(4, socket.MSG_WAITALL))[0]
                        return s.recv(size, socket.MSG_WAITALL)
                    take()
                    while True:
                        text = take()[4:]
                        number = text[:text.index(b' ')]
                        assert text == number + b' ' * (len(text) - len(number)), 'torn'
                        print('number', number.decode(), flush=True)
                    """, [master.uri])
                try await sleeper.line(containing: "connected")
                #expect(await eventually { publisher.subscriberCount == 1 })
                let texts = Collected<Int>()
                let subscription = try node.subscribe("swift_says", type: Text.self) { text in
                    texts.append(text.data.utf8.count)
                }
                #expect(await eventually { publisher.subscriberCount == 2 })
                let padding = String(repeating: " ", count: 1 << 20)
                for number in 1...40 {
                    publisher.publish(Text("\(number)" + padding))
                    #expect(await eventually { texts.all.count == number })
                }
                #expect(publisher.counts.dropped > 0)
                sleeper.send(line: "wake")
                // The newest of all arrive whole, in order.
                try await sleeper.line(containing: "number 40")
                let numbers = sleeper.output.split(separator: "\n").compactMap { Int($0.dropFirst(7)) }
                #expect(numbers == numbers.sorted())
                #expect(numbers.suffix(3) == [38, 39, 40])
                #expect(numbers.count < 40)
                await sleeper.stop()
                withExtendedLifetime(subscription) {}
            }
        }
    }
}
