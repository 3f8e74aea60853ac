internal import UAVLink

/// Why a file of the vehicle was not read.
enum RemoteFileError: Error {
    /// The server's answer: there is no such file, this user may not read it, or another reason with its text.
    case refused(SFTP.Status, String)
    /// It is a directory, a device or a pipe.
    case notAFile
    /// It has more bytes than were allowed.
    case tooLarge
    /// The connection failed, the server sent what is no answer, or the time is over.
    case link(LinkError)
}

extension SSHSession {
    /// Reads a small file of the vehicle.
    ///
    /// - Parameters:
    ///   - path: from the root.
    ///   - limit: the most bytes accepted.
    /// - Throws: ``RemoteFileError``.
    func download(_ path: String, atMost limit: Int, by deadline: Deadline) async throws(RemoteFileError) -> [UInt8] {
        let client: SFTPClient
        do throws(LinkError) { client = try await SFTPClient.open(self, by: deadline) } catch { throw .link(error) }
        let file = RemoteFile(client: client)
        // Opening a pipe would block the server until something writes to it.
        guard case .attributes(let size, let mode) = try await file.ask(.attributes(path: path)) else {
            throw .link(SFTPClient.malformed)
        }
        if let mode, mode & RemoteFile.typeMask != RemoteFile.regular { throw .notAFile }
        if let size, size > UInt64(limit) { throw .tooLarge }
        guard case .handle(let handle) = try await file.ask(.open(path: path, flags: .read, mode: 0)) else {
            throw .link(SFTPClient.malformed)
        }
        let bytes = try await file.contents(handle, atMost: limit)
        _ = try await file.ask(.close(handle: handle))
        return bytes
    }
}

/// A file on the vehicle that is being read.
private struct RemoteFile {
    let client: SFTPClient

    /// The type of a file in its permissions, and that of a regular one (POSIX).
    static let typeMask: UInt32 = 0o170000
    static let regular: UInt32 = 0o100000
    /// Bytes per request: 32 kB fit into every server's packets.
    private static let piece: UInt32 = 32 * 1024

    /// The reply to a request; a status other than success and the end of the file is an error.
    func ask(_ request: SFTP.Request) async throws(RemoteFileError) -> SFTP.Reply {
        let reply: SFTP.Reply
        do throws(LinkError) { reply = try await client.ask(request) } catch { throw .link(error) }
        guard case .status(let status, let message) = reply, status != .ok, status != .endOfFile else { return reply }
        throw .refused(status, message)
    }

    func contents(_ handle: [UInt8], atMost limit: Int) async throws(RemoteFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let request = SFTP.Request.read(handle: handle, offset: UInt64(bytes.count), length: Self.piece)
            switch try await ask(request) {
            case .data(let data) where !data.isEmpty:
                bytes += data
                guard bytes.count <= limit else { throw .tooLarge }
            case .status(.endOfFile, _): return bytes
            default: throw .link(SFTPClient.malformed)
            }
        }
    }
}
