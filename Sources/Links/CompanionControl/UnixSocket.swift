#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Secrets
internal import SystemIO
internal import UAVLink

/// A connected or listening Unix stream socket; closes itself.
final class UnixSocket: Sendable {
    private let handle: SocketHandle
    /// Timeout of the peer for a line; for a listener, the timeout of its connections.
    private let timeout: Duration

    private init(_ handle: SocketHandle, timeout: Duration) {
        self.handle = handle
        self.timeout = timeout
    }

    private var descriptor: Int32 { handle.descriptor }

    /// Connects to a listening socket.
    ///
    /// - Returns: `nil` if no process listens there.
    static func connect(
        to address: UnixAddress, timeout: Duration = ControlLimits.timeout
    ) throws(LinkError) -> UnixSocket? {
        let socket = try make(timeout: timeout)
        // There is no timeout for receiving, since on a listener it would apply to ``accept()``.
        socket.handle.setSendTimeout(timeout)
        guard try address.withSockaddr({ systemConnect(socket.descriptor, $0, $1) }) == 0 else { return nil }
        return socket
    }

    /// Listens at a path, replacing an existing file; only this user can connect.
    static func listen(at path: String) throws(LinkError) -> UnixSocket {
        unlink(path)
        let address = UnixAddress.path(path)
        guard let socket = try listen(atUnused: address) else { throw cannotListen(at: address, EADDRINUSE) }
        return socket
    }

    /// Listens at an address; `nil` if it is in use. At a path only this user can connect.
    static func listen(
        atUnused address: UnixAddress, timeout: Duration = ControlLimits.timeout
    ) throws(LinkError) -> UnixSocket? {
        let socket = try make(timeout: timeout)
        let mask = umask(0o177)
        let bound = try address.withSockaddr { bind(socket.descriptor, $0, $1) == 0 ? 0 : errno }
        umask(mask)
        if bound == EADDRINUSE { return nil }
        guard bound == 0 else { throw cannotListen(at: address, bound) }
        guard systemListen(socket.descriptor, ControlLimits.backlog) == 0 else {
            throw cannotListen(at: address, errno)
        }
        return socket
    }

    private static func cannotListen(at address: UnixAddress, _ number: Int32) -> LinkError {
        LinkError(
            .companionUnavailable, "cannot listen at \(address.text): \(SystemError.text(number))")
    }

    /// Accepts no more connections; a pending ``accept()`` returns.
    func stopListening() { handle.end() }

    /// Waits for a connection until ``stopListening()``; then `nil`.
    func accept() -> UnixSocket? { handle.acceptWaiting().map(accepted) }

    /// Waits for a connection.
    ///
    /// - Returns: `nil` if none came in time, or the system has nothing left for it.
    func accept(within limit: Duration) -> UnixSocket? {
        guard !Poller.wait(for: descriptor, .readable, within: limit).isEmpty else { return nil }
        switch handle.acceptNext(isBlocking: true) {
        case .connection(let connection): return accepted(connection)
        case .nobody, .gone, .ended: return nil
        case .shortage:
            Acceptance.waitForResources()
            return nil
        }
    }

    private func accepted(_ connection: SocketHandle) -> UnixSocket {
        connection.setSendTimeout(timeout)
        return UnixSocket(connection, timeout: timeout)
    }

    /// Process ID and user ID of the peer when it connected or began to listen, from the kernel.
    var peer: (process: Int32, user: UInt32)? {
        #if os(Linux)
            // struct ucred: pid, uid, gid.
            var credentials = [UInt32](repeating: 0, count: 3)
            var size = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
            return (Int32(bitPattern: credentials[0]), credentials[1])
        #else
            return nil
        #endif
    }

    /// The result of reading a line.
    enum Reading {
        /// A line without its line feed.
        case line(SecretBytes)
        /// The peer closed the connection before a line was complete.
        case ended
    }

    /// Reads up to a line feed, at most `limit` bytes, within the peer's timeout for a line.
    ///
    /// - Returns: `nil` if no complete line came in time, or it is too long.
    func readLine(limit: Int) -> Reading? {
        let deadline = ContinuousClock.now + timeout
        var line = ControlLine(limit: limit)
        // No array, which a slice of it could make leave a copy.
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
        defer {
            chunk.wipe()
            chunk.deallocate()
        }
        while true {
            guard ContinuousClock.now < deadline,
                !Poller.wait(for: descriptor, .readable, until: deadline).isEmpty
            else { return nil }
            let count = recv(descriptor, chunk.baseAddress, chunk.count, nonBlocking)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count == 0 || (count < 0 && errno == ECONNRESET) { return .ended }
            guard count > 0 else { return nil }
            switch line.take(UnsafeRawBufferPointer(rebasing: chunk[..<count])) {
            case .incomplete: continue
            case .complete(let text): return .line(text)
            case .tooLong: return nil
            }
        }
    }

    /// Writes a line and a line feed; returns whether all of it was written.
    @discardableResult
    func writeLine(_ line: SecretBytes) -> Bool {
        let whole = SecretBuffer(capacity: line.count + 1)
        whole.append(line)
        whole.append(CollectionOfOne(UInt8(ascii: "\n")))
        return whole.contents.withBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                guard case .moved(let count) = sendSome(rest), count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return true
        }
    }

    /// Sends bytes, within the send timeout; ``SocketHandle/Outcome/wouldBlock`` if none were sent in time.
    func sendSome(_ bytes: UnsafeRawBufferPointer) -> SocketHandle.Outcome { handle.write(bytes) }

    private static func make(timeout: Duration) throws(LinkError) -> UnixSocket {
        guard let handle = SocketHandle.makeBlocking(family: AF_UNIX, stream: true) else {
            throw LinkError(.internalFault, "a socket could not be opened: \(SystemError.text(errno))")
        }
        return UnixSocket(handle, timeout: timeout)
    }
}

// The C functions under names that the methods above do not hide.
private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(socket, address, size)
}
private func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { listen(socket, backlog) }

#if canImport(Glibc)
    private let nonBlocking = Int32(MSG_DONTWAIT)
#else
    private let nonBlocking = MSG_DONTWAIT
#endif
