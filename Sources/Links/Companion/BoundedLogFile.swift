#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Foundation

/// A file to which text is appended; at its size limit it is renamed to `PATH.1`, replacing the previous one.
///
/// Never fails: text that cannot be written is dropped, and the next write tries again.
struct BoundedLogFile {
    private let path: String
    private let limit: Int
    private var file: (handle: FileHandle, size: Int)?

    /// - Parameter limit: bytes; each of the two files exceeds it by one text at most.
    init(path: String, limit: Int = 1 << 20) {
        self.path = path
        self.limit = limit
    }

    mutating func write(_ text: Data) {
        if file == nil { file = open() }
        if let size = file?.size, size >= limit {
            file = nil
            rename(path, path + ".1")
            file = open()
        }
        do {
            try file?.handle.write(contentsOf: text)
            file?.size += text.count
        } catch {
            file = nil
        }
    }

    private func open() -> (handle: FileHandle, size: Int)? {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = systemOpen(path, flags)
        guard descriptor >= 0 else { return nil }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), max(0, size))
    }
}

/// Opens a file that only its user can read.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
