#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// The address of a Unix socket.
enum UnixAddress: Equatable, Sendable {
    /// A path in the file system.
    case path(String)
    /// A name in Linux's abstract namespace: no file, visible in the whole network namespace, removed with the socket.
    case abstract(String)

    /// The address as `ss` and `NOTIFY_SOCKET` write it.
    var text: String {
        switch self {
        case .path(let path): path
        case .abstract(let name): "@\(name)"
        }
    }

    /// - Throws: ``LinkError`` if it is too long.
    func withSockaddr<Value>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws(LinkError) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes: [UInt8]
        switch self {
        case .path(let path): bytes = Array(path.utf8) + [0]
        case .abstract(let name): bytes = [0] + Array(name.utf8)
        }
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= capacity else {
            throw LinkError(
                .companionUnavailable,
                "the path \(text) is too long for a socket (\(text.utf8.count) bytes, at most \(capacity - 1))",
                hint: "set UAVLINK_RUNTIME_DIR to a shorter path")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Every byte of an abstract name counts, so its length must be given.
        let length = MemoryLayout<sockaddr_un>.size - capacity + bytes.count
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
