#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// Files that fit into memory.
public enum SmallFile {
    /// Why a file was not read.
    public enum Failure: Error, Equatable, CustomStringConvertible, Sendable {
        /// The system's error, `errno`.
        case system(Int32)
        /// The file has more bytes than were allowed.
        case tooLarge(limit: Int)
        /// It is a directory, a device or a pipe, where only a regular file is read.
        case notRegular

        /// As one line.
        public var description: String {
            switch self {
            case .system(let code): SystemError.text(code)
            case .tooLarge(let limit): "more than \(limit) bytes"
            case .notRegular: "not a regular file"
            }
        }
    }

    /// The bytes of a file; blocks.
    ///
    /// - Parameter limit: the most bytes accepted.
    /// - Throws: ``Failure``.
    public static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        return try readToEnd(descriptor, limit: limit)
    }

    /// As ``read(_:limit:)``, of a regular file only: opening a pipe would block until something writes to it, a device may never end,
    /// and a terminal would become the controlling one of a service, which has none.
    ///
    /// - Throws: ``Failure``, also ``Failure/notRegular``.
    public static func readRegular(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        return try readToEnd(descriptor, limit: limit)
    }

    /// The bytes of a file, or those at its end when it is longer than `limit`; blocks.
    ///
    /// - Parameters:
    ///   - limit: the most bytes read.
    ///   - kept: how many bytes at the end are read of a longer file.
    /// - Returns: the bytes, and whether they are the whole file.
    /// - Throws: ``Failure``.
    public static func readEnd(
        _ path: String, limit: Int, keeping kept: Int
    ) throws(Failure) -> (bytes: [UInt8], isWhole: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let isWhole = size <= limit
        guard size >= 0, lseek(descriptor, isWhole ? 0 : off_t(max(0, size - kept)), SEEK_SET) >= 0 else {
            throw .system(errno)
        }
        return (try readToEnd(descriptor, limit: limit), isWhole)
    }

    private static func readToEnd(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = systemRead(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += piece[..<count]
        }
    }

    /// Whether there is a file or folder at the path; symbolic links are followed.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
