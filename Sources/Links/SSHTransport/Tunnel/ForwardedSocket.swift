#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// The owner of a blocking TCP socket of a ``SSHPortForward``.
final class ForwardedSocket: Sendable {
    private let socket: SocketHandle

    /// Bytes queued for the session's thread: a few frames of the channel. More would only add delay.
    private static let maxQueuedBytes = 4096
    private static let pause: UInt32 = 500
    /// The longest time that the session's thread waits for a program that does not read.
    private static let writeTimeout: Duration = .milliseconds(200)

    private init(_ socket: SocketHandle) { self.socket = socket }

    /// Listens on a loopback port chosen by the system.
    static func listening() -> ForwardedSocket? {
        guard let socket = SocketHandle.makeBlocking(family: AF_INET, stream: true) else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.descriptor, $0, size) }
        }
        guard result == 0, listen(socket.descriptor, 8) == 0 else { return nil }
        return ForwardedSocket(socket)
    }

    var localPort: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    /// Waits for the next connection; `nil` when the listener has ended.
    func accept() -> ForwardedSocket? {
        guard let handle = socket.acceptWaiting() else { return nil }
        handle.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        handle.setSendTimeout(Self.writeTimeout)
        return ForwardedSocket(handle)
    }

    /// Forwards everything that the program writes to the tunnel, until either ends.
    func pump(into tunnel: SSHChannel) {
        var buffer = [UInt8](repeating: 0, count: Self.maxQueuedBytes)
        reading: while true {
            guard case .moved(let count) = buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) else { break }
            while true {
                guard let isTaken = tunnel.offer(buffer[..<count], limit: Self.maxQueuedBytes) else { break reading }
                if isTaken { break }
                usleep(Self.pause)
            }
        }
        tunnel.close()
        end()
    }

    /// Writes received data to the program; `false` when it does not accept it.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard case .moved(let count) = rest.withUnsafeBytes({ socket.write($0) }), count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Shuts the connection down; blocked calls return.
    func end() { socket.end() }
}
