#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import SystemKit
internal import UAVLink

/// Atomic file replacement: a reader sees the old file or the new one, never a part.
enum PrivateFile {
    /// Writes a temporary file next to the target and renames it; a symbolic link stays, and its target is replaced.
    ///
    /// - Parameter mode: mode of a new file, and of an existing one if `keepsMode` is false.
    /// - Throws: ``LinkError`` with `invalidInput`; the file is unchanged then.
    static func replace(
        _ path: String, with bytes: UnsafeRawBufferPointer, mode: mode_t, keepsMode: Bool
    ) throws(LinkError) {
        let code = AtomicFile.write(
            bytes, to: path, replaces: true, mode: UInt32(mode), keepsMode: keepsMode, syncs: true)
        if let code { throw failure("write", path, code) }
    }

    /// Creates a directory and its parents with access for this user only; an existing one is unchanged.
    static func makeFolders(_ path: String) throws(LinkError) {
        if let code = Folder.make(path) { throw failure("create the directory", path, code) }
    }

    /// Creates a directory for secrets, or takes an existing one of this user; its mode becomes 700.
    static func makeSecretFolder(_ path: String) throws(LinkError) {
        try makeFolders(path)
        var status = stat()
        // lstat: a symbolic link created by another user must not be followed.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
            throw LinkError(
                .invalidInput, "\(path) is not a directory that you own", hint: "no password was written; move it away"
            )
        }
        guard status.st_mode & 0o777 != 0o700 else { return }
        guard chmod(path, 0o700) == 0 else { throw failure("restrict the access to", path, errno) }
    }

    private static func failure(_ doing: String, _ path: String, _ code: Int32) -> LinkError {
        LinkError(
            .invalidInput, "cannot \(doing) \(path): \(SystemError.text(code))",
            hint: "nothing was changed; check the directory's mode and the free space")
    }
}
