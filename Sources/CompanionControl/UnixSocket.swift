#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// A connected or listening stream socket of this machine; closes itself.
final class UnixSocket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to a listening socket.
    ///
    /// - Returns: `nil` when nobody listens there.
    static func connect(to path: String) throws(LinkError) -> UnixSocket? {
        let socket = try make()
        guard try withAddress(path, { systemConnect(socket.descriptor, $0, $1) }) == 0 else { return nil }
        return socket
    }

    /// Listens at a path that nobody else uses; only this user can connect.
    static func listen(at path: String) throws(LinkError) -> UnixSocket {
        let socket = try make()
        unlink(path)
        let mask = umask(0o177)
        let bound = try withAddress(path) { bind(socket.descriptor, $0, $1) }
        umask(mask)
        guard bound == 0, systemListen(socket.descriptor, ControlLimits.backlog) == 0 else {
            throw LinkError(
                .companionUnavailable, "cannot listen at \(path): \(String(cString: strerror(errno)))")
        }
        return socket
    }

    /// Waits for a connection.
    ///
    /// - Returns: `nil` when none came within the time, or the wait was interrupted.
    func accept(withinMilliseconds limit: Int32) -> UnixSocket? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, limit) > 0 else { return nil }
        let accepted = systemAccept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let socket = UnixSocket(accepted)
        socket.setTimeouts()
        return socket
    }

    /// What was read.
    enum Reading {
        /// A line without its feed.
        case line(String)
        /// The other end closed the connection before a line was whole.
        case ended
    }

    /// Reads up to a line feed, at most `limit` bytes.
    ///
    /// - Returns: `nil` when no line came whole within the time, or it is too long.
    func readLine(limit: Int) -> Reading? {
        var line = ControlLine(limit: limit)
        var chunk = [UInt8](repeating: 0, count: 512)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 || (count < 0 && errno == ECONNRESET) { return .ended }
            guard count > 0 else { return nil }
            switch line.take(chunk[..<count]) {
            case .incomplete: continue
            case .complete(let text): return .line(text)
            case .tooLong: return nil
            }
        }
    }

    /// Writes a line and its feed; whether all of it went.
    @discardableResult
    func writeLine(_ line: String) -> Bool {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func make() throws(LinkError) -> UnixSocket {
        let descriptor = socket(AF_UNIX, streamSocket, 0)
        guard descriptor >= 0 else {
            throw LinkError(.internalFault, "no socket to be had: \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let made = UnixSocket(descriptor)
        made.setTimeouts()
        return made
    }

    private func setTimeouts() {
        var limit = timeval(tv_sec: ControlLimits.seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(LinkError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else {
            throw LinkError(
                .companionUnavailable,
                "the path \(path) is too long for a socket (\(bytes.count) bytes, at most \(room - 1))",
                hint: "set UAVLINK_RUNTIME_DIR to a shorter one")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
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
#else
    private let streamSocket = SOCK_STREAM
    private let noSignal: Int32 = 0
#endif
