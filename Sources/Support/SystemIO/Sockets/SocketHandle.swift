#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The sole owner of a non-blocking TCP socket. The descriptor is closed with the last reference, so no thread can write
/// to a descriptor number that has been reused for another connection.
package final class SocketHandle: Sendable {
    /// The result of a read or write.
    package enum Outcome: Equatable {
        /// That many bytes were read or written.
        case moved(Int)
        /// Nothing could be read or written now.
        case wouldBlock
        /// The peer has closed the connection.
        case ended
        /// The connection has failed with that `errno`.
        case failed(Int32)
    }

    /// The descriptor, for `poll`.
    package let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    // MARK: Creation

    private static func make() throws(SocketError) -> SocketHandle {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else {
            throw SocketError(.systemFailure, "cannot create a socket: \(SystemError.text(errno))")
        }
        let handle = SocketHandle(descriptor)
        handle.prepare()
        return handle
    }

    private func prepare() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if !canImport(Glibc)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    /// Listens on a port chosen by the system.
    package static func listen(on address: IPv4Address) throws(SocketError) -> (SocketHandle, port: UInt16) {
        let handle = try make()
        var bound = sockaddr_in(address, port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                // 128: the systems limit the backlog to that anyway.
                guard bind(handle.descriptor, raw, size) == 0, systemListen(handle.descriptor, 128) == 0 else {
                    return -1
                }
                return getsockname(handle.descriptor, raw, &size)
            }
        }
        guard result == 0 else {
            throw SocketError(.systemFailure, "cannot listen on \(address): \(SystemError.text(errno))")
        }
        return (handle, UInt16(bigEndian: bound.sin_port))
    }

    /// Begins to connect; the socket becomes writable when the connection is established or has failed.
    package static func connect(to address: IPv4Address, port: UInt16) throws(SocketError) -> SocketHandle {
        let handle = try make()
        handle.setMessageOptions()
        var target = sockaddr_in(address, port: port)
        let result = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(handle.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            throw SocketError(.unreachable, SystemError.text(errno))
        }
        return handle
    }

    /// Why connecting failed, `nil` when it worked.
    package var connectFailure: String? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return SystemError.text(errno) }
        return code == 0 ? nil : SystemError.text(code)
    }

    /// The next pending connection of a listening socket; `nil` when there is none.
    package func accept() -> SocketHandle? {
        let accepted = systemAccept(descriptor)
        guard accepted >= 0 else { return nil }
        let handle = SocketHandle(accepted)
        handle.prepare()
        handle.setMessageOptions()
        return handle
    }

    /// Disables Nagle's algorithm, and detects a peer that vanished without closing within 30 s.
    private func setMessageOptions() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Glibc)
            set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10)
            set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
            set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
            // Data unacknowledged for that long (milliseconds) closes the connection.
            set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 20_000)
        #endif
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Reading and writing

    /// Reads what has arrived, at most as much as the buffer holds.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        return count == 0 ? .ended : Self.failure(errno)
    }

    /// Writes as many of the bytes as the socket accepts now.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        let count = send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
        return count >= 0 ? .moved(count) : Self.failure(errno)
    }

    /// Closes the sending direction.
    package func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    private static func failure(_ code: Int32) -> Outcome {
        code == EAGAIN || code == EWOULDBLOCK || code == EINTR ? .wouldBlock : .failed(code)
    }

    #if canImport(Glibc)
        // A write to a connection that the peer has closed returns an error instead of raising SIGPIPE.
        private static let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #else
        private static let sendFlags = MSG_DONTWAIT
    #endif
}

// Inside the class, methods of the same names hide the system functions.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

extension sockaddr_in {
    init(_ address: IPv4Address, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr.s_addr = address.number.bigEndian
    }
}
