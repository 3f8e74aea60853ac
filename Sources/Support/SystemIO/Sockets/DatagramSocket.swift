#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A socket for datagrams over IPv4, whose calls never wait.
package final class DatagramSocket: Sendable {
    /// An address and a port.
    package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        /// The host.
        package var address: IPv4Address
        /// In host byte order; 0 to bind to one that the system chooses.
        package var port: UInt16

        /// An address and a port.
        package init(_ address: IPv4Address, port: UInt16) {
            self.address = address
            self.port = port
        }

        /// `192.168.10.1:8889`
        package var description: String { "\(address):\(port)" }

        /// Resolves a host name or parses an address. May block for many seconds: for dedicated threads only.
        ///
        /// - Throws: ``SocketError`` with ``SocketError/Code/unreachable`` if the host has no IPv4 address.
        package static func lookUp(_ host: String, port: UInt16) throws(SocketError) -> Endpoint {
            if let address = IPv4Address(host) { return Endpoint(address, port: port) }
            return Endpoint(try IPv4Address.lookUp(host).get(), port: port)
        }
    }

    /// The result of reading.
    package enum Arrival: Equatable {
        /// A datagram of that many bytes, cut to the buffer, and who sent it.
        case datagram(Int, from: Endpoint)
        /// None waits.
        case nothing
        /// What the network reported of an earlier datagram, as `errno`; the socket works on.
        case failed(Int32)
    }

    private let handle: SocketHandle
    /// The port that it is bound to, in host byte order.
    package let port: UInt16

    /// The descriptor, for a ``Poller``.
    package var descriptor: Int32 { handle.descriptor }

    /// A socket that is bound to an address of this machine; ``IPv4Address/any`` for all of them.
    ///
    /// - Throws: ``SocketError`` with ``SocketError/Code/systemFailure``, which says why: the port is taken, for example.
    package init(bound: Endpoint) throws(SocketError) {
        guard let handle = SocketHandle.make(family: AF_INET, stream: false) else {
            throw .noDescriptor("a socket", errno)
        }
        var address = sockaddr_in(bound.address, port: bound.port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(handle.descriptor, raw, size) == 0, getsockname(handle.descriptor, raw, &size) == 0 else {
                    return errno
                }
                return 0
            }
        }
        guard failure == 0 else {
            throw SocketError(
                .systemFailure, "cannot receive on UDP port \(bound.port): \(SystemError.text(failure))",
                hint: failure == EADDRINUSE ? "another program uses it: end that one" : "")
        }
        self.handle = handle
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Sends one datagram; what the system cannot take now is lost.
    package func send(_ bytes: [UInt8], to peer: Endpoint) -> SocketHandle.Outcome {
        let target = sockaddr_in(peer.address, port: peer.port)
        while true {
            let (count, code) = bytes.withUnsafeBytes { buffer in
                withUnsafePointer(to: target) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> (Int, Int32) in
                        let count = sendto(
                            handle.descriptor, buffer.baseAddress, buffer.count, 0, raw,
                            socklen_t(MemoryLayout<sockaddr_in>.size))
                        return (count, errno)
                    }
                }
            }
            if count >= 0 { return .moved(count) }
            if code == EINTR { continue }
            return code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
        }
    }

    /// Reads the next datagram.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Arrival {
        var source = sockaddr_in()
        while true {
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let (count, code) = withUnsafeMutablePointer(to: &source) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> (Int, Int32) in
                    let count = recvfrom(handle.descriptor, buffer.baseAddress, buffer.count, 0, raw, &size)
                    return (count, errno)
                }
            }
            if count >= 0 {
                let address = IPv4Address(number: UInt32(bigEndian: source.sin_addr.s_addr))
                return .datagram(count, from: Endpoint(address, port: UInt16(bigEndian: source.sin_port)))
            }
            if code == EINTR { continue }
            return code == EAGAIN || code == EWOULDBLOCK ? .nothing : .failed(code)
        }
    }
}
