#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
internal import UAVLink

/// Writes files atomically: the path always holds a complete file, the old or the new one.
enum AtomicFile {
    static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws(MapFailure) {
        let name = path.sanitizedLine
        // An early check; `link` below is the one that counts.
        guard replaces || access(path, F_OK) != 0 else { throw exists(name) }
        let draft = path + ".part-\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file("\(name) cannot be written (\(SystemError.text(errno)))") }
        var isThere = false
        defer { if !isThere { unlink(draft) } }
        let isWritten = writeAll(bytes, to: descriptor)
        let failure = SystemError.text(errno)
        guard close(descriptor) == 0, isWritten else { throw .file("\(name) cannot be written (\(failure))") }
        if replaces {
            guard rename(draft, path) == 0 else {
                throw .file("\(name) cannot be written (\(SystemError.text(errno)))")
            }
            isThere = true
        } else {
            // Unlike `rename`, `link` never replaces a file that was created in the meantime.
            guard link(draft, path) == 0 else {
                throw errno == EEXIST ? exists(name) : .file("\(name) cannot be written (\(SystemError.text(errno)))")
            }
        }
    }

    private static func exists(_ name: String) -> MapFailure { .file("\(name) already exists; nothing was written") }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, let base = buffer.baseAddress {
                let count = systemWrite(descriptor, base + done, min(buffer.count - done, 1 << 20))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
