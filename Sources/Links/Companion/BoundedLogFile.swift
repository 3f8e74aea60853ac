#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// A file to which text is appended; at its size limit it is renamed to `PATH.1`, replacing the previous one.
///
/// Never fails: text that cannot be written is dropped, and the next write tries again.
struct BoundedLogFile {
    private let path: String
    private let limit: Int
    private var file: (descriptor: OwnedDescriptor, size: Int)?

    /// - Parameter limit: bytes; each of the two files exceeds it by one text at most.
    init(path: String, limit: Int = 1 << 20) {
        self.path = path
        self.limit = limit
    }

    mutating func write(_ text: String) {
        if file == nil { file = open() }
        if let size = file?.size, size >= limit {
            file = nil
            rename(path, path + ".1")
            file = open()
        }
        guard let descriptor = file?.descriptor, Self.append(text, to: descriptor.number) else {
            file = nil
            return
        }
        file?.size += text.utf8.count
    }

    /// Writes all of a text.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    static func append(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    private func open() -> (descriptor: OwnedDescriptor, size: Int)? {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = systemOpen(path, flags)
        guard descriptor >= 0 else { return nil }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return (OwnedDescriptor(descriptor), max(0, size))
    }
}

/// Opens a file that only its user can read.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
