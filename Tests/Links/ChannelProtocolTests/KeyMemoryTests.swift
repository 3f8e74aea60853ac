#if canImport(Glibc)
    @testable import ChannelProtocol
    import Secrets
    import Testing
    import UAVLink
    import UAVTestKit

    @Suite struct KeyMemoryTests {
        private static let before = "uavlink-channel \(channelProtocolVersion) session=0123456789abcdef key="
        private static let after = " udp=7 tcp=8 vehicle=uav1"

        @Test func `a ticket's key stands in memory once, and nowhere when the ticket is released`() throws {
            let search = try #require(MemorySearch(32))
            let text = try #require(search.text(Self.before, Self.after))
            var ticket: ChannelTicket? = try ChannelTicket(line: SecretBytes(text))
            #expect(search.count() == 1)
            ticket = ticket?.through(udpPort: 9, tcpPort: 10)
            #expect(search.count() == 1 && ticket?.udpPort == 9)
            ticket = nil
            #expect(search.count() == 0)
        }

        @Test func `a ticket's line stands in memory as long as it is held, and not in the ticket`() throws {
            let search = try #require(MemorySearch(32))
            let text = try #require(search.text(Self.before, Self.after))
            var line: SecretBytes? = SecretBytes(text)
            #expect(search.countOfDigits() == 1)
            var ticket: ChannelTicket?
            if let line { ticket = try ChannelTicket(line: line) }
            #expect(search.countOfDigits() == 1 && ticket?.tcpPort == 8)
            line = nil
            #expect(search.countOfDigits() == 0)
            // At the companion's end: from the key to what the socket is given.
            line = ticket?.line
            #expect(search.countOfDigits() == 1 && line?.count == text.count)
            line = nil
            #expect(search.countOfDigits() == 0 && search.count() == 1)
        }

        @Test func `it is found in a program's output, and refused, without a copy`() throws {
            let search = try #require(MemorySearch(32))
            let output = try #require(search.text("Welcome to uav1!\n\n" + Self.before, Self.after + "\nbye\n"))
            #expect(try ChannelTicket.find(in: SecretBytes(output)).vehicle == "uav1")
            #expect(ChannelTicket.stands(in: SecretBytes(output)))
            #expect(!ChannelTicket.stands(in: SecretBytes("Welcome to uavlink-channel 1\n")))
            let broken = try #require(search.text(Self.before, " udp=7 tcp=8 vehicle="))
            let error = #expect(throws: LinkError.self) { try ChannelTicket(line: SecretBytes(broken)) }
            #expect(error?.code == .protocolViolation)
            #expect(search.countOfDigits() == 0 && search.count() == 0)
        }
    }
#endif
