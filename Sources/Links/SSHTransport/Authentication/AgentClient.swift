#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// A connection to the user's SSH agent (draft-miller-ssh-agent).
///
/// libssh2's own client waits without a timeout for an agent that hangs, and cannot request RSA signatures with SHA-2.
final class AgentClient {
    struct Identity: Hashable {
        let blob: [UInt8]
        let comment: String
        var key: HostKey { HostKey(blob: blob) }
    }

    private let socket: SocketHandle
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
            throw LinkError(.authentication, "the SSH agent's socket path '\(path)' is empty or too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        guard let socket = SocketHandle.make(family: AF_UNIX, stream: true) else {
            throw LinkError(.internalFault, "cannot create a socket (\(SystemError.text(errno)))")
        }
        self.socket = socket
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            throw LinkError(
                .authentication, "cannot connect to the SSH agent at \(path) (\(SystemError.text(code)))",
                hint: "start one: eval $(ssh-agent); ssh-add")
        }
    }

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
            throw LinkError(.authentication, "the SSH agent refused to sign with '\(identity.comment)'")
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
            let outcome = unsent.withUnsafeBytes { socket.write($0) }
            let count = try movedBytes(outcome, orWaitFor: .writable)
            unsent = unsent.dropFirst(count)
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
            let outcome = buffer.withUnsafeMutableBytes { socket.read(into: .init(rebasing: $0[..<missing])) }
            let count = try movedBytes(outcome, orWaitFor: .readable)
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// How many bytes were moved; waits if there were none.
    private func movedBytes(_ outcome: SocketHandle.Outcome, orWaitFor events: Readiness) throws(LinkError) -> Int {
        switch outcome {
        case .moved(let count): return count
        case .ended: throw broken("end of file: it closed the connection")
        case .failed(let code): throw broken(SystemError.text(code))
        case .wouldBlock: break
        }
        guard !deadline.hasPassed,
            !Poller.wait(for: socket.descriptor, events, within: deadline.remaining).isEmpty
        else {
            throw LinkError(
                .authentication, "the SSH agent at \(path) did not answer in time",
                hint: "is it waiting for a touch or a passphrase?")
        }
        return 0
    }

    private func broken(_ what: String) -> LinkError {
        LinkError(.authentication, "the SSH agent at \(path) answered with \(what)")
    }

    private static let requestIdentities: UInt8 = 11
    private static let identitiesAnswer: UInt8 = 12
    private static let signRequest: UInt8 = 13
    private static let signResponse: UInt8 = 14
    /// OpenSSH's agent limits its messages to 256 kB.
    private static let largestAnswer: UInt32 = 256 * 1024
    private static let maxIdentities: UInt32 = 2048
}
