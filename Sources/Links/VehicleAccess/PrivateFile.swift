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
        let target = resolved(path)
        var status = stat()
        let wanted = keepsMode && stat(target, &status) == 0 ? status.st_mode & 0o777 : mode
        let temporary = "\(target).\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path, errno) }
        var code: Int32 = 0
        var rest = bytes[...]
        while !rest.isEmpty, code == 0 {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { code = count < 0 ? errno : ENOSPC } else { rest = rest.dropFirst(count) }
        }
        if code == 0, fchmod(descriptor, wanted) != 0 || fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(temporary, target) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw failure("write", path, code)
        }
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

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func failure(_ doing: String, _ path: String, _ code: Int32) -> LinkError {
        LinkError(
            .invalidInput, "cannot \(doing) \(path): \(SystemError.text(code))",
            hint: "nothing was changed; check the directory's mode and the free space")
    }
}
