internal import Digests
internal import MRS
internal import Threads
package import UAVLink

/// The progress of an upload.
package struct SSHUploadProgress: Hashable, Sendable {
    /// Bytes confirmed by the vehicle.
    package let sent: Int
    /// Bytes in total.
    package let total: Int
}

extension SSHSession {
    /// The largest accepted file, bytes.
    package static let largestUpload = 1 << 30

    /// Uploads a file to the vehicle: writes it under a temporary name, verifies its SHA-256 checksum and then renames it, so
    /// that a reader finds either the old file or the complete new one.
    ///
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - path: the target; relative to the user's home unless it begins with `/`. Its folder must exist.
    ///   - mode: its permissions.
    ///   - timeout: for the whole upload.
    ///   - progress: called after every confirmed piece; then after every piece that is read back, where that is necessary.
    /// - Returns: the SHA-256 checksum in hexadecimal.
    /// - Throws: ``LinkError``: `remoteFailed` when the vehicle cannot write it or the checksum differs; `timedOut`,
    ///   `cancelled`, `notConnected`. The temporary file is then removed, if possible.
    @discardableResult
    package func upload(
        _ bytes: [UInt8], to path: String, mode: UInt16 = 0o644, within timeout: Duration,
        progress: (@Sendable (SSHUploadProgress) -> Void)? = nil
    ) async throws(LinkError) -> String {
        let target = path.hasPrefix("~/") ? String(path.dropFirst(2)) : path
        guard !target.isEmpty, !target.hasSuffix("/"), !target.utf8.contains(0) else {
            throw LinkError(.invalidInput, "'\(path)' is not a valid file name")
        }
        guard bytes.count <= Self.largestUpload else {
            throw LinkError(.invalidInput, "the file for \(path) is larger than \(Self.largestUpload) bytes")
        }
        let upload = Upload(
            session: self, bytes: bytes, target: target, mode: UInt32(mode & 0o7777), deadline: Deadline(in: timeout),
            progress: progress)
        return try await upload.run()
    }

    /// Uploads a local file; otherwise as ``upload(_:to:mode:within:progress:)``.
    ///
    /// - Throws: ``LinkError`` also with `invalidInput` when the file cannot be read.
    @discardableResult
    package func upload(
        file localPath: String, to path: String, mode: UInt16 = 0o644, within timeout: Duration,
        progress: (@Sendable (SSHUploadProgress) -> Void)? = nil
    ) async throws(LinkError) -> String {
        let begun = SystemMonotonicClock().now
        switch await DedicatedThread.run({ RegularFile.read(localPath, limit: Self.largestUpload) }) {
        case nil: throw .noThread
        case .failure(let failure):
            throw LinkError(.invalidInput, "cannot read \(localPath) (\(failure.text))")
        case .success(let file):
            let left = timeout - (SystemMonotonicClock().now - begun)
            return try await upload(file.bytes, to: path, mode: mode, within: left, progress: progress)
        }
    }
}

/// One upload.
private struct Upload: Sendable {
    let session: SSHSession
    let bytes: [UInt8]
    let target: String
    let mode: UInt32
    let deadline: Deadline
    let progress: (@Sendable (SSHUploadProgress) -> Void)?

    /// The timeout for removing the temporary file of a failed upload.
    private static let cleanUp: Duration = .seconds(3)

    func run() async throws(LinkError) -> String {
        let temporary = temporaryName()
        let bytes = bytes
        async let digest = DedicatedThread.run { hexadecimal(SHA256.of(bytes)) }
        do throws(LinkError) {
            let client = try await SFTPClient.open(session, by: deadline)
            try await write(client, temporary)
            guard let expected = await digest else { throw LinkError.noThread }
            let found = try await remoteDigest(client, temporary)
            guard found == expected else {
                throw LinkError(
                    .remoteFailed,
                    "checksum mismatch after upload of \(target): SHA-256 is \(found), expected \(expected)",
                    hint: "try again; if it happens again, check the vehicle's disk")
            }
            try await move(client, temporary)
            return expected
        } catch {
            await remove(temporary)
            throw error
        }
    }

    private func write(_ client: SFTPClient, _ name: String) async throws(LinkError) {
        let opened = try await client.ask(.open(path: name, flags: [.write, .create, .exclusive], mode: 0o600))
        guard case .handle(let handle) = opened else { throw SFTPClient.failure(opened, "create \(name)") }
        var offset = 0
        var underWay: [UInt32: Int] = [:]
        var confirmed = 0
        var window = UploadWindow()
        while offset < bytes.count || !underWay.isEmpty {
            while offset < bytes.count, underWay.count < window.pendingWrites {
                let end = min(offset + UploadWindow.piece, bytes.count)
                let id = try await client.send(
                    .write(handle: handle, offset: UInt64(offset), bytes: bytes[offset..<end]))
                underWay[id] = end - offset
                offset = end
            }
            let (id, reply) = try await client.receive()
            guard let size = underWay.removeValue(forKey: id) else { throw SFTPClient.malformed }
            try SFTPClient.check(reply, "write \(name)")
            window.confirmed()
            confirmed += size
            progress?(SSHUploadProgress(sent: confirmed, total: bytes.count))
        }
        try await client.require(.setMode(handle: handle, mode: mode), "set the permissions of \(name)")
        try await client.require(.close(handle: handle), "close \(name)")
    }

    /// The checksum of the file on the vehicle: from `sha256sum` there, or by reading the file back.
    private func remoteDigest(_ client: SFTPClient, _ name: String) async throws(LinkError) -> String {
        let path = name.hasPrefix("/") ? name : "./" + name
        let result = try await session.run(
            RemoteShell.line(running: "exec sha256sum -- \(RemoteShell.word(path))"), within: deadline.remaining,
            outputLimit: 64 * 1024)
        // sha256sum puts a backslash in front of the line when the name has special characters.
        let word = result.outputText.drop { $0 == "\\" }.prefix { $0.isHexDigit }
        if result.isSuccess, word.count == 64 { return word.lowercased() }
        return try await readBack(client, name)
    }

    private func readBack(_ client: SFTPClient, _ name: String) async throws(LinkError) -> String {
        let opened = try await client.ask(.open(path: name, flags: .read, mode: 0))
        guard case .handle(let handle) = opened else { throw SFTPClient.failure(opened, "read \(name) back") }
        var digest = SHA256()
        var offset: UInt64 = 0
        while true {
            let reply = try await client.ask(.read(handle: handle, offset: offset, length: UInt32(UploadWindow.piece)))
            if case .data(let data) = reply, !data.isEmpty {
                digest.update(data)
                offset += UInt64(data.count)
                progress?(SSHUploadProgress(sent: bytes.count, total: bytes.count))
                // The file is longer than what was written.
                guard offset <= UInt64(bytes.count) else { break }
            } else if case .status(.endOfFile, _) = reply {
                break
            } else {
                throw SFTPClient.failure(reply, "read \(name) back")
            }
        }
        try await client.require(.close(handle: handle), "close \(name)")
        return hexadecimal(digest.finish())
    }

    private func move(_ client: SFTPClient, _ name: String) async throws(LinkError) {
        if client.extensions.contains(SFTP.Request.replaceExtension) {
            return try await client.require(.replace(from: name, to: target), "move \(name) to \(target)")
        }
        // Without the extension the target must not exist.
        _ = try await client.ask(.remove(path: target))
        try await client.require(.rename(from: name, to: target), "move \(name) to \(target)")
    }

    private func remove(_ name: String) async {
        let session = session
        // Detached, since the caller's task may be cancelled and the file must be removed anyway.
        await Task.detached {
            do throws(LinkError) {
                let client = try await SFTPClient.open(session, by: Deadline(in: Self.cleanUp))
                _ = try await client.ask(.remove(path: name))
            } catch {}
        }.value
    }

    private func temporaryName() -> String {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        guard let slash = target.lastIndex(of: "/") else { return ".\(target).\(random)" }
        return "\(target[...slash]).\(target[target.index(after: slash)...]).\(random)"
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
