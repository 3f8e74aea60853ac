#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Writes whole files: a reader sees the old file or the new one, never a part.
public enum AtomicFile {
    /// Writes a file through a temporary one beside it; blocks.
    ///
    /// A symbolic link stays, and what it leads to is written. What is no regular file, such as a pipe or a device, is written
    /// to and never replaced: renaming a file to `/dev/null` would take it away from the whole machine.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing regular file is replaced.
    ///   - mode: the mode of a new file, less the process's mask; of the existing one too, unless `keepsMode`.
    ///   - syncs: whether the bytes are on the disk before the old file is replaced.
    /// - Returns: `nil`, or the system's error, `errno`; an existing regular file is unchanged then. `EEXIST` if it was not to be replaced.
    public static func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, replaces: Bool, mode: UInt32 = 0o644, keepsMode: Bool = true,
        syncs: Bool = false
    ) -> Int32? {
        let target = resolved(path)
        var status = stat()
        let isThere = stat(target, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG { return writeInPlace(bytes, to: target) }
        // An early check; `link` below is the one that counts.
        guard replaces || !isThere else { return EEXIST }
        let draft = "\(target).\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { return errno }
        var code = writeAll(bytes, to: descriptor)
        let kept = keepsMode ? status.st_mode & 0o777 : mode_t(mode)
        if code == nil, isThere, fchmod(descriptor, kept) != 0 { code = errno }
        if code == nil, syncs, fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == nil { code = errno }
        // Unlike `rename`, `link` never replaces a file that was created in the meantime.
        if code == nil, (replaces ? rename(draft, target) : link(draft, target)) != 0 { code = errno }
        if code != nil || !replaces { unlink(draft) }
        return code
    }

    /// Whether an error of ``write(_:to:replaces:mode:keepsMode:syncs:)`` says that the system took the file and not its
    /// contents: the disk is full, or broken.
    public static func isUnwritten(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(code) }

    private static func writeInPlace(_ bytes: UnsafeRawBufferPointer, to path: String) -> Int32? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return errno }
        let code = writeAll(bytes, to: descriptor)
        return close(descriptor) != 0 && code == nil ? errno : code
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// The path without symbolic links; of a file that is not there yet, the path as it is.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
