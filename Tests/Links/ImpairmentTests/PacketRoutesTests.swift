import Testing

@testable import Impairment

/// Whose packets a network device of ours would take.
@Suite struct PacketRoutesTests {
    private static let header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    private func routes(_ lines: String...) -> PacketRoutes {
        PacketRoutes(
            Self.header
                + lines.map { line in
                    let words = line.split(separator: " ")
                    return "\(words[0])\t\(words[1])\t00000000\t0001\t0\t0\t0\t\(words[2])\t0\t0\t0 \n"
                }.joined())
    }

    @Test func `the usual routes of a computer are in nobody's way`() {
        // The default route, a home network, one of containers, and a VPN for everything in two halves.
        let usual = routes(
            "eth0 00000000 00000000", "eth0 0001A8C0 00FFFFFF", "docker0 000011AC 0000FFFF", "tun0 00000000 00000080",
            "tun0 00000080 00000080")
        #expect(usual.routes.count == 5)
        #expect((0...255).allSatisfy { usual.owner(of: PacketAddresses(number: UInt8($0))) == nil })
    }

    @Test(arguments: [
        // 198.18.0.0/15, 198.19.0.0/16, 198.19.7.0/24, 198.19.7.2/32, and 198.0.0.0/8.
        "000012C6 0000FEFF", "000013C6 0000FFFF", "000713C6 00FFFFFF", "020713C6 FFFFFFFF", "000000C6 000000FF",
    ])
    func `a route of the network for measurements is somebody's, wider or narrower`(_ route: String) {
        #expect(routes("eth0 00000000 00000000", "vpn0 \(route)").owner(of: PacketAddresses(number: 7)) == "vpn0")
    }

    @Test func `a device of another measurement is in its own way only`() {
        let other = routes("uavlab8 000813C6 F8FFFFFF")
        #expect(other.owner(of: PacketAddresses(number: 8)) == "uavlab8")
        #expect(
            other.owner(of: PacketAddresses(number: 7)) == nil && other.owner(of: PacketAddresses(number: 9)) == nil)
    }

    @Test(arguments: ["", "\n\n", "eth0", "eth0 zz 0 0 0 0 0 zz", "eth0 1FFFFFFFFF 0 0 0 0 0 1FFFFFFFFF"])
    func `a text that is no table has no routes`(_ text: String) {
        #expect(PacketRoutes(text).routes == [])
    }
}
