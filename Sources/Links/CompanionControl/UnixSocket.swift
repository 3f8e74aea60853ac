#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// A connected or listening stream socket of this machine; closes itself.
final class UnixSocket: Sendable {
    let descriptor: Int32
    /// How long its other end may take over a line; of a listener, those of its connections.
    private let patience: Duration

    private init(_ descriptor: Int32, patience: Duration) {
        self.descriptor = descriptor
        self.patience = patience
    }

    deinit { close(descriptor) }

    /// Connects to a listening socket.
    ///
    /// - Returns: `nil` when nobody listens there.
    static func connect(
        to address: UnixAddress, patience: Duration = ControlLimits.patience
    ) throws(LinkError) -> UnixSocket? {
        let socket = try make(patience: patience)
        socket.limitSending()
        guard try address.withSockaddr({ systemConnect(socket.descriptor, $0, $1) }) == 0 else { return nil }
        return socket
    }

    /// Listens at a path, taking the place of what is there; only this user can connect.
    static func listen(at path: String) throws(LinkError) -> UnixSocket {
        unlink(path)
        let address = UnixAddress.path(path)
        guard let socket = try listen(atUnused: address) else { throw cannotListen(at: address, EADDRINUSE) }
        return socket
    }

    /// Listens at an address that is not used; `nil` when it is. At a path only this user can connect.
    static func listen(
        atUnused address: UnixAddress, patience: Duration = ControlLimits.patience
    ) throws(LinkError) -> UnixSocket? {
        let socket = try make(patience: patience)
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
            .companionUnavailable, "cannot listen at \(address.text): \(String(cString: strerror(number)))")
    }

    /// Nobody can connect from now on, and who waits in ``accept()`` goes on.
    func stopListening() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits for a connection until ``stopListening()``; then `nil`.
    func accept() -> UnixSocket? {
        while true {
            switch acceptOnce() {
            case .connection(let connection): return connection
            case .none: continue
            case .ended: return nil
            }
        }
    }

    /// Waits for a connection.
    ///
    /// - Returns: `nil` when none came within the time, or the wait was interrupted.
    func accept(withinMilliseconds limit: Int32) -> UnixSocket? {
        guard waitToRead(milliseconds: limit), case .connection(let connection) = acceptOnce() else { return nil }
        return connection
    }

    private enum Acceptance {
        case connection(UnixSocket)
        /// This time; the next one may bring one.
        case none
        /// Nobody can connect any more.
        case ended
    }

    private func acceptOnce() -> Acceptance {
        let accepted = systemAccept(descriptor, nil, nil)
        if accepted >= 0 {
            let socket = UnixSocket(accepted, patience: patience)
            socket.limitSending()
            return .connection(socket)
        }
        switch errno {
        case EINTR, ECONNABORTED, EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            // The connection stays where it is: without a pause this would spin until there is room again.
            usleep(Self.shortagePauseMicroseconds)
            return .none
        default: return .ended
        }
    }

    private static let shortagePauseMicroseconds: UInt32 = 100_000

    /// The process at the other end and its user, as they were when it connected or began to listen, from the kernel.
    var peer: (process: Int32, user: UInt32)? {
        #if os(Linux)
            // struct ucred: the process, the user, the group.
            var credentials = [UInt32](repeating: 0, count: 3)
            var size = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
            return (Int32(bitPattern: credentials[0]), credentials[1])
        #else
            return nil
        #endif
    }

    /// What was read.
    enum Reading {
        /// A line without its feed.
        case line(String)
        /// The other end closed the connection before a line was whole.
        case ended
    }

    /// Reads up to a line feed, at most `limit` bytes, all of it within the time that the other end has for a line.
    ///
    /// - Returns: `nil` when no line came whole within the time, or it is too long.
    func readLine(limit: Int) -> Reading? {
        let deadline = ContinuousClock.now + patience
        var line = ControlLine(limit: limit)
        var chunk = [UInt8](repeating: 0, count: 512)
        while true {
            let rest = deadline - .now
            guard rest > .zero else { return nil }
            // The part of a millisecond counts as one: without it the last of the time would be spent spinning.
            guard waitToRead(milliseconds: Int32(clamping: rest.nanoseconds / 1_000_000 + 1)) else { continue }
            let count = recv(descriptor, &chunk, chunk.count, doNotWait)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count == 0 || (count < 0 && errno == ECONNRESET) { return .ended }
            guard count > 0 else { return nil }
            switch line.take(chunk[..<count]) {
            case .incomplete: continue
            case .complete(let text): return .line(text)
            case .tooLong: return nil
            }
        }
    }

    private func waitToRead(milliseconds limit: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, limit) > 0
    }

    /// Writes a line and its feed; whether all of it went.
    @discardableResult
    func writeLine(_ line: String) -> Bool {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendSome($0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends what goes at once of these bytes; how many went, or -1 with `errno`.
    func sendSome(_ bytes: UnsafeRawBufferPointer) -> Int { send(descriptor, bytes.baseAddress, bytes.count, noSignal) }

    private static func make(patience: Duration) throws(LinkError) -> UnixSocket {
        let descriptor = socket(AF_UNIX, streamSocket, 0)
        guard descriptor >= 0 else {
            throw LinkError(.internalFault, "a socket could not be opened: \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return UnixSocket(descriptor, patience: patience)
    }

    /// Connecting and sending fail when they took too long. There is no such limit for receiving, which on a listener would be one for
    /// ``accept()``.
    private func limitSending() {
        let parts = patience.components
        var limit = timeval(
            tv_sec: Int(clamping: parts.seconds), tv_usec: .init(clamping: parts.attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
}

// The C functions under names that the methods above do not hide.
private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(socket, address, size)
}
private func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { listen(socket, backlog) }
private func systemAccept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(socket, address, size) }

#if canImport(Glibc)
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
    private let doNotWait = Int32(MSG_DONTWAIT)
#else
    private let streamSocket = SOCK_STREAM
    private let noSignal: Int32 = 0
    private let doNotWait = MSG_DONTWAIT
#endif
