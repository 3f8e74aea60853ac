#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An IPv4 address.
package struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
    /// In host byte order: 127.0.0.1 is 0x7F000001.
    package var number: UInt32

    /// 127.0.0.1, the loopback.
    package static let loopback = IPv4Address(number: 0x7F00_0001)
    /// 0.0.0.0: all interfaces, to listen on.
    package static let any = IPv4Address(number: 0)

    /// Creates an address from its number in host byte order.
    package init(number: UInt32) { self.number = number }

    /// Parses dotted decimal notation with four parts; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let byte = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        self.number = number
    }

    /// Whether it is in 127.0.0.0/8.
    package var isLoopback: Bool { number >> 24 == 127 }

    /// Dotted decimal notation.
    package var description: String {
        "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }

    /// The address of this machine's first interface that is up and is not the loopback; `nil` when there is none.
    package static var firstInterface: IPv4Address? {
        AddressLookup.interfaces().lazy.compactMap { IPv4Address($0) }.first { !$0.isLoopback }
    }

    private init?(_ address: AddressLookup.Address) {
        guard address.family == AF_INET else { return nil }
        number = address.withSockaddr { pointer, _ in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
        }
    }

    /// Resolves a host name. May block for many seconds: do not call it on the I/O thread.
    static func lookUp(_ host: String) -> Result<IPv4Address, SocketError> {
        do throws(AddressLookup.Failure) {
            let addresses = try AddressLookup.addresses(of: host, family: AF_INET)
            guard let address = addresses.lazy.compactMap({ IPv4Address($0) }).first else {
                throw AddressLookup.Failure(code: EAI_NONAME)
            }
            return .success(address)
        } catch {
            return .failure(SocketError(.unreachable, "the host name '\(host)' has no IPv4 address (\(error))"))
        }
    }
}
