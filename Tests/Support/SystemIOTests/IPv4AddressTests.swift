import SystemIO
import Testing

@Suite struct IPv4AddressTests {
    @Test func `IPv4 addresses are read strictly`() {
        #expect(IPv4Address("127.0.0.1") == .loopback)
        #expect(IPv4Address("255.255.255.255")?.description == "255.255.255.255")
        for wrong in ["", "1.2.3", "1.2.3.256", "1.2.3.4.5", "1.2.3.", "a.b.c.d", "+1.2.3.4", "1.2.3.0004"] {
            #expect(IPv4Address(wrong) == nil, "\(wrong)")
        }
    }
}
