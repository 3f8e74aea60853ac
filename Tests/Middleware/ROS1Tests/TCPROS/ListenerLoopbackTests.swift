#if canImport(Glibc)
    import Glibc
    import IntegrationKit
    import Synchronization
    import SystemIO
    import Testing
    import XMLRPC

    @testable import ROS1

    /// The node's listeners on a loop of their own.
    @Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct ListenerLoopbackTests {
        enum Server: CaseIterable, Sendable {
            case xmlrpc, tcpros

            fileprivate func handler(_ socket: SocketHandle) -> any LoopHandler {
                switch self {
                case .xmlrpc: XMLRPCServer(socket: socket) { _, _ in .fault(code: 1, text: "not today") }
                case .tcpros: TCPROSListener(socket: socket) { _, _, _, _ in }
                }
            }
        }

        /// No header, and no call: either server ends such a connection at once.
        private static let nonsense = Array("GET / HTTP/1.1\r\n\r\n".utf8)

        private func isServed(_ client: SocketHandle) -> Bool {
            !Poller.wait(for: client.descriptor, .readable, within: .patient(seconds: 20)).isEmpty
        }

        @Test(arguments: Server.allCases)
        func `a node without free descriptors waits for some, and does not spin`(server: Server) async throws {
            let loop = try EventLoop()
            try loop.start()
            let (listener, port) = try SocketHandle.listen(on: .loopback)
            let client = try SocketHandle.connect(to: .loopback, port: port)
            let turns = Turns()
            let most = try DescriptorLimit.lowered {
                let begun = ContinuousClock.now
                loop.submit { core in
                    core.add(TurnCounter(turns))
                    core.add(server.handler(listener))
                }
                // Long enough for a thread that spins to go round thousands of times.
                usleep(300_000)
                // This thread may have been woken late.
                return 100.0 * ((ContinuousClock.now - begun) / Duration.milliseconds(300))
            }
            #expect(Double(turns.count) < most, "\(turns.count) turns")
            #expect(Self.nonsense.withUnsafeBytes { client.write($0) } == .moved(Self.nonsense.count))
            #expect(isServed(client))
            loop.stop()
        }

        /// Whether the listener, the loop's attachment, takes no more connections now.
        private func isFull(_ loop: EventLoop) async -> Bool {
            await withCheckedContinuation { answer in
                loop.submit { core in
                    let listener = core.attachment as? TCPROSListener
                    answer.resume(returning: listener?.interest.isEmpty ?? false)
                }
            }
        }

        @Test func `strangers who say nothing and leave do not shut out who comes afterwards`() async throws {
            let loop = try EventLoop()
            try loop.start()
            let (listener, port) = try SocketHandle.listen(on: .loopback)
            loop.submit { core in
                let server = TCPROSListener(socket: listener) { _, _, _, _ in }
                core.attachment = server
                core.add(server)
            }
            var strangers: [SocketHandle] = []
            for _ in 0..<TCPROSListener.maximumPending {
                strangers.append(try SocketHandle.connect(to: .loopback, port: port))
            }
            #expect(await eventually { await isFull(loop) })
            strangers = []
            let client = try SocketHandle.connect(to: .loopback, port: port)
            #expect(Self.nonsense.withUnsafeBytes { client.write($0) } == .moved(Self.nonsense.count))
            #expect(isServed(client))
            loop.stop()
        }
    }

    private final class Turns: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }

    /// Counts how often the loop plans: it asks each handler for its deadline then.
    private final class TurnCounter: LoopHandler {
        let descriptor: Int32 = -1
        var owner: AnyObject? { nil }
        let interest: Readiness = []
        let isFinished = false
        private let turns: Turns
        init(_ turns: Turns) { self.turns = turns }

        var deadline: ContinuousClock.Instant? {
            turns.add()
            return nil
        }

        func ready(_ readiness: Readiness, on loop: LoopCore) {}
        func deadlinePassed(on loop: LoopCore) {}
        func loopWillStop(on loop: LoopCore) {}
    }
#endif
