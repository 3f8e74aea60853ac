#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// TCP over IPv4, for connections of many small messages.
extension SocketHandle {
    private static func make() throws(SocketError) -> SocketHandle {
        guard let handle = make(family: AF_INET, stream: true) else { throw .noDescriptor("a socket", errno) }
        return handle
    }

    /// Listens on a port chosen by the system.
    package static func listen(on address: IPv4Address) throws(SocketError) -> (SocketHandle, port: UInt16) {
        try listen(on: address, port: 0)
    }

    /// Listens on a port; 0 for one chosen by the system.
    package static func listen(
        on address: IPv4Address, port: UInt16
    ) throws(SocketError) -> (SocketHandle, port: UInt16) {
        let handle = try make()
        // A port that was used a moment ago can be used again; one that is in use cannot.
        if port != 0 { handle.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        var bound = sockaddr_in(address, port: port)
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
            throw SocketError(
                .systemFailure, "cannot listen on \(address)\(port == 0 ? "" : ":\(port)"): \(SystemError.text(errno))")
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
        let code = pendingError
        return code == 0 ? nil : SystemError.text(code)
    }

    /// Disables Nagle's algorithm, and detects a peer that vanished without closing within 30 s.
    func setMessageOptions() {
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
}

// Inside the class, methods of the same names hide the system functions.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}

extension sockaddr_in {
    init(_ address: IPv4Address, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = port.bigEndian
        sin_addr.s_addr = address.number.bigEndian
    }
}
