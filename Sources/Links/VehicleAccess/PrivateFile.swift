#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Writing files as a whole: whoever reads sees the old one or the new one, never a half.
enum PrivateFile {
    /// Writes a file beside its place and renames it there; a symbolic link in the place stays, what it leads to is replaced.
    ///
    /// - Parameter mode: of a file that is new, or of the file in any case when `keepsMode` is false.
    /// - Throws: ``LinkError`` with `invalidInput`; then the place is as it was.
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

    /// Makes a folder, and those above it, that only this user can enter; one that is there stays as it is.
    static func makeFolders(_ path: String) throws(LinkError) {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return }
        let above = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        try makeFolders(above)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make the folder", path, errno) }
    }

    /// Makes a folder for secrets, or takes the one that is there when it is this user's; its mode is 700 then.
    static func makeSecretFolder(_ path: String) throws(LinkError) {
        try makeFolders(path)
        var status = stat()
        // lstat: a link that somebody else put there must not lead us away.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
            throw LinkError(
                .invalidInput, "\(path) is not a folder of yours", hint: "passwords are not written there; move it away"
            )
        }
        guard status.st_mode & 0o777 != 0o700 else { return }
        guard chmod(path, 0o700) == 0 else { throw failure("close to others", path, errno) }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func failure(_ doing: String, _ path: String, _ code: Int32) -> LinkError {
        LinkError(
            .invalidInput, "cannot \(doing) \(path): \(String(cString: strerror(code)))",
            hint: "nothing was changed; check the folder's mode and the space left")
    }
}
