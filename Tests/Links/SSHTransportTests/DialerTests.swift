#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import Testing
import UAVLink

@testable import SSHTransport

@Suite("Why no address of a host accepts a connection")
struct DialerTests {
    private let endpoint = SSHEndpoint(host: "hexa1", user: "mrs")

    @Test func `a refused connection is named once, and the hint asks for what may be the cause`() {
        let error = Dialer.refusal(endpoint, byAddress: [("10.0.0.7", ECONNREFUSED)])
        #expect(
            error.description
                == "cannot connect to hexa1 port 22 (10.0.0.7: connection refused); "
                + "is the SSH server running, and is 22 its port?")
    }

    @Test func `each reason stands once, after the addresses that it is of`() {
        let error = Dialer.refusal(
            endpoint, byAddress: [("::1", ECONNREFUSED), ("10.0.0.7", EHOSTUNREACH), ("127.0.0.1", ECONNREFUSED)])
        #expect(error.what.hasPrefix("cannot connect to hexa1 port 22 (::1, 127.0.0.1: connection refused; 10.0.0.7: "))
        #expect(error.code == .unreachable)
    }

    @Test func `an address that is not reached is asked for`() {
        let error = Dialer.refusal(endpoint, byAddress: [("10.0.0.7", EHOSTUNREACH)])
        #expect(error.hint == "is the vehicle on and in the same network, and is the address correct?")
    }
}
