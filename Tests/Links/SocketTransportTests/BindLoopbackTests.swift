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

/// The addresses that the companion listens at.
@Suite("Addresses of the companion") struct BindLoopbackTests {
    /// As on a kernel that refuses sockets of IPv6 with that error.
    private func refusingIPv6(with number: Int32) -> (Int32, Bool) -> SocketHandle? {
        { family, stream in
            guard family != AF_INET6 else {
                errno = number
                return nil
            }
            return SocketHandle.make(family: family, stream: stream)
        }
    }

    private func expectAllOfIPv4(_ sockets: ServerSockets) throws {
        for handle in [sockets.datagrams, sockets.listener] {
            let address = try #require(SocketAddress.local(of: handle.descriptor))
            #expect(address == .ipv4Wildcard(port: address.port))
            #expect(address.port != 0)
        }
    }

    /// Built without IPv6, started without it, or with it switched off for all interfaces.
    @Test(arguments: [EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL])
    func `without IPv6 every address is every IPv4 address`(number: Int32) throws {
        try expectAllOfIPv4(
            ServerSockets(bindAddress: "::", udpPort: 0, tcpPort: 0, make: refusingIPv6(with: number)))
    }

    /// Where IPv6 is switched off there is a socket, and only its address is refused.
    @Test func `so it is when there is a socket to which no IPv6 address can be bound`() throws {
        let sockets = try ServerSockets(bindAddress: "::", udpPort: 0, tcpPort: 0) { _, stream in
            SocketHandle.make(family: AF_INET, stream: stream)
        }
        try expectAllOfIPv4(sockets)
    }

    @Test func `another error is no lack of IPv6`() {
        let error = #expect(throws: LinkError.self) {
            try ServerSockets(bindAddress: "::", udpPort: 0, tcpPort: 0, make: refusingIPv6(with: EMFILE))
        }
        #expect(error?.description.contains("cannot listen on ::") == true, "\(String(describing: error))")
    }

    @Test func `an IPv6 address that was named is not given up`() {
        let error = #expect(throws: LinkError.self) {
            try ServerSockets(bindAddress: "::1", udpPort: 0, tcpPort: 0, make: refusingIPv6(with: EAFNOSUPPORT))
        }
        #expect(error?.description.contains("::1") == true)
    }

    @Test func `a port that is taken is not looked for elsewhere`() throws {
        let taken = try ServerSockets(bindAddress: "0.0.0.0", udpPort: 0, tcpPort: 0)
        let error = #expect(throws: LinkError.self) {
            try ServerSockets(bindAddress: "::", udpPort: taken.udpPort, tcpPort: 0)
        }
        #expect(error?.hint.contains("another companion") == true)
    }

    @Test func `what is no address is named`() {
        let error = #expect(throws: LinkError.self) { try ServerSockets(bindAddress: "uav1", udpPort: 0, tcpPort: 0) }
        #expect(error?.code == .invalidInput)
    }
}
