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
    /// As on a kernel that was built or started without IPv6.
    private func withoutIPv6(_ family: Int32, _ stream: Bool) -> SocketHandle? {
        guard family != AF_INET6 else {
            errno = EAFNOSUPPORT
            return nil
        }
        return SocketHandle.make(family: family, stream: stream)
    }

    @Test func `without IPv6 every address is every IPv4 address`() throws {
        let sockets = try ServerSockets(bindAddress: "::", udpPort: 0, tcpPort: 0, make: withoutIPv6)
        for handle in [sockets.datagrams, sockets.listener] {
            let address = try #require(SocketAddress.local(of: handle.descriptor))
            #expect(address == .ipv4Wildcard(port: address.port))
            #expect(address.port != 0)
        }
    }

    @Test func `an IPv6 address that was named is not given up`() {
        let error = #expect(throws: LinkError.self) {
            try ServerSockets(bindAddress: "::1", udpPort: 0, tcpPort: 0, make: withoutIPv6)
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
