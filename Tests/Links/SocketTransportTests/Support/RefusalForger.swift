#if os(Linux)
    import Glibc
    import SystemIO

    @testable import SocketTransport

    /// A stranger who forges what the companion's host would report of a ground's datagram if nobody listened at its port: "port
    /// unreachable" of ICMP (RFC 792), in which is the beginning of that datagram.
    struct RefusalForger {
        private let raw: SocketHandle
        private let packet: [UInt8]
        private let target: SocketAddress

        /// Whether this user may: it takes a raw socket.
        static var isAllowed: Bool { rawSocket() != nil }

        /// - Parameters:
        ///   - ground: the port of the ground's socket.
        ///   - companion: the port to which that is connected.
        init(ground: UInt16, companion: UInt16) throws {
            guard let raw = Self.rawSocket(),
                let target = SocketAddress.resolve(host: "127.0.0.1", port: 0, numeric: true).first
            else { throw BareFailure(errno) }
            self.raw = raw
            self.target = target
            let home: [UInt8] = [127, 0, 0, 1]
            // 28 bytes of UDP (17) from home to home.
            let internet: [UInt8] = [0x45, 0, 0, 48, 0, 0, 0x40, 0, 64, 17, 0, 0] + home + home
            let datagram = Self.bytes(ground) + Self.bytes(companion) + Self.bytes(28) + Self.bytes(0)
            let unreachable: [UInt8] = [3, 3]
            let rest: [UInt8] = [0, 0, 0, 0] + internet + datagram
            packet = unreachable + Self.bytes(Self.checksum(unreachable + [0, 0] + rest)) + rest
        }

        /// Sends one; the kernel has handed it to the ground's socket when this returns.
        func forge() throws {
            let sent = target.withSockaddr { address, length in
                packet.withUnsafeBytes { sendto(raw.descriptor, $0.baseAddress, $0.count, 0, address, length) }
            }
            guard sent == packet.count else { throw BareFailure(errno) }
        }

        private static func rawSocket() -> SocketHandle? {
            let descriptor = socket(AF_INET, Int32(SOCK_RAW.rawValue), Int32(IPPROTO_ICMP))
            return descriptor < 0 ? nil : SocketHandle(descriptor)
        }

        private static func bytes(_ number: UInt16) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        }

        /// That of the internet (RFC 1071), of an even number of bytes.
        private static func checksum(_ bytes: [UInt8]) -> UInt16 {
            var sum: UInt32 = 0
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                sum += (UInt32(bytes[index]) << 8) + UInt32(bytes[index + 1])
            }
            while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
            return ~UInt16(truncatingIfNeeded: sum)
        }
    }
#endif
