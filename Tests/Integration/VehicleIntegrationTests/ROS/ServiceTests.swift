import IntegrationKit
import ROS1
import ROSMessages
import Synchronization
import Testing

@Suite struct ServiceTests {
    private static let server = """
        import sys, threading, rospy
        from std_srvs.srv import SetBool, SetBoolResponse
        rospy.init_node('server', disable_signals=True)
        calls, released = 0, threading.Event()
        def handle(request):
            global calls
            calls += 1
            if len(sys.argv) > 1:
                released.wait()
            if not request.data:
                raise rospy.ServiceException('not today')
            return SetBoolResponse(True, 'call %d' % calls)
        service = rospy.Service('/python/switch', SetBool, handle)
        print('ready', flush=True)
        if len(sys.argv) > 1:
            sys.stdin.readline()
            released.set()
        rospy.spin()
        """

    private static let caller = """
        import sys, rospy
        from std_srvs.srv import SetBool
        rospy.init_node('caller')
        rospy.wait_for_service('/swift/switch', timeout=float(sys.argv[-1]))
        proxy = rospy.ServiceProxy('/swift/switch', SetBool, persistent=sys.argv[1] == 'persistent')
        for data in (True, False, True):
            try:
                answer = proxy(data)
                print('answer', answer.success, answer.message, flush=True)
            except rospy.ServiceException as failure:
                print('failure', failure, flush=True)
        print('end', flush=True)
        """

    @Test(arguments: [true, false])
    func `calls to a rospy service are answered`(persistent: Bool) async throws {
        try await withROSMaster { master in
            let server = try master.python(Self.server)
            try await server.line(containing: "ready")
            try await withNode("swift", on: master) { node in
                let client = try node.serviceClient("/python/switch", type: SetBool.self, persistent: persistent)
                if persistent { try await client.connect(within: .patient(seconds: 30)) }
                let first = try await client.call(.init(true), within: .patient(seconds: 30))
                #expect(first == .init(true, "call 1"))
                let second = try await client.call(.init(true), within: .patient(seconds: 30))
                #expect(second == .init(true, "call 2"))
                let failure = await #expect(throws: ROSError.self) {
                    try await client.call(.init(false), within: .patient(seconds: 30))
                }
                #expect(failure?.code == .serviceFailed)
                #expect(failure?.what.contains("not today") == true, "\(String(describing: failure))")
                #expect(client.isConnected == persistent)
                #expect(try await client.call(.init(true), within: .patient(seconds: 30)).message == "call 4")
            }
            await server.stop()
        }
    }

    @Test(arguments: ["persistent", "once"])
    func `a rospy proxy is answered`(way: String) async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let count = Mutex(0)
                let server = try node.advertiseService("~switch", type: SetBool.self) { request in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    guard request.data else { throw ROSServiceFailure("not today") }
                    return .init(true, "call \(number)")
                }
                let caller = try master.python(Self.caller, [way, "\(10 * MachinePace.factor)"])
                try await caller.line(containing: "end")
                #expect(caller.output.contains("answer True call 1"), "\(caller.output)")
                #expect(caller.output.contains("not today"), "\(caller.output)")
                #expect(caller.output.contains("answer True call 3"), "\(caller.output)")
                let tool = try await master.tool("rosservice", "call", "/swift/switch", "true")
                #expect(tool.output.contains("call 4"), "\(tool.output) \(tool.errors)")
                let type = try await master.tool("rosservice", "type", "/swift/switch")
                #expect(type.output.contains("std_srvs/SetBool"))
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test func `calls without a wait in between keep their order and asynchronous handlers work`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let server = try node.advertiseService("~switch", type: SetBool.self) { request in
                    await Task.yield()
                    return SetBool.Response(request.data, "done")
                }
                try await node.waitForRegistration(within: .patient(seconds: 30))
                let client = try node.serviceClient("~switch", type: SetBool.self)
                let answers = Collected<Bool?>()
                for number in 0..<100 {
                    client.call(.init(number % 3 == 0), within: .patient(seconds: 30)) {
                        answers.append(try? $0.get().success)
                    }
                }
                #expect(await eventually { answers.all.count == 100 })
                #expect(answers.all == (0..<100).map { $0 % 3 == 0 })
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test func `a missing service is named at once`() async throws {
        try await withROSMaster { master in
            try await withNode("swift", on: master) { node in
                let client = try node.serviceClient("/nobody", type: SetBool.self)
                let error = await #expect(throws: ROSError.self) {
                    try await client.call(.init(true), within: .patient(seconds: 30))
                }
                #expect(error?.code == .noProvider)
                #expect(error?.what.contains("/nobody") == true)
            }
        }
    }

    @Test func `a slow service times out can be cancelled and never answers another call`() async throws {
        try await withROSMaster { master in
            // Answers on request, all that it was asked until then.
            let server = try master.python(Self.server, ["held"])
            try await server.line(containing: "ready")
            try await withNode("swift", on: master) { node in
                let client = try node.serviceClient("/python/switch", type: SetBool.self)
                // A call that is not waited for any more asks for a refusal: the last call would get that if it got another's answer.
                let late = await #expect(throws: ROSError.self) {
                    try await client.call(.init(false), within: .milliseconds(100))
                }
                #expect(late?.code == .timedOut)
                let task = Task { try await client.call(.init(false), within: .patient(seconds: 30)) }
                #expect(await eventually { client.isConnected })
                task.cancel()
                let given = await #expect(throws: ROSError.self) { try await task.value }
                #expect(given?.code == .cancelled)
                server.send(line: "answer")
                let next = try await client.call(.init(true), within: .patient(seconds: 30))
                #expect(next.success)
                #expect(next.message.hasPrefix("call "), "\(next)")
            }
            await server.stop()
        }
    }
}
