#if os(Linux)
    import IntegrationKit
    import Synchronization
    import Testing
    import UAVLink

    @testable import ChannelProtocol
    @testable import SocketTransport

    /// A ground whose network is gone without a word: nothing refuses what it is sent, and nothing acknowledges it.
    @Suite(
        "Grounds in a black hole", .enabled(if: SeparateNetworks.missing == nil, "\(SeparateNetworks.missing ?? "")"),
        .timeLimit(.minutes(MachinePace.minutes(2))))
    struct BlackHoleLoopbackTests {
        private static func open(_ ground: BareGround, _ socket: BareSocket) async {
            #expect(await socket.send(ground.hello))
            #expect(await eventually { socket.hasAnswer })
            // The session is open from its first frame on.
            #expect(await socket.send(ground.heartbeat))
        }

        /// In a process of its own, since the server creates threads in a separate network.
        @Test func `the connection of a ground that vanished is closed in time, and no other`() async throws {
            await #expect(processExitsWith: .success) {
                let handler = RecordingHandler()
                try await SeparateNetworks.with(ownProcess: true) { networks in
                    let server = try await networks.inside(.near) {
                        try ChannelServer(
                            configuration: .init(vehicle: "uav1", bindAddress: "0.0.0.0"), handler: handler)
                    }
                    let port = server.tcpPort
                    let (here, there) = (try BareGround(server.issueTicket()), try BareGround(server.issueTicket()))
                    let near = try await networks.inside(.near) {
                        let socket = try BareSocket(stream: true)
                        try socket.connect(to: port)
                        return socket
                    }
                    let far = try await networks.inside(.far) {
                        let socket = try BareSocket(stream: true)
                        try socket.connect(
                            to: port, at: SeparateNetworks.nearAddress, from: SeparateNetworks.farAddress)
                        return socket
                    }
                    await BlackHoleLoopbackTests.open(here, near)
                    await BlackHoleLoopbackTests.open(there, far)
                    #expect(await eventually { handler.record.withLock { $0.opened.count } == 2 })
                    #expect(ConnectionLoopbackTests.connections(ofPort: port).count == 2)

                    try await networks.cut()
                    let cutAt = ContinuousClock.now
                    var beatAt = cutAt
                    let isNoticed = await eventually(within: .seconds(60)) {
                        if ContinuousClock.now >= beatAt {
                            #expect(await near.send(here.heartbeat))
                            beatAt = .now + ChannelTimes.heartbeat
                            // What the companion sends is read, as a ground does.
                            #expect(!near.isClosedByPeer)
                        }
                        return ConnectionLoopbackTests.connections(ofPort: port).count < 2
                    }
                    let time = ContinuousClock.now - cutAt
                    #expect(isNoticed)
                    // Its last frames may have been sent a little after the cut, and the kernel's timers are coarse.
                    let slack = Duration.seconds(5) * MachinePace.factor
                    #expect(time < ChannelTimes.connectionLoss + slack, "\(time)")
                    #expect(handler.record.withLock { $0.lost }.contains(there.ticket.session))

                    #expect(!near.isClosedByPeer)
                    #expect(await near.send(here.heartbeat))
                    #expect(await eventually { near.hasAnswer })
                    #expect(handler.record.withLock { $0.closed }.isEmpty)
                    withExtendedLifetime(far) {}
                    await server.stop()
                }
            }
        }
    }
#endif
