#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO

/// Reads a regular file of bounded size, with its mode and owner; a named pipe, which might never end, is refused.
enum RegularFile {
    struct Contents<Bytes: Sendable>: Sendable {
        let bytes: Bytes
        let mode: mode_t
        let owner: uid_t
    }

    enum Failure: Error, Equatable {
        case system(Int32)
        case notAFile
        case tooLarge(Int)

        var text: String {
            switch self {
            case .system(let code): SystemError.text(code)
            case .notAFile: "not a regular file"
            case .tooLarge(let limit): "larger than \(limit) bytes"
            }
        }
    }

    static func read(_ path: String, limit: Int) -> Result<Contents<[UInt8]>, Failure> {
        read(path) { descriptor, _ in bytes(of: descriptor, limit: limit) }
    }

    /// Reads a file directly into memory that is wiped on deallocation, with no other copy.
    static func readSecret(_ path: String, limit: Int) -> Result<Contents<SSHSecret>, Failure> {
        read(path) { descriptor, size in
            guard size <= limit else { return .failure(.tooLarge(limit)) }
            var failure = Failure.system(EIO)
            // One byte more than the size, to detect that the file grows meanwhile.
            let secret = SSHSecret(capacity: size + 1) { buffer in
                var length = 0
                while length < buffer.count {
                    let count = part(of: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[length...]))
                    if count < 0 {
                        failure = .system(errno)
                        return nil
                    }
                    if count == 0 { return length }
                    length += count
                }
                failure = .tooLarge(size)
                return nil
            }
            return secret.map { .success($0) } ?? .failure(failure)
        }
    }

    private static func read<Bytes: Sendable>(
        _ path: String, _ take: (_ descriptor: Int32, _ size: Int) -> Result<Bytes, Failure>
    ) -> Result<Contents<Bytes>, Failure> {
        // Without O_NONBLOCK, opening a named pipe would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(.system(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(.notAFile) }
        return take(descriptor, Int(clamping: max(0, status.st_size))).map { bytes in
            Contents(bytes: bytes, mode: status.st_mode & 0o7777, owner: status.st_uid)
        }
    }

    private static func bytes(of descriptor: Int32, limit: Int) -> Result<[UInt8], Failure> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes { part(of: descriptor, into: $0) }
            if count < 0 { return .failure(.system(errno)) }
            if count == 0 { break }
            bytes += buffer[..<count]
            if bytes.count > limit { return .failure(.tooLarge(limit)) }
        }
        return .success(bytes)
    }

    private static func part(of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}
