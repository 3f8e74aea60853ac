#if canImport(Glibc)
    import Glibc
    import IntegrationKit
    import Synchronization
    import SystemIO
    import Testing
    import Threads

    @testable import SSHTransport

    @Suite(.timeLimit(.minutes(MachinePace.minutes(1)))) struct TunnelLoopbackTests {
        private enum State { case waiting, accepted, ended }

        @Test func `the port of a tunnel outlasts a shortage of descriptors`() async throws {
            let listener = try #require(ForwardedSocket.listening())
            defer { listener.end() }
            let client = try SocketHandle.connect(to: .loopback, port: listener.localPort)
            let state = Mutex(State.waiting)
            try DescriptorLimit.lowered {
                let hasStarted = DedicatedThread.start {
                    let connection = listener.accept()
                    state.withLock { $0 = connection == nil ? .ended : .accepted }
                }
                try #require(hasStarted)
                usleep(200_000)
            }
            #expect(await eventually { state.withLock { $0 } != .waiting })
            #expect(state.withLock { $0 } == .accepted)
            withExtendedLifetime(client) {}
        }
    }
#endif
