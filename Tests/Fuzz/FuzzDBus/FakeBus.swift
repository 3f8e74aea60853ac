#if canImport(Glibc)
    internal import Glibc
#endif

/// The other end of our connection, on a socket without a file.
struct FakeBus {
    private static let name = "uavlink-fuzz-\(getpid())"
    static let address = "unix:abstract=\(name)"
    /// The whole answer to a log-in.
    static let logIn = Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)
    /// Connections wait in its queue until they are accepted; made with the first one.
    private static let listener: Int32 = {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let isBound = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        precondition(isBound == 0 && listen(socket, 8) == 0)
        return socket
    }()

    /// Listens; nothing can connect before.
    static func open() { _ = listener }

    private let descriptor: Int32

    /// Accepts the connection that was made last.
    init?() {
        descriptor = accept(Self.listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// Writes as much as there is room for.
    func write(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Reads what has come, so that the other side never waits for room.
    func drain() {
        var room = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &room, room.count, 0) > 0 {}
    }

    func close() { _ = Glibc.close(descriptor) }
}
