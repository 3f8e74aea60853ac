#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The owner of a blocking TCP socket of a ``SSHPortForward``.
final class ForwardedSocket: Sendable {
    private let descriptor: Int32

    /// Bytes queued for the session's thread: a few frames of the channel. More would only add delay.
    private static let maxQueuedBytes = 4096
    private static let pause: UInt32 = 500
    /// The longest time that the session's thread waits for a program that does not read.
    private static let writeTimeoutMicroseconds = 200_000

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if !canImport(Glibc)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    deinit { close(descriptor) }

    /// Listens on a loopback port chosen by the system.
    static func listening() -> ForwardedSocket? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        let handle = ForwardedSocket(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0, listen(descriptor, 8) == 0 else { return nil }
        return handle
    }

    var localPort: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    /// Waits for the next connection; `nil` when the listener has ended.
    func accept() -> ForwardedSocket? {
        while true {
            let client = systemAccept(descriptor)
            if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard client >= 0 else { return nil }
            let handle = ForwardedSocket(client)
            handle.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            var patience = timeval(tv_sec: 0, tv_usec: .init(Self.writeTimeoutMicroseconds))
            _ = setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            return handle
        }
    }

    /// Forwards everything that the program writes to the tunnel, until either ends.
    func pump(into tunnel: SSHChannel) {
        var buffer = [UInt8](repeating: 0, count: Self.maxQueuedBytes)
        reading: while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
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
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                #if canImport(Glibc)
                    Glibc.send(descriptor, raw.baseAddress?.advanced(by: done), raw.count - done, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, raw.baseAddress?.advanced(by: done), raw.count - done, 0)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Shuts the connection down; blocked calls return.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

// Inside the class the method of the same name hides the function.
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
