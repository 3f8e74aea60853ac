#if canImport(Glibc)
    @testable import ChannelProtocol
    import Testing
    import UAVLink
    import UAVTestKit

    @Suite struct KeyMemoryTests {
        @Test func `a ticket's key stands in memory once, and nowhere when the ticket is released`() throws {
            let search = try #require(MemorySearch(32))
            // The line has the key in hexadecimal digits.
            var ticket: ChannelTicket? = try ChannelTicket(
                line: "uavlink-channel \(channelProtocolVersion) session=0123456789abcdef key=\(search.hexadecimal) "
                    + "udp=7 tcp=8 vehicle=uav1")
            #expect(search.count() == 1)
            ticket = ticket?.through(udpPort: 9, tcpPort: 10)
            #expect(search.count() == 1 && ticket?.udpPort == 9)
            ticket = nil
            #expect(search.count() == 0)
        }
    }
#endif
