#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import IntegrationKit
import SystemIO
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// The ground's UDP socket against ports that are there and are not. The time is the test's; the sockets are real.
///
/// A port that is closed makes the kernel report the same that a forged ICMP message does.
@Suite("Ground's socket", .timeLimit(.minutes(MachinePace.minutes(1)))) struct GroundCarrierLoopbackTests {
    /// A UDP port of the loopback: the companion's, as long as it is kept.
    private final class Port {
        let handle: SocketHandle
        let address: SocketAddress

        init(_ address: SocketAddress) throws {
            handle = try #require(SocketHandle.make(family: address.family, stream: false))
            let (descriptor, address) = (handle.descriptor, address)
            try #require(address.withSockaddr { bind(descriptor, $0, $1) } == 0)
            self.address = try #require(SocketAddress.local(of: descriptor))
        }

        convenience init() throws {
            try self.init(#require(SocketAddress.resolve(host: "127.0.0.1", port: 0, numeric: true).first))
        }

        /// How many datagrams come here, once the first of them has: on a busy machine the kernel may deliver later than it takes.
        func count() async -> Int {
            let descriptor = handle.descriptor
            var count = 0
            _ = await eventually {
                var byte: UInt8 = 0
                while recv(descriptor, &byte, 1, 0) >= 0 { count += 1 }
                return count > 0
            }
            return count
        }
    }

    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func session() throws -> GroundSession {
        let ticket = ChannelTicket(session: SessionID(7), key: try .random(), udpPort: 1, tcpPort: 0, vehicle: "uav1")
        return try GroundSession(ticket: ticket, isReliable: false, helloRandom: SecureRandom.bytes(24), now: start)
    }

    /// Waits until the socket has an error to report.
    private func isRefused(_ carrier: GroundCarrier) async throws -> Bool {
        let descriptor = try #require(carrier.handle).descriptor
        return await eventually {
            var entry = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&entry, 1, 0) == 1
        }
    }

    @Test(arguments: [true, false]) func `a refused datagram neither ends the socket nor costs the next datagram`(
        _ readsFirst: Bool
    ) async throws {
        let session = try session()
        var port: Port? = try Port()
        let address = try #require(port).address
        let carrier = GroundCarrier(addresses: [address], isStream: false, now: start)
        #expect(carrier.open(now: start))
        carrier.send(from: session, now: start)
        #expect(try await #require(port).count() == 1)
        #expect(carrier.datagrams.sent == 1 && carrier.datagrams.bytesSent > 0 && carrier.datagrams.received == 0)
        let descriptor = try #require(carrier.handle).descriptor

        port = nil
        carrier.send(from: session, now: start + .milliseconds(100))
        #expect(try await isRefused(carrier))
        port = try Port(address)
        let later = start + .milliseconds(300)
        if readsFirst { carrier.receive(now: later) { _, _ in true } }
        carrier.send(from: session, now: later)
        #expect(carrier.handle?.descriptor == descriptor)
        #expect(try await #require(port).count() == 1)
        #expect(!carrier.isRefused)
    }

    /// Connects, and lets the other end close the connection.
    private func loseConnection(_ carrier: GroundCarrier, _ listener: SocketHandle, now: MonotonicTime) async throws {
        _ = carrier.open(now: now)
        let isConnected = await eventually {
            if case .connected = carrier.state { return true }
            return carrier.finishConnecting(now: now)
        }
        try #require(isConnected)
        var accepted: Int32 = -1
        try #require(
            await eventually {
                accepted = accept(listener.descriptor, nil, nil)
                return accepted >= 0
            })
        close(accepted)
    }

    /// Whether the carrier has noticed that its connection is gone.
    private func notices(_ carrier: GroundCarrier, now: MonotonicTime) async -> Bool {
        await eventually {
            carrier.receive(now: now) { _, _ in true }
            return carrier.handle == nil
        }
    }

    @Test func `a connection that ends is made anew at once, but not twice in half a second`() async throws {
        let any = try #require(SocketAddress.resolve(host: "127.0.0.1", port: 0, numeric: true).first)
        let listener = try #require(SocketHandle.make(family: any.family, stream: true))
        try #require(any.withSockaddr { bind(listener.descriptor, $0, $1) } == 0)
        try #require(listen(listener.descriptor, 4) == 0)
        let address = try #require(SocketAddress.local(of: listener.descriptor))
        let carrier = GroundCarrier(addresses: [address], isStream: true, now: start)

        try await loseConnection(carrier, listener, now: start)
        let first = start + .seconds(3)
        #expect(await notices(carrier, now: first))
        #expect(carrier.nextDeadline == first)

        try await loseConnection(carrier, listener, now: first)
        #expect(await notices(carrier, now: first + .milliseconds(100)))
        #expect(carrier.nextDeadline == first + ChannelTimes.reconnect)
    }

    @Test func `a companion that is not there is known by several refusals in a row`() async throws {
        let session = try session()
        let address = try Port().address
        let carrier = GroundCarrier(addresses: [address], isStream: false, now: start)
        #expect(carrier.open(now: start))
        var now = start
        var hellos = 0
        while !carrier.isRefused {
            carrier.send(from: session, now: now)
            hellos += 1
            try #require(hellos <= 20)
            #expect(try await isRefused(carrier))
            carrier.receive(now: now) { _, _ in true }
            now = session.nextDeadline(now: now)
        }
        #expect(hellos == 5)
        #expect(carrier.lastError == ECONNREFUSED)
    }
}
