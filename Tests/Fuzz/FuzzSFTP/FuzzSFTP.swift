import FuzzKit
import SSHTransport

/// Any bytes as what an SFTP server sends: packets come apart alike in any split, and none is longer than allowed.
@main enum FuzzSFTP: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let whole = packets(bytes, split: max(bytes.count, 1))
        precondition(packets(bytes, split: 7) == whole)
        for packet in whole {
            precondition(packet.count <= SFTP.longestPacket)
            _ = SFTP.decode(packet)
        }
    }

    private static func packets(_ bytes: [UInt8], split: Int) -> [[UInt8]] {
        var framing = SFTPFraming()
        var found: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            framing.append(Array(rest.prefix(split)))
            rest = rest.dropFirst(split)
            while case .packet(let packet) = framing.next() { found.append(packet) }
        }
        return found
    }
}
