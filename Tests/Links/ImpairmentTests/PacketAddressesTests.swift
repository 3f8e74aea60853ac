import Statistics
import Testing

@testable import Impairment

@Suite struct PacketAddressesTests {
    private let addresses = PacketAddresses(number: 7)

    /// A packet whose checksums are right: of TCP (6), UDP (17) or another protocol.
    private func packet(
        _ kind: UInt8, from source: IPv4Octets, to destination: IPv4Octets, payload: Int = 11, seed: UInt64 = 1
    ) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        let header = kind == 6 ? 20 : 8
        var body = (0..<header + payload).map { _ in UInt8.random(in: 0...255, using: &random) }
        let place = kind == 6 ? 16 : 6
        body.replaceSubrange(place..<place + 2, with: [0, 0])
        let length = 20 + body.count
        var packet: [UInt8] = [0x45, 0, UInt8(length >> 8), UInt8(length & 255), 1, 2, 0x40, 0, 64, kind, 0, 0]
        packet += source.bytes + destination.bytes
        let sum = Self.sum(packet)
        packet[10] = UInt8(~sum >> 8 & 255)
        packet[11] = UInt8(~sum & 255)
        let whole = ~Self.sum(Self.pseudo(packet, body) + body)
        body[place] = UInt8(whole >> 8 & 255)
        body[place + 1] = UInt8(whole & 255)
        return packet + body
    }

    private static func pseudo(_ packet: [UInt8], _ body: [UInt8]) -> [UInt8] {
        Array(packet[12..<20]) + [0, packet[9], UInt8(body.count >> 8), UInt8(body.count & 255)]
    }

    /// The sum of RFC 1071: all ones where a checksum within is right.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            sum += UInt32(bytes[index]) << 8 | (index + 1 < bytes.count ? UInt32(bytes[index + 1]) : 0)
        }
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + sum >> 16 }
        return sum
    }

    private static func isRight(_ packet: [UInt8]) -> Bool {
        let body = Array(packet[20...])
        return sum(Array(packet[..<20])) == 0xFFFF && sum(pseudo(packet, body) + body) == 0xFFFF
    }

    @Test func `what a client sends arrives on the loopback, from the other address, with right checksums`() {
        for (kind, seed) in [(UInt8(6), UInt64(1)), (6, 2), (17, 3), (17, 4)] {
            var sent = packet(kind, from: addresses.own, to: addresses.far, payload: Int(seed), seed: seed)
            #expect(Self.isRight(sent))
            #expect(addresses.translate(&sent) == true)
            #expect(Array(sent[12..<20]) == addresses.back.bytes + [127, 0, 0, 1])
            #expect(Self.isRight(sent))
        }
    }

    @Test func `the answer comes from where the client sent to, whatever the service calls itself`() {
        for source in [IPv4Octets.loopback, addresses.own] {
            var sent = packet(17, from: source, to: addresses.back)
            #expect(addresses.translate(&sent) == false)
            #expect(Array(sent[12..<20]) == addresses.far.bytes + addresses.own.bytes)
            #expect(Self.isRight(sent))
        }
    }

    @Test func `a datagram without a checksum keeps none`() {
        var sent = packet(17, from: addresses.own, to: addresses.far)
        sent.replaceSubrange(26..<28, with: [0, 0])
        #expect(addresses.translate(&sent) == true)
        #expect(Array(sent[26..<28]) == [0, 0])
    }

    @Test func `a later fragment has no header to be changed`() {
        var sent = packet(17, from: addresses.own, to: addresses.far)
        (sent[6], sent[7]) = (0, 185)
        let body = Array(sent[20...])
        #expect(addresses.translate(&sent) == true)
        #expect(Array(sent[20...]) == body)
    }

    @Test func `what belongs to no connection is left alone, however short it is`() {
        let strays = [
            [], [0x45], [UInt8](repeating: 0x60, count: 60),
            packet(6, from: addresses.own, to: IPv4Octets(10, 0, 0, 1)),
        ]
        for stray in strays {
            var changed = stray
            #expect(addresses.translate(&changed) == nil && changed == stray)
        }
        // A header that ends before its checksum.
        var cut = Array(packet(6, from: addresses.own, to: addresses.far)[..<24])
        #expect(addresses.translate(&cut) == true)
    }

    @Test func `what another computer sends through this one reaches no service`() {
        for source in [IPv4Octets(192, 168, 1, 66), addresses.back, addresses.far, IPv4Octets(0)] {
            for destination in [addresses.far, addresses.back] {
                let sent = packet(6, from: source, to: destination)
                var changed = sent
                #expect(addresses.translate(&changed) == nil && changed == sent, "\(source) to \(destination)")
            }
        }
        var toFar = packet(6, from: .loopback, to: addresses.far)
        #expect(addresses.translate(&toFar) == nil, "an answer could not find its way back")
    }

    @Test func `each number has other addresses, of the network for measurements`() {
        let all = (0...255).map { PacketAddresses(number: UInt8($0)) }
        #expect(Set(all.map(\.far)).count == 256 && Set(all.map(\.back)).isDisjoint(with: all.map(\.far)))
        #expect(all.allSatisfy { $0.far.description.hasPrefix("198.19.") })
    }
}
