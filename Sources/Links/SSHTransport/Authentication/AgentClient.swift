#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// A connection to the user's key agent (draft-miller-ssh-agent).
///
/// libssh2's own client waits without a timeout for an agent that hangs, and cannot request RSA signatures with SHA-2.
final class AgentClient {
    struct Identity: Hashable {
        let blob: [UInt8]
        let comment: String
        var key: HostKey { HostKey(blob: blob) }
    }

    private let socket: Int32
    private let path: String
    private let deadline: Deadline

    /// Connects to the agent; the deadline applies to all requests on this connection.
    init(path: String, deadline: Deadline) throws(LinkError) {
        self.path = path
        self.deadline = deadline
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !path.isEmpty, path.utf8.count < capacity else {
            throw LinkError(.authentication, "the key agent's socket path '\(path)' is empty or too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        #if canImport(Glibc)
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard socket >= 0 else { throw LinkError(.internalFault, "cannot create a socket (\(SystemError.text(errno)))") }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(socket)
            throw LinkError(
                .authentication, "cannot connect to the key agent at \(path) (\(SystemError.text(code)))",
                hint: "start one: eval $(ssh-agent); ssh-add")
        }
    }

    deinit { close(socket) }

    /// Lists the keys that the agent holds.
    func identities() throws(LinkError) -> [Identity] {
        var reader = WireReader(try ask([Self.requestIdentities]))
        guard reader.byte() == Self.identitiesAnswer, let count = reader.uint32(), count <= Self.maxIdentities else {
            throw broken("an answer that is not a list of keys")
        }
        var identities: [Identity] = []
        for _ in 0..<count {
            guard let blob = reader.string(), let comment = reader.string() else {
                throw broken("a truncated list of keys")
            }
            identities.append(Identity(blob: blob, comment: String(decoding: comment, as: UTF8.self)))
        }
        return identities
    }

    /// Signs `data`; returns the signature blob without the leading algorithm name.
    func sign(_ data: [UInt8], with identity: Identity, flags: UInt32) throws(LinkError) -> [UInt8] {
        var request = WireWriter()
        request.byte(Self.signRequest)
        request.string(identity.blob)
        request.string(data)
        request.uint32(flags)
        var reader = WireReader(try ask(request.bytes))
        guard reader.byte() == Self.signResponse, let signature = reader.string() else {
            throw LinkError(.authentication, "the key agent refused to sign with '\(identity.comment)'")
        }
        var parts = WireReader(signature)
        guard parts.string() != nil, let value = parts.string() else { throw broken("a malformed signature") }
        return value
    }

    private func ask(_ message: [UInt8]) throws(LinkError) -> [UInt8] {
        var request = WireWriter()
        request.string(message)
        var unsent = request.bytes[...]
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            if count > 0 { unsent = unsent.dropFirst(count) } else { try wait(for: .writable, after: count) }
        }
        var header = WireReader(try receive(4))
        guard let length = header.uint32(), length > 0, length <= Self.largestAnswer else {
            throw broken("an answer of invalid length")
        }
        return try receive(Int(length))
    }

    private func receive(_ length: Int) throws(LinkError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: length)
        while bytes.count < length {
            let missing = length - bytes.count
            let count = buffer.withUnsafeMutableBytes { read(socket, $0.baseAddress, missing) }
            if count > 0 { bytes += buffer[..<count] } else { try wait(for: .readable, after: count) }
        }
        return bytes
    }

    private func wait(for events: Readiness, after result: Int) throws(LinkError) {
        if result == 0 { throw broken("end of file: it closed the connection") }
        guard errno == EAGAIN || errno == EINTR else { throw broken(SystemError.text(errno)) }
        guard !Poller.wait(for: socket, events, within: deadline.remaining).isEmpty else {
            throw LinkError(
                .authentication, "the key agent at \(path) did not answer in time",
                hint: "is it waiting for a touch or a passphrase?")
        }
    }

    private func broken(_ what: String) -> LinkError {
        LinkError(.authentication, "the key agent at \(path) answered with \(what)")
    }

    private static let requestIdentities: UInt8 = 11
    private static let identitiesAnswer: UInt8 = 12
    private static let signRequest: UInt8 = 13
    private static let signResponse: UInt8 = 14
    /// OpenSSH's agent limits its messages to 256 kB.
    private static let largestAnswer: UInt32 = 256 * 1024
    private static let maxIdentities: UInt32 = 2048
}
