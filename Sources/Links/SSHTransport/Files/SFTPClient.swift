internal import UAVLink

/// An SFTP client on one channel, used by one task.
final class SFTPClient {
    private let channel: SSHChannel
    private let deadline: Deadline
    private var framing = SFTPFraming()
    private var nextID: UInt32 = 1
    private(set) var extensions: Set<String> = []

    private init(_ channel: SSHChannel, _ deadline: Deadline) {
        self.channel = channel
        self.deadline = deadline
    }

    deinit { channel.close() }

    /// - Parameter deadline: applies to all requests of this client.
    static func open(_ session: SSHSession, by deadline: Deadline) async throws(LinkError) -> SFTPClient {
        let channel = try await session.open(.subsystem("sftp"), by: deadline)
        let client = SFTPClient(channel, deadline)
        do throws(LinkError) {
            try await channel.write(SFTP.encode(.initialise, id: 0), by: deadline)
        } catch {
            throw error.code == .remoteFailed ? Self.ended : error
        }
        guard case .version(let version, let extensions) = try await client.receive().reply, version >= 3 else {
            throw LinkError(.protocolViolation, "the vehicle's SFTP server has an unsupported protocol version")
        }
        client.extensions = Set(extensions)
        return client
    }

    /// Sends a request and returns its id.
    func send(_ request: SFTP.Request) async throws(LinkError) -> UInt32 {
        let id = nextID
        nextID &+= 1
        try await channel.write(SFTP.encode(request, id: id), by: deadline)
        return id
    }

    /// The next reply, whichever request it answers.
    func receive() async throws(LinkError) -> (id: UInt32, reply: SFTP.Reply) {
        while true {
            switch framing.next() {
            case .packet(let body):
                guard let decoded = SFTP.decode(body) else { throw Self.malformed }
                return decoded
            case .impossible: throw Self.malformed
            case .incomplete: break
            }
            guard let chunk = try await channel.read(by: deadline) else {
                throw Self.ended
            }
            if chunk.stream == .output { framing.append(chunk.bytes) }
        }
    }

    /// Sends one request and returns its reply; no other request may be pending.
    func ask(_ request: SFTP.Request) async throws(LinkError) -> SFTP.Reply {
        let id = try await send(request)
        let (answered, reply) = try await receive()
        guard answered == id else { throw Self.malformed }
        return reply
    }

    /// Sends one request and throws unless the reply is status OK.
    func require(_ request: SFTP.Request, _ doing: String) async throws(LinkError) {
        try Self.check(try await ask(request), doing)
    }

    /// Throws unless the reply is status OK.
    static func check(_ reply: SFTP.Reply, _ doing: String) throws(LinkError) {
        if case .status(.ok, _) = reply { return }
        throw failure(reply, doing)
    }

    static func failure(_ reply: SFTP.Reply, _ doing: String) -> LinkError {
        guard case .status(let status, let message) = reply else { return malformed }
        let (reason, hint) =
            switch status {
            case .noSuchFile: ("no such file or directory", "create the directory first")
            case .permissionDenied: ("permission denied", "does the user have write permission there?")
            case .failure:
                (message.isEmpty ? "failure" : message, "is the disk full, or the name taken by a directory?")
            default: (message.isEmpty ? "\(status)" : message, "")
            }
        return LinkError(.remoteFailed, "the vehicle could not \(doing) (\(reason))", hint: hint)
    }

    private static let ended = LinkError(
        .remoteFailed, "the vehicle's SFTP server ended",
        hint: "is 'Subsystem sftp' in its sshd_config set to an existing program?")
    static let malformed = LinkError(.protocolViolation, "the vehicle's SFTP server sent a malformed reply")
}
